// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/MetricsModel.h"

#include "base/CsvTable.h"
#include "base/Format.h"
#include "record/MetricsFold.h"
#include "tables/JobsModel.h"
#include "theme/CoreText.h"
#include "theme/Theme.h"

#include <QMimeData>

namespace trainyard {

namespace metrics_model {

constexpr int refreshMilliseconds = 300;
constexpr std::size_t stretch = 1 << 14; // events folded between two looks at whether to stop

QString field(const QString& text) { return QString::fromStdString(csvField(text.toStdString())); }

} // namespace metrics_model

/// One fold to the end of what there is and one to the cursor; that one starts anew when the cursor goes
/// back.
struct MetricsModel::Folds {
    std::shared_ptr<const EventLog> log;
    std::shared_ptr<const Workload> workload;
    struct Fold {
        std::unique_ptr<MetricsFold> fold;
        std::size_t position = 0;
    };
    Fold toNow, toEnd;

    Metrics upTo(Fold& f, std::size_t position, SimTime t, const std::stop_token& stop) {
        if (!f.fold || f.position > position) f = {std::make_unique<MetricsFold>(*workload), 0};
        for (; f.position < position; ++f.position) {
            if (f.position % metrics_model::stretch == 0 && stop.stop_requested()) return {};
            f.fold->apply((*log)[f.position]);
        }
        return f.fold->at(t);
    }
};

MetricsModel::MetricsModel(Workspace& workspace, QObject* parent)
    : QAbstractTableModel(parent), m_workspace(workspace) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(metrics_model::refreshMilliseconds);
    connect(&m_soon, &QTimer::timeout, this, &MetricsModel::compute);
    const auto later = [this] {
        if (m_active && !m_soon.isActive()) m_soon.start();
    };
    connect(&workspace, &Workspace::shownChanged, this, later);
    connect(&workspace.runs(), &RunModel::runEnded, this, later);
    connect(&workspace.runs(), &RunModel::runStarted, this, later);
}

MetricsModel::~MetricsModel() = default;

void MetricsModel::setActive(bool active) {
    if (m_active == active) return;
    m_active = active;
    if (active)
        compute();
    else
        m_soon.stop();
}

void MetricsModel::restart() {
    beginResetModel();
    const RunData& run = m_workspace.runs().current();
    m_workload = run.workload;
    m_folds = std::make_shared<Folds>();
    m_folds->log = run.log;
    m_folds->workload = run.workload;
    m_now = m_end = {};
    m_rows.clear();
    m_definitions.clear();
    // Without a value for the whole run only the rows of the jobs are of use; that shows in what is computed.
    if (m_workload) {
        m_definitions = metricDefinitionsFor(*m_workload);
        for (const MetricDefinition& each : m_definitions) m_rows.push_back({&each, -1});
        for (std::size_t j = 0; j < m_workload->jobs.size(); ++j)
            for (const MetricDefinition& each : m_definitions)
                if (each.perJob()) m_rows.push_back({&each, static_cast<int>(j)});
    }
    endResetModel();
}

void MetricsModel::compute() {
    if (m_computing) {
        m_again = true;
        return;
    }
    const RunData& run = m_workspace.runs().current();
    if (!m_folds || m_folds->log != run.log) restart();
    if (!m_folds->log || !m_folds->workload || m_folds->log->size() == 0) return;
    m_computing = true;
    m_running = run.running;
    const std::size_t size = m_folds->log->size();
    const SimTime last = (*m_folds->log)[size - 1].time, shown = std::min(m_workspace.shownTime(), last);
    m_work.start([this, folds = m_folds, size, last, shown](const std::stop_token& stop) -> BackgroundWork::Result {
        Metrics atEnd = folds->upTo(folds->toEnd, size, last, stop);
        const std::size_t position = shown == last ? size : std::min(size, folds->log->positionAfter(shown));
        Metrics atNow = position == size ? atEnd : folds->upTo(folds->toNow, position, shown, stop);
        return [this, folds, now = std::move(atNow), end = std::move(atEnd)] {
            m_computing = false;
            if (folds == m_folds) take(now, end);
            if (std::exchange(m_again, false) && m_active) compute();
        };
    });
}

void MetricsModel::take(Metrics atNow, Metrics atEnd) {
    m_now = std::move(atNow);
    m_end = std::move(atEnd);
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, now), index(static_cast<int>(m_rows.size()) - 1, end));
    Q_EMIT headerDataChanged(Qt::Horizontal, end, end);
    Q_EMIT computed();
}

