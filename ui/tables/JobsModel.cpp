// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/JobsModel.h"

#include "drawing/JobColours.h"
#include "model/KnownLosses.h"
#include "record/CompletedShare.h"
#include "tables/TableLook.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <algorithm>

namespace trainyard {

QString jobPhaseText(const Workload& workload, const Job& job, JobPhase phase, bool unfinished) {
    if (phase == JobPhase::rejected && workload.admitsAtOnce(job)) return JobsModel::tr("blocked");
    switch (phase) {
    case JobPhase::future: return JobsModel::tr("not arrived");
    case JobPhase::waiting: return JobsModel::tr("queued");
    case JobPhase::running: return unfinished ? JobsModel::tr("unfinished") : JobsModel::tr("running");
    case JobPhase::finished: return JobsModel::tr("finished");
    case JobPhase::rejected: return JobsModel::tr("rejected");
    case JobPhase::failed: return JobsModel::tr("failed");
    }
    return {};
}

std::size_t blockedJobs(const ClusterState& state) {
    std::size_t blocked = 0;
    for (std::size_t j = 0; j < state.jobs().size(); ++j)
        blocked += state.jobs()[j].phase == JobPhase::rejected &&
                   state.workload().admitsAtOnce(state.workload().job(JobId(j)));
    return blocked;
}

bool showsTheEnd(const Workspace& workspace) {
    const RunModel& runs = workspace.runs();
    const auto& log = runs.current().log;
    return !runs.current().running &&
           (!log || log->size() == 0 || workspace.shownTime() >= (*log)[log->size() - 1].time);
}

QString jobKindText(JobKind kind) {
    switch (kind) {
    case JobKind::trained: return JobsModel::tr("trained");
    case JobKind::analytic: return JobsModel::tr("analytic");
    case JobKind::graph: return JobsModel::tr("graph");
    }
    return {};
}

QString jobName(const Job& job) { return QString::fromStdString(job.name.empty() ? job.key : job.name); }

JobsModel::JobsModel(Workspace& workspace, QObject* parent) : QAbstractTableModel(parent), m_workspace(workspace) {
    m_refresh.setSingleShot(true);
    m_refresh.setInterval(100);
    connect(&m_refresh, &QTimer::timeout, this, &JobsModel::refreshNow);
    connect(&workspace, &Workspace::shownChanged, this, [this] {
        if (!m_refresh.isActive()) m_refresh.start();
    });
    connect(&workspace.selection(), &Selection::changed, this, [this] { // of many jobs the selected one has its colour
        if (!m_rows.empty()) Q_EMIT dataChanged(index(0, name), index(rowCount() - 1, name), {Qt::DecorationRole});
    });
    refreshNow();
}

int JobsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}
int JobsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

JobsModel::Row JobsModel::rowOf(const Job& job, const JobState& s, SimTime now) {
    Row row{.phase = s.phase,
            .updates = s.updates,
            .lossAt = s.lastLossUpdate,
            .progress = progressOf(job, s, now),
            .loss = s.lastLoss,
            .hasLoss = s.hasLoss && mayHaveLosses(job),
            .degree = s.degree};
    const auto placed = [](const std::vector<MachineId>& tasks) {
        return static_cast<std::size_t>(
            std::count_if(tasks.begin(), tasks.end(), [](MachineId m) { return m.valid(); }));
    };
    row.workers = placed(s.placement.workers);
    row.servers = placed(s.placement.servers);
    const bool ended = s.phase == JobPhase::finished || s.phase == JobPhase::rejected || s.phase == JobPhase::failed;
    row.seconds = s.phase == JobPhase::future ? 0 : ((ended ? s.since : now) - job.arrival).toSeconds();
    return row;
}

void JobsModel::refreshNow() {
    const auto shown = m_workspace.shownState();
    const auto workload = shown ? shown->sharedWorkload() : nullptr;
    const bool over = showsTheEnd(m_workspace);
    const auto rowAt = [&](std::size_t i, SimTime now) {
        Row row = rowOf(workload->jobs[i], shown->jobs()[i], now);
        row.unfinished = over && row.phase == JobPhase::running;
        return row;
    };
    if (workload != m_workload || (workload && workload->jobs.size() != m_rows.size())) {
        beginResetModel();
        m_workload = workload;
        m_coloured = workload ? ColouredJobs(*workload) : ColouredJobs();
        m_rows.assign(workload ? workload->jobs.size() : 0, Row());
        for (std::size_t i = 0; i < m_rows.size(); ++i) m_rows[i] = rowAt(i, shown->now());
        endResetModel();
        return;
    }
    if (!shown) return;
    int first = -1, last = -1;
    const SimTime now = m_workspace.shownTime();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        Row row = rowAt(i, now);
        if (row == m_rows[i]) continue;
        m_rows[i] = row;
        if (first < 0) first = static_cast<int>(i);
        last = static_cast<int>(i);
    }
    if (first >= 0) Q_EMIT dataChanged(index(first, state), index(last, columns - 1));
}

