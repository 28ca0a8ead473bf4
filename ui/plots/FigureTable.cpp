// The tables behind exported figures: see Figure.h.
#include "base/Format.h"
#include "plots/Figure.h"
#include "plots/RunFold.h"

#include <QIODevice>

namespace trainyard {

namespace figure_table {

class Rows {
public:
    explicit Rows(QIODevice& out) : m_out(out) {}
    ~Rows() { flush(); }
    Rows& operator<<(const std::string& field) {
        if (!m_first) m_text += ',';
        m_first = false;
        // RFC 4180: quotes around fields that contain separators, quotes doubled.
        if (field.find_first_of(",\"\r\n") == std::string::npos) {
            m_text += field;
            return *this;
        }
        m_text += '"';
        for (const char c : field) m_text += c == '"' ? std::string("\"\"") : std::string(1, c);
        m_text += '"';
        return *this;
    }
    Rows& operator<<(const char* field) { return *this << std::string(field); }
    Rows& operator<<(double value) { return *this << formatNumber(value); }
    Rows& operator<<(SimTime t) { return *this << t.toSeconds(); }
    void end() {
        m_text += '\n';
        m_first = true;
        if (m_text.size() > 1 << 16) flush();
    }
    bool ok() {
        flush();
        return m_ok;
    }

private:
    void flush() {
        m_ok = m_ok && m_out.write(m_text.data(), static_cast<qint64>(m_text.size())) ==
                           static_cast<qint64>(m_text.size());
        m_text.clear();
    }
    QIODevice& m_out;
    std::string m_text;
    bool m_first = true, m_ok = true;
};

const char* doingId(Doing doing) {
    switch (doing) {
    case Doing::absent:
        return "absent";
    case Doing::idle:
        return "idle";
    case Doing::pull:
        return "pull";
    case Doing::compute:
        return "compute";
    case Doing::push:
        return "push";
    case Doing::waiting:
        return "waiting";
    case Doing::blocked:
        return "blocked";
    case Doing::discarded:
        return "discarded";
    case Doing::failed:
        return "failed";
    }
    return "";
}

void lossRows(Rows& rows, const RunFold& run) {
    (rows << "job"
          << "time_s"
          << "update"
          << "loss")
        .end();
    for (std::size_t j = 0; j < run.jobs().size(); ++j) {
        const LossSeries& s = run.jobs()[j].losses;
        for (std::size_t i = 0; i < s.size(); ++i)
            (rows << run.workload().jobs[j].key << s.time[i] << s.update[i] << s.loss[i]).end();
    }
}

void stragglerRows(Rows& rows, const RunFold& run) {
    (rows << "job"
          << "worker"
          << "task"
          << "activity"
          << "start_s"
          << "end_s")
        .end();
    for (std::size_t j = 0; j < run.jobs().size(); ++j)
        for (std::size_t w = 0; w < run.jobs()[j].workers.size(); ++w) {
            const IntervalTrack& track = run.jobs()[j].workers[w].track;
            for (std::size_t i = 0; i < track.size(); ++i)
                if (track.doing(i) != Doing::absent)
                    (rows << run.workload().jobs[j].key << "w" + std::to_string(w + 1)
                          << std::to_string(track.task(i)) << doingId(track.doing(i)) << track.start(i)
                          << track.end(i, run.head()))
                        .end();
        }
}

void ganttRows(Rows& rows, const RunFold& run) {
    (rows << "machine"
          << "slot"
          << "job"
          << "role"
          << "task"
          << "start_s"
          << "end_s")
        .end();
    for (std::size_t m = 0; m < run.machines().size(); ++m) {
        const std::string& key = run.workload().cluster.machines[m].key;
        const MachineLane& machine = run.machines()[m];
        for (std::size_t s = 0; s < machine.slotLanes.size(); ++s)
            for (const auto& stay : machine.slotLanes[s].stays)
                (rows << key << std::to_string(s) << run.workload().jobs[stay.job].key
                      << (stay.role == TaskRole::worker ? "worker" : "server")
                      << std::to_string(stay.index + 1) << stay.start << std::min(stay.end, run.head()))
                    .end();
        for (const Outage& outage : machine.outages)
            (rows << key << ""
                  << ""
                  << "down"
                  << "" << outage.start << std::min(outage.end, run.head()))
                .end();
    }
}

void utilizationRows(Rows& rows, const RunFold& run) {
    (rows << "resource"
          << "time_s"
          << "share")
        .end();
    const auto& names = run.workload().cluster.resourceNames;
    const auto add = [&](const std::string& name, const StepSeries& series) {
        for (std::size_t i = 0; i < series.size(); ++i)
            (rows << name << series.time(i) << series.value(i)).end();
    };
    for (std::size_t r = 0; r < run.utilization().size(); ++r)
        add(r < names.size() ? names[r] : "resource " + std::to_string(r + 1), run.utilization()[r]);
    add("busiest link", run.busiestLink());
}

} // namespace figure_table

bool writeTable(QIODevice& out, FigureKind kind, const RunFold& run, const QStringList& comments) {
    for (const QString& comment : comments) {
        const QByteArray line = comment.toUtf8() + '\n';
        if (out.write(line) != line.size()) return false;
    }
    figure_table::Rows rows(out);
    switch (kind) {
    case FigureKind::loss:
        figure_table::lossRows(rows, run);
        break;
    case FigureKind::stragglers:
        figure_table::stragglerRows(rows, run);
        break;
    case FigureKind::gantt:
        figure_table::ganttRows(rows, run);
        break;
    case FigureKind::utilization:
        figure_table::utilizationRows(rows, run);
        break;
    }
    return rows.ok();
}

} // namespace trainyard
