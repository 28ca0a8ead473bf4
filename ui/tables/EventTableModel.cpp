// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/EventTableModel.h"

#include "analysis/PictureParts.h"
#include "base/Format.h"
#include "model/KnownLosses.h"
#include "record/EventMeanings.h"
#include "tables/ExplanationText.h"
#include "tables/JobsModel.h"
#include "theme/CoreText.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace event_rows {

constexpr std::size_t stretch = 1 << 18; // events looked at between two turns of the event loop
constexpr int refreshMilliseconds = 200;
constexpr std::size_t mostRows = 1 << 26; // a view measures rows in pixels, with an int

std::uint64_t taskKey(std::uint32_t job, std::uint32_t role, std::uint32_t task) {
    return std::uint64_t{job} << 32 | std::uint64_t{role} << 31 | task;
}

bool isOfWorker(const EventMeaning& meaning) { return std::string_view(meaning.a.name) == "worker"; }

QString wordsOf(const char* name) {
    return coreText(QString::fromLatin1(name).replace(QLatin1Char('_'), QLatin1Char(' ')).toStdString());
}

QString number(double value) {
    return std::abs(value) >= 1000 ? countText(value) : QString::fromStdString(quantityText(value, {}, 4));
}

bool isGraph(const Event& event, const Workload& workload) {
    return event.job < workload.jobs.size() && workload.jobs[event.job].kind() == JobKind::graph;
}

QString reasonText(RejectReason reason) {
    switch (reason) {
    case RejectReason::policy: return EventTableModel::tr("by the policy");
    case RejectReason::impossible: return EventTableModel::tr("impossible even on the empty cluster");
    case RejectReason::noBlock: return EventTableModel::tr("no block free");
    case RejectReason::tooSlow: return EventTableModel::tr("free blocks too slow");
    case RejectReason::byChoice: return EventTableModel::tr("by choice");
    }
    return {};
}

} // namespace event_rows

QString eventTypeText(EventType type) {
    std::string name(eventName(type));
    std::replace(name.begin(), name.end(), '-', ' ');
    return coreText(name);
}

EventTableModel::EventTableModel(Workspace& workspace, QObject* parent)
    : QAbstractTableModel(parent), m_workspace(workspace) {
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        if (readSome(event_rows::stretch)) m_timer.start(0);
    });
    connect(&workspace.runs(), &RunModel::runStarted, this, &EventTableModel::restart);
    connect(&workspace.runs(), &RunModel::frame, this, [this] {
        if (!m_active || m_timer.isActive()) return;
        if (m_workspace.runs().current().log != m_log)
            restart();
        else
            m_timer.start(event_rows::refreshMilliseconds);
    });
    connect(&workspace.runs(), &RunModel::runEnded, this, [this] {
        if (m_active) m_timer.start(0);
    });
    connect(&workspace.selection(), &Selection::changed, this, [this] {
        if (m_filter.selectionOnly) restart();
    });
}

void EventTableModel::setActive(bool active) {
    if (m_active == active) return;
    m_active = active;
    if (!active)
        m_timer.stop();
    else if (m_workspace.runs().current().log != m_log)
        restart();
    else
        m_timer.start(0);
}

void EventTableModel::setFilter(const Filter& filter) {
    if (m_filter == filter) return;
    m_filter = filter;
    restart();
}

bool EventTableModel::isFiltered() const {
    return m_filter.type || m_filter.job.valid() || !m_wanted.anyPlace || m_wanted.selectedJob.valid();
}

void EventTableModel::restart() {
    m_timer.stop();
    beginResetModel();
    m_log = m_active ? m_workspace.runs().current().log : nullptr;
    m_workload = m_workspace.runs().current().workload;
    if (!m_workload) m_log.reset();
    m_read = 0;
    m_rows = 0;
    m_matches.clear();
    m_placed.clear();
    m_explanations = m_workspace.runs().current().explanations;
    takeWanted();
    endResetModel();
    if (m_active) m_timer.start(0);
    Q_EMIT grown();
}

