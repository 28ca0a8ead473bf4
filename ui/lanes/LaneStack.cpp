// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/LaneStack.h"

#include "analysis/LoggedTasks.h"
#include "lanes/CompareMenu.h"
#include "lanes/GanttPainter.h"
#include "lanes/Lane.h"
#include "lanes/Overview.h"
#include "lanes/StragglerPainter.h"
#include "model/KnownLosses.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/ShownRuns.h"
#include "session/TimeAxis.h"
#include "session/ViewSubject.h"
#include "theme/Theme.h"

#include <QAction>
#include <QDataStream>
#include <QDropEvent>
#include <QIODevice>
#include <QMenu>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace lane_stack {
constexpr qint32 layoutVersion = 5;
constexpr int shares[] = {5, 5, 6, 4, 3}; // of the height, by lane
} // namespace lane_stack

std::vector<std::unique_ptr<LanePainter>> makeLanePainters(const MakePainter& ofView) {
    std::vector<std::unique_ptr<LanePainter>> all;
    all.push_back(std::make_unique<GanttPainter>());
    all.push_back(std::make_unique<StragglerPainter>());
    for (const char* view : {"loss", "utilization", "queue"}) all.push_back(ofView({QLatin1String(view)}));
    return all;
}

LaneStack::LaneStack(ShownRuns& runs, TimeAxis& axis, Selection& selection, Histories& histories,
                     MakePainter makePainter, QWidget* parent)
    : LaneColumn(axis, parent), m_runs(runs), m_selection(selection), m_histories(histories),
      m_makePainter(std::move(makePainter)) {
    setAcceptDrops(true);
    for (auto& painter : makeLanePainters(m_makePainter))
        addLane(std::move(painter), selection, lane_stack::shares[lanes().size()]);
    m_utilization = lane(QLatin1String("utilization"));
    lane(QLatin1String("queue"))->setCollapsed(true); // its line says all while few jobs wait
    m_foldedByHand = false;
    m_byJob = addByJob(*lane(QLatin1String("gantt")));
    for (Lane* each : lanes()) addOptions(*each);
    Lane& loss = *lane(QLatin1String("loss"));
    loss.menu()->addSeparator();
    loss.menu()->addMenu(new CompareMenu(runs.runs(), loss.menu()));

    connect(&runs, &ShownRuns::replaced, this, &LaneStack::onReplaced);
    connect(&runs, &ShownRuns::changed, this, &LaneStack::onChanged);
    connect(&selection, &Selection::changed, this, &LaneStack::refresh);
    connect(&histories, &Histories::changed, this, &LaneStack::takeHistories);
    takeHistories();
    onReplaced();
    onChanged();
}

LaneStack::~LaneStack() = default;

Lane* LaneStack::lane(QLatin1String id) const {
    return *std::ranges::find(lanes(), id, [](Lane* each) { return each->painter().id(); });
}

std::vector<Lane*> LaneStack::usualViews() const {
    std::vector<Lane*> usual;
    for (Lane* lane : lanes())
        if (lane->painter().subject() &&
            std::ranges::find(m_historyLanes, lane, &HistoryLane::lane) == m_historyLanes.end())
            usual.push_back(lane);
    return usual;
}

void LaneStack::laneFolded() { m_foldedByHand |= !m_folding; }

void LaneStack::takeHistories() {
    const auto& wanted = m_histories.all();
    std::erase_if(m_historyLanes, [&](const HistoryLane& shown) {
        if (m_histories.has(shown.subject)) return false;
        removeLane(shown.lane);
        return true;
    });
    Lane* added = nullptr;
    for (const HistorySubject& subject : wanted) {
        const bool there = std::any_of(m_historyLanes.begin(), m_historyLanes.end(),
                                       [&](const HistoryLane& shown) { return shown.subject == subject; });
        if (there) continue;
        added = addLane(m_makePainter(subject), m_selection, 4);
        added->setClosable();
        added->setObjectName(QStringLiteral("history"));
        addOptions(*added);
        connect(added, &Lane::closeRequested, this,
                [this, added] { m_histories.remove(HistorySubject(*added->painter().subject())); });
        added->show();
        m_historyLanes.push_back({subject, added});
    }
    widenLegends();
    shareSpace();
    refresh();
    if (added) m_added = added;
    if (isVisible()) revealAdded();
}