QString JobsModel::textOf(const Row& row, const Job& job, int column) const {
    switch (column) {
    case name: return jobName(job);
    case kind:
        if (row.degree > 0) return tr("graph, %n part(s)", nullptr, row.degree);
        return job.keyedAccess() ? tr("keyed") : jobKindText(job.kind());
    case state: return jobPhaseText(*m_workload, job, row.phase, row.unfinished);
    case progress:
        if (job.kind() == JobKind::graph) return QStringLiteral("–"); // its steps are not logged
        // One that has come to its loss earlier needs no more.
        if (!job.stop.iterations || row.phase == JobPhase::finished) return countText(static_cast<double>(row.updates));
        return QStringLiteral("%1 / %2").arg(countText(static_cast<double>(row.updates)),
                                             countText(static_cast<double>(*job.stop.iterations)));
    case workers:
        if (row.workers + row.servers == 0) return QStringLiteral("–");
        return row.servers ? QStringLiteral("%1 + %2").arg(row.workers).arg(row.servers) : QString::number(row.workers);
    case loss: return row.hasLoss ? readingText(row.loss) : QStringLiteral("–");
    case time: return row.phase == JobPhase::future ? QStringLiteral("–") : timeSpanText(row.seconds);
    default: return {};
    }
}

QVariant JobsModel::data(const QModelIndex& at, int role) const {
    if (!at.isValid() || static_cast<std::size_t>(at.row()) >= m_rows.size()) return {};
    const auto index = static_cast<std::size_t>(at.row());
    const Row& row = m_rows[index];
    const Job& job = m_workload->jobs[index];
    switch (role) {
    case Qt::DisplayRole: return textOf(row, job, at.column());
    case Qt::TextAlignmentRole:
        return at.column() >= progress ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                       : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (at.column() == state && (row.phase == JobPhase::failed || row.phase == JobPhase::rejected))
            return Theme::current().problem;
        if (row.phase == JobPhase::future || row.phase == JobPhase::finished || at.column() == kind)
            return Theme::current().muted;
        return {};
    case Qt::DecorationRole: {
        if (at.column() != name) return {};
        const JobId id(index);
        return jobSwatch(id, id == m_workspace.selection().job() || m_coloured.has(id), 12);
    }
    case Qt::ToolTipRole:
        if (at.column() != loss || !row.hasLoss) return {};
        return tr("The last loss that was evaluated, at update %1").arg(countText(static_cast<double>(row.lossAt)));
    case progressRole: return row.progress;
    case sortRole:
        switch (at.column()) {
        case state: return static_cast<int>(row.phase);
        case progress: return row.progress;
        case workers: return static_cast<int>(row.workers);
        case loss: return row.hasLoss ? row.loss : 1e300;
        case time: return row.seconds;
        default: return textOf(row, job, at.column());
        }
    default: return {};
    }
}

QVariant JobsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return section >= progress ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                   : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    static constexpr const char* titles[] = {QT_TR_NOOP("Job"),
                                             QT_TR_NOOP("Kind"),
                                             QT_TR_NOOP("State"),
                                             QT_TR_NOOP("Updates"),
                                             QT_TR_NOOP("Workers + servers"),
                                             QT_TR_NOOP("Loss"),
                                             QT_TR_NOOP("Time in system")};
    static constexpr const char* tips[] = {
        QT_TR_NOOP("The job and its colour everywhere"),
        QT_TR_NOOP(
            "trained: real gradients; analytic: by formula; keyed: reads and changes keys; graph: a computation graph"),
        QT_TR_NOOP("What the job does at the instant shown"),
        QT_TR_NOOP("Parameter updates applied, of those required"),
        QT_TR_NOOP("Tasks placed on machines now"),
        QT_TR_NOOP("Loss last evaluated"),
        QT_TR_NOOP("Since it arrived; once finished, its completion time (JCT)")};
    if (section < 0 || section >= columns) return {};
    if (role == Qt::DisplayRole) return tr(titles[section]);
    if (role == Qt::ToolTipRole) return tr(tips[section]);
    return {};
}

} // namespace trainyard