std::optional<double> MetricsModel::valueOf(const Row& row, const Metrics& metrics) const {
    const auto* values = &metrics.values;
    if (row.job >= 0) {
        if (static_cast<std::size_t>(row.job) >= metrics.jobs.size()) return std::nullopt;
        values = &metrics.jobs[static_cast<std::size_t>(row.job)];
    }
    const auto it = values->find(row.definition->id);
    return it == values->end() ? std::nullopt : std::optional(it->second);
}

int MetricsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int MetricsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant MetricsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isNumber = index.column() == now || index.column() == end;
    if (role == jobRole) return row.job;
    if (role == Qt::TextAlignmentRole && isNumber) return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && index.column() == definition) return Theme::current().muted;
    if (role == Qt::ToolTipRole) {
        const QString whyNot = whyNotFollow(index.row());
        return QStringLiteral("<b>%1</b><br>%2<br><i>%3</i>")
            .arg(QString::fromStdString(row.definition->id).toHtmlEscaped(),
                 coreText(row.definition->definition).toHtmlEscaped(),
                 (whyNot.isEmpty() ? tr("Drag it onto the timeline to see it over time.")
                                   : tr("Not for the timeline: %1.").arg(whyNot))
                     .toHtmlEscaped());
    }
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case metric: return metricLabel(*row.definition);
    case job: return row.job < 0 ? tr("whole run") : jobName(m_workload->jobs[static_cast<std::size_t>(row.job)]);
    case now:
    case end: {
        const auto value = valueOf(row, index.column() == now ? m_now : m_end);
        return value ? metricText(*value, row.definition->unit) : QStringLiteral("–");
    }
    case definition: return coreText(row.definition->definition);
    default: return {};
    }
}

QVariant MetricsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && (section == now || section == end))
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case metric: return tr("Metric");
    case job: return tr("Of");
    case now: return tr("At the cursor");
    case end: return m_running ? tr("So far") : tr("At the end");
    case definition: return tr("Meaning");
    default: return {};
    }
}

QString MetricsModel::whyNotFollow(int row) const {
    const Row& of = m_rows[static_cast<std::size_t>(row)];
    if (const QString why = whyNoSeries(*of.definition, of.job >= 0); !why.isEmpty()) return why;
    return valueOf(of, m_end) ? QString() : tr("It has no value in this run so far");
}

HistorySubject MetricsModel::subject(int row) const {
    const Row& of = m_rows[static_cast<std::size_t>(row)];
    return metricSubject(of.definition->id,
                         of.job < 0 ? std::string() : m_workload->jobs[static_cast<std::size_t>(of.job)].key);
}

Qt::ItemFlags MetricsModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    flags.setFlag(Qt::ItemIsDragEnabled, index.isValid() && whyNotFollow(index.row()).isEmpty());
    return flags;
}

QStringList MetricsModel::mimeTypes() const {
    const std::unique_ptr<QMimeData> any(Histories::toMime({}));
    return any->formats();
}

QMimeData* MetricsModel::mimeData(const QModelIndexList& indexes) const {
    std::vector<HistorySubject> subjects;
    for (const QModelIndex& index : indexes)
        if (index.column() == metric && whyNotFollow(index.row()).isEmpty()) subjects.push_back(subject(index.row()));
    return subjects.empty() ? nullptr : Histories::toMime(subjects); // null: nothing is dragged
}

QString MetricsModel::csv(const std::function<bool(int row)>& wanted) const {
    using metrics_model::field;
    QStringList lines{QStringLiteral("metric,of,at_cursor,at_end,unit,meaning")};
    const auto raw = [](std::optional<double> value) {
        return value ? QString::fromStdString(formatNumber(*value)) : QString();
    };
    for (int i = 0; i < rowCount(); ++i) {
        if (!wanted(i)) continue;
        const Row& row = m_rows[static_cast<std::size_t>(i)];
        lines << QStringList{QString::fromStdString(row.definition->id),
                             field(index(i, job).data().toString()),
                             raw(valueOf(row, m_now)),
                             raw(valueOf(row, m_end)),
                             QString::fromStdString(row.definition->unit),
                             field(QString::fromStdString(row.definition->definition))}
                     .join(QLatin1Char(','));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace trainyard