/// Once it has its place.
void LaneStack::revealAdded() {
    if (Lane* added = m_added)
        QTimer::singleShot(0, added, [this, added] { scroll()->ensureWidgetVisible(added, 0, 0); });
    m_added = nullptr;
}

void LaneStack::showEvent(QShowEvent* event) {
    LaneColumn::showEvent(event);
    revealAdded();
}

void LaneStack::optionsChanged(Lane& lane) {
    const auto shown = std::ranges::find(m_historyLanes, &lane, &HistoryLane::lane);
    if (shown == m_historyLanes.end()) return;
    const HistorySubject before = std::exchange(shown->subject, *lane.painter().subject());
    m_histories.replace(before, shown->subject);
}

void LaneStack::onReplaced() {
    forgetEnd();
    m_axis.setCursor(std::nullopt);
    m_axis.setFitting(true);
    takeJobNames();
    refresh();
    foldLanesWithoutContent();
}

/// After refresh(): lanes that are folded are measured with the run that they have.
void LaneStack::foldLanesWithoutContent() {
    if (!m_runs.current()) return;
    const Workload& workload = m_runs.current()->workload();
    if (workload.jobs.empty()) return;
    m_folding = true;
    for (const auto& [folding, has] :
         {std::pair(lane(QLatin1String("stragglers")), logsTasks(workload, JobId())),
          std::pair(lane(QLatin1String("loss")), std::ranges::any_of(workload.jobs, mayHaveLosses))}) {
        if (!m_foldedByHand && folding->collapsed() == has) folding->setCollapsed(!has);
        folding->setAway(!has && folding->collapsed() && Theme::scale() > 1);
    }
    leaveOutFoldedLanes();
    m_folding = false;
}

/// The lines of folded lanes would take a third of a projector, where the open ones would be cut.
void LaneStack::leaveOutFoldedLanes() {
    constexpr int low = 10; // lines of text
    const bool isLow = Theme::scale() > 1 && heightSeen() < low * QFontMetrics(font()).height();
    for (const char* id : {"utilization", "queue"})
        lane(QLatin1String(id))->setAway(isLow && lane(QLatin1String(id))->collapsed());
}

void LaneStack::takeJobNames() {
    constexpr std::size_t most = 64;
    QString named;
    if (const ShownIndex* run = m_runs.current())
        for (std::size_t j = 0; j < std::min(most, run->workload().jobs.size()); ++j)
            named += QString::fromStdString(run->jobName(JobId(j))) + u'\n';
    if (std::exchange(m_jobsNamed, named) != named) forgetLegends();
}

void LaneStack::onChanged() {
    if (m_runs.current()) {
        const ShownIndex* ghost = m_runs.ghost(); // the axis spans both runs, so that a gain can be seen
        setEnd(m_runs.head(), ghost ? std::max(m_runs.head(), ghost->head()) : m_runs.head(), m_runs.isGoing());
    }
    refresh();
    foldLanesWithoutContent();
}

bool LaneStack::readsWholeRun() const { return trainyard::readsWholeRun(m_runs, m_axis); }

bool LaneStack::hasLosses() const {
    return m_runs.current() && std::ranges::any_of(m_runs.current()->workload().jobs, mayHaveLosses);
}

bool LaneStack::clearSelection() {
    if (!m_selection.job().valid() && m_selection.entities().isEmpty()) return false;
    m_selection.clear();
    return true;
}