void EventTableModel::takeWanted() {
    m_wanted = {};
    if (!m_workload) return;
    const Cluster& cluster = m_workload->cluster;
    QStringList keys;
    if (!m_filter.machine.isEmpty()) keys << m_filter.machine;
    if (m_filter.selectionOnly) {
        keys << m_workspace.selection().entities();
        m_wanted.selectedJob = m_workspace.selection().job();
    }
    if (keys.isEmpty()) return;
    m_wanted.anyPlace = false;
    const auto named = [&](const std::string& key) { return keys.contains(QString::fromStdString(key)); };
    for (const Machine& m : cluster.machines) m_wanted.machines.push_back(named(m.key) || named(m.rack));
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        const Link& link = cluster.links[i];
        m_wanted.links.push_back(named(link.from) || named(link.to) ||
                                 named(linkName(static_cast<std::uint32_t>(i), cluster)));
    }
}

bool EventTableModel::readSome(std::size_t most) {
    if (!m_active || !m_log) return false;
    const std::size_t size = std::min(m_log->size(), event_rows::mostRows);
    const std::size_t to = std::min(size, m_read + most);
    if (!isFiltered()) {
        if (m_read == size) return false;
        beginInsertRows({}, m_rows, static_cast<int>(size) - 1); // nothing to look at: all at once
        m_read = size;
        m_rows = static_cast<int>(size);
        endInsertRows();
        Q_EMIT grown();
        return false;
    }
    if (m_read == to) return false;
    std::vector<std::uint32_t> found;
    for (; m_read < to; ++m_read)
        if (matches((*m_log)[m_read])) found.push_back(static_cast<std::uint32_t>(m_read));
    if (!found.empty()) {
        beginInsertRows({}, m_rows, m_rows + static_cast<int>(found.size()) - 1);
        m_matches.insert(m_matches.end(), found.begin(), found.end());
        m_rows = static_cast<int>(m_matches.size());
        endInsertRows();
    }
    Q_EMIT grown();
    return m_read < size;
}

void EventTableModel::readAll() {
    while (readSome(event_rows::stretch)) {}
}

bool EventTableModel::matches(const Event& event) {
    const bool there = m_wanted.anyPlace || concerns(event); // first: it follows the tasks
    if (m_filter.type && event.type != *m_filter.type) return false;
    if (m_filter.job.valid() && event.jobId() != m_filter.job) return false;
    if (m_wanted.selectedJob.valid() && event.jobId() == m_wanted.selectedJob) return true;
    return there && (!m_wanted.anyPlace || !m_wanted.selectedJob.valid());
}

/// Happens on a wanted machine, or on a wanted link.
bool EventTableModel::concerns(const Event& event) {
    if (event.type == EventType::taskPlaced) m_placed[event_rows::taskKey(event.job, event.aux, event.a)] = event.b;
    const EventMeaning& meaning = eventMeaning(event.type);
    const auto on = [](const std::vector<bool>& wanted, std::uint32_t index) {
        return index < wanted.size() && wanted[index];
    };
    const auto field = [&](FieldKind kind, std::uint32_t member) {
        return kind == FieldKind::machine        ? on(m_wanted.machines, member)
               : kind == FieldKind::link         ? on(m_wanted.links, member)
               : kind == FieldKind::directedLink ? on(m_wanted.links, member / 2)
                                                 : false;
    };
    if (field(meaning.a.kind, event.a) || field(meaning.b.kind, event.b)) return true;
    if (!event_rows::isOfWorker(meaning)) return false;
    const auto worker = static_cast<std::uint32_t>(TaskRole::worker);
    const auto at = m_placed.find(event_rows::taskKey(event.job, worker, event.a));
    return at != m_placed.end() && on(m_wanted.machines, at->second);
}

const Event& EventTableModel::at(int row) const {
    const auto i = static_cast<std::size_t>(row);
    return (*m_log)[isFiltered() ? m_matches[i] : i];
}

SimTime EventTableModel::timeOf(int row) const { return row >= 0 && row < m_rows ? at(row).time : SimTime{}; }

int EventTableModel::rowAt(SimTime t) const {
    if (!m_log || m_rows == 0) return -1;
    if (!isFiltered()) return static_cast<int>(std::min(m_log->positionAfter(t), static_cast<std::size_t>(m_rows))) - 1;
    const auto after = std::upper_bound(m_matches.begin(), m_matches.end(), t,
                                        [this](SimTime time, std::uint32_t i) { return time < (*m_log)[i].time; });
    return static_cast<int>(after - m_matches.begin()) - 1;
}

int EventTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : m_rows; }

int EventTableModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QString eventPlaceText(const Event& event, const Workload& workload) {
    const EventMeaning& meaning = eventMeaning(event.type);
    if (event.type == EventType::decision) return {};
    if (event.type == EventType::jobFinished && event_rows::isGraph(event, workload)) return {}; // it has no updates
    QStringList parts;
    const auto add = [&](const FieldMeaning& field, std::uint32_t member) {
        QString text = QString::fromStdString(fieldText(field.kind, event, member, workload));
        if (field.kind == FieldKind::machine) text = shownMachine(&workload, text.toStdString());
        if (field.kind == FieldKind::number && std::string_view(field.name) == "task") // of a worker
            parts << EventTableModel::tr("iteration %1").arg(member);
        else if (field.kind == FieldKind::number)
            parts << QStringLiteral("%1 %2").arg(event_rows::wordsOf(field.name)).arg(member);
        else if (field.kind == FieldKind::count)
            parts << QStringLiteral("%1 %2").arg(event_rows::wordsOf(field.name),
                                                 countText(static_cast<double>(event.count())));
        else if (!text.isEmpty())
            parts << text;
    };
    add(meaning.a, event.a);
    if (meaning.a.kind != FieldKind::count) add(meaning.b, event.b);
    return parts.join(QStringLiteral(" · "));
}

QString eventValueText(const Event& event, const Workload& workload) {
    const EventMeaning& meaning = eventMeaning(event.type);
    QStringList parts;
    const QString aux = meaning.aux.kind == FieldKind::role && meaning.a.kind == FieldKind::task
                            ? QString() // its name says it
                        : meaning.aux.kind == FieldKind::rejectReason
                            ? event_rows::reasonText(static_cast<RejectReason>(event.aux))
                            : QString::fromStdString(fieldText(meaning.aux.kind, event.aux, workload));
    if (!aux.isEmpty() && meaning.aux.kind != FieldKind::norm) parts << aux;
    const bool isNone = event.type == EventType::jobFinished && event.job < workload.jobs.size() &&
                        !mayHaveLosses(workload.jobs[event.job]);
    if (meaning.value.kind != FieldKind::none && !isNone) {
        const QString name = event_rows::wordsOf(meaning.value.name);
        if (name == QLatin1String("bytes"))
            parts << EventTableModel::tr("%1B").arg(shortCountText(event.value));
        else if (name == QLatin1String("bytes per s"))
            parts << EventTableModel::tr("%1B/s").arg(shortCountText(event.value));
        else
            parts << (name.endsWith(QLatin1String(" s")) && !name.contains(QLatin1String("per"))
                          ? QStringLiteral("%1 %2").arg(name.chopped(2), timeSpanText(event.value))
                          : QStringLiteral("%1 %2").arg(name, event_rows::number(event.value)));
    }
    if (!aux.isEmpty() && meaning.aux.kind == FieldKind::norm)
        parts << EventTableModel::tr("gradient norm %1").arg(aux);
    return parts.join(QStringLiteral(" · "));
}

QString EventTableModel::whyText(const Event& event) const {
    const auto* why = event.type == EventType::decision && m_explanations ? m_explanations->at(event.a) : nullptr;
    return why ? explanationSummary(*why, m_workload.get()) : QString();
}

const Job* EventTableModel::jobOf(const Event& event) const {
    return event.jobId().valid() && event.job < m_workload->jobs.size() ? &m_workload->jobs[event.job] : nullptr;
}

QVariant EventTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !m_log) return {};
    const Event& e = at(index.row());
    if (role == Qt::TextAlignmentRole && index.column() == time)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ForegroundRole && index.column() == place) return Theme::current().muted;
    if (role == Qt::ToolTipRole)
        return index.column() == why && !whyText(e).isEmpty() ? whyText(e)
                                                              : coreText(std::string(eventMeaning(e.type).summary));
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case time: return clockText(e.time);
    case event: // what is admitted at once is called blocked in all views
        return e.type == EventType::jobRejected && jobOf(e) && m_workload->admitsAtOnce(*jobOf(e))
                   ? tr("job blocked")
                   : eventTypeText(e.type);
    case job: return jobOf(e) ? jobName(*jobOf(e)) : QString();
    case place: return eventPlaceText(e, *m_workload);
    case value: return eventValueText(e, *m_workload);
    case why: return whyText(e);
    default: return {};
    }
}

QVariant EventTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == time)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case time: return tr("Time");
    case event: return tr("Event");
    case job: return tr("Job");
    case place: return tr("Where");
    case value: return tr("Value");
    case why: return tr("Why");
    default: return {};
    }
}

} // namespace trainyard