LaneInput LaneStack::makeInput() const {
    const ShownIndex* current = m_runs.current();
    LaneInput input{.run = current,
                    .ghost = m_runs.ghost(),
                    .job = m_selection.job(),
                    .machines = m_selection.entities(),
                    .at = readoutTime(),
                    .end = shownEnd(),
                    .wholeRun = readsWholeRun()};
    if (current && input.job.valid() && input.job.index() >= current->jobs().size()) input.job = {};
    input.byJob = m_byJob && m_byJob->isChecked();
    const RunModel& runs = m_runs.runs();
    if (runs.ghost()) // by its name, unless it is simply the run before
        input.ghostName = runs.ghostChoice() == RunModel::Ghost::before ? tr("previous run") : runs.ghost()->label;
    return input;
}

void LaneStack::refresh() {
    const LaneInput input = makeInput();
    refreshAxis();
    for (Lane* lane : lanes()) lane->setInput(input);
    shareSpaceIfWanted();
    overview()->setRun(m_runs.current());
}

void LaneStack::changeEvent(QEvent* event) {
    LaneColumn::changeEvent(event);
    if (event->type() == QEvent::FontChange && m_byJob) foldLanesWithoutContent();
}

void LaneStack::heightChanged() {
    if (m_foldedByHand || !m_utilization) return;
    m_folding = true;
    const bool fold = heightSeen() < 20 * QFontMetrics(font()).height();
    if (fold != m_utilization->collapsed()) m_utilization->setCollapsed(fold);
    leaveOutFoldedLanes();
    m_folding = false;
}

void LaneStack::dragEnterEvent(QDragEnterEvent* event) {
    if (!Histories::fromMime(event->mimeData()).empty() && m_histories.whyNotAdd().isEmpty())
        event->acceptProposedAction();
}

void LaneStack::dropEvent(QDropEvent* event) {
    m_histories.add(Histories::fromMime(event->mimeData()));
    event->acceptProposedAction();
}

QByteArray LaneStack::saveLayout() const {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << lane_stack::layoutVersion << static_cast<qint32>(m_historyLanes.size());
    for (const HistoryLane& shown : m_historyLanes) stream << shown.subject.key;
    stream << m_byJob->isChecked();
    for (Lane* lane : usualViews()) stream << lane->painter().subject()->key;
    for (const Lane* lane : lanes()) stream << lane->collapsed();
    stream << m_foldedByHand << isSizedByHand() << splitter()->sizes();
    return bytes;
}

void LaneStack::restoreLayout(const QByteArray& layout) {
    QDataStream stream(layout);
    qint32 version = 0, added = 0;
    stream >> version >> added;
    if (version != lane_stack::layoutVersion || added < 0 || added > static_cast<qint32>(Histories::most)) return;
    std::vector<HistorySubject> subjects;
    for (qint32 i = 0; i < added; ++i) {
        QString key;
        stream >> key;
        subjects.push_back({key});
    }
    if (stream.status() != QDataStream::Ok) return;
    m_histories.set(subjects);
    bool byJob = false;
    stream >> byJob;
    m_byJob->setChecked(byJob);
    for (Lane* lane : usualViews()) {
        HistorySubject subject;
        stream >> subject.key;
        if (subject.view() == lane->painter().subject()->view() && viewOf(subject).problem.empty())
            lane->setSubject(subject);
    }
    std::vector<bool> folded;
    for (std::size_t i = 0; i < lanes().size(); ++i) {
        bool value = false;
        stream >> value;
        folded.push_back(value);
    }
    bool foldedByHand = false, byHand = false;
    QList<int> sizes;
    stream >> foldedByHand >> byHand >> sizes;
    if (stream.status() != QDataStream::Ok) return;
    for (std::size_t i = 0; i < lanes().size(); ++i) lanes()[i]->setCollapsed(folded[i]);
    m_foldedByHand = foldedByHand;
    if (byHand && sizes.size() == static_cast<qsizetype>(lanes().size())) splitter()->setSizes(sizes);
    setSizedByHand(byHand);
}

} // namespace trainyard
