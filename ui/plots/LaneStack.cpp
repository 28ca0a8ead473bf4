// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LaneStack.h"

#include "plots/GanttPainter.h"
#include "plots/Lane.h"
#include "plots/LaneSwitches.h"
#include "plots/LossPlot.h"
#include "plots/Overview.h"
#include "plots/QueuePainter.h"
#include "plots/StragglerPainter.h"
#include "plots/UtilizationPainter.h"
#include "session/InteractionMonitor.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/TimeAxis.h"

#include <QDataStream>
#include <QDropEvent>
#include <QIODevice>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace lane_stack {
constexpr qint32 layoutVersion = 3;
constexpr int shares[] = {5, 5, 6, 4, 3}; // of the height, by lane
} // namespace lane_stack

std::vector<std::unique_ptr<LanePainter>> makeLanePainters() {
    std::vector<std::unique_ptr<LanePainter>> all;
    all.push_back(std::make_unique<GanttPainter>());
    all.push_back(std::make_unique<StragglerPainter>());
    all.push_back(std::make_unique<LossPlot>());
    all.push_back(std::make_unique<UtilizationPainter>());
    all.push_back(std::make_unique<QueuePainter>());
    return all;
}

LaneStack::LaneStack(RunModel& run, TimeAxis& axis, Selection& selection, Histories& histories, MakePainter makePainter,
                     QWidget* parent)
    : LaneColumn(axis, parent), m_run(run), m_selection(selection), m_histories(histories),
      m_makePainter(std::move(makePainter)) {
    setAcceptDrops(true);
    for (auto& painter : makeLanePainters()) addLane(std::move(painter), selection, lane_stack::shares[lanes().size()]);
    m_utilization = lanes()[3];
    lanes().back()->setCollapsed(true); // the queue's line says all while few jobs wait
    m_foldedByHand = false;
    m_switches = addSwitches(*lanes()[0], *lanes()[2], &run);

    connect(&run, &RunModel::runStarted, this, &LaneStack::onRunStarted);
    connect(&run, &RunModel::frame, this, &LaneStack::onFrame);
    connect(&run, &RunModel::runEnded, this, &LaneStack::onFrame);
    connect(&run, &RunModel::ghostChanged, this, &LaneStack::onFrame);
    connect(&selection, &Selection::changed, this, &LaneStack::refresh);
    connect(&histories, &Histories::changed, this, &LaneStack::takeHistories);
    m_catchUp.setSingleShot(true);
    connect(&m_catchUp, &QTimer::timeout, this, &LaneStack::onFrame);
    takeHistories();
    onRunStarted();
    onFrame();
}

LaneStack::~LaneStack() = default;

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
        connect(added, &Lane::closeRequested, this, [this, subject] { m_histories.remove(subject); });
        added->show();
        m_historyLanes.push_back({subject, added});
    }
    widenLegends();
    shareSpace();
    onFrame();
    if (added) QTimer::singleShot(0, added, [this, added] { scroll()->ensureWidgetVisible(added, 0, 0); });
}

void LaneStack::takeRuns() { m_folds.show(m_run.current(), m_run.ghost(), m_histories.all()); }

void LaneStack::onRunStarted() {
    forgetEnd();
    m_axis.setCursor(std::nullopt);
    m_axis.setFitting(true);
    takeRuns();
    takeJobNames();
    refresh();
}

void LaneStack::takeJobNames() {
    constexpr std::size_t most = 64;
    QString named;
    if (const RunFold* run = m_folds.current())
        for (std::size_t j = 0; j < std::min(most, run->workload().jobs.size()); ++j)
            named += QString::fromStdString(run->jobName(JobId(j))) + u'\n';
    if (std::exchange(m_jobsNamed, named) != named) forgetLegends();
}

void LaneStack::onFrame() {
    constexpr int mostLeftOut = 2, atLatest = 100; // milliseconds
    if (m_interaction && m_interaction->isBusy() && m_leftOut < mostLeftOut) {
        ++m_leftOut;
        m_catchUp.start(atLatest);
        return;
    }
    m_leftOut = 0;
    takeRuns();
    m_folds.catchUp();
    if (m_folds.behind()) m_catchUp.start(0);
    const RunFold* current = m_folds.current();
    if (current) {
        const auto frame = m_run.latestFrame();
        const SimTime end = std::max(current->head(), frame && !current->behind() ? frame->now : SimTime{});
        const RunFold* ghost = m_folds.ghost(); // the axis spans both runs, so that a gain can be seen
        setEnd(end, ghost ? std::max(end, ghost->head()) : end, m_run.current().running || current->behind());
    }
    m_switches->follow(current, m_folds.ghost(), m_run.current().running || m_folds.behind());
    refresh();
}

bool LaneStack::readsWholeRun() const {
    return m_folds.current() && !m_run.current().running && !m_folds.behind() && !m_axis.hover() && !m_axis.cursor() &&
           shownEnd() > SimTime::zero();
}

bool LaneStack::clearSelection() {
    if (!m_selection.job().valid() && m_selection.entities().isEmpty()) return false;
    m_selection.clear();
    return true;
}

LaneInput LaneStack::makeInput() const {
    const RunFold* current = m_folds.current();
    LaneInput input{.run = current,
                    .ghost = m_folds.ghost(),
                    .job = m_selection.job(),
                    .machines = m_selection.entities(),
                    .at = readoutTime(),
                    .end = shownEnd(),
                    .wholeRun = readsWholeRun()};
    if (current && input.job.valid() && input.job.index() >= current->jobs().size()) input.job = {};
    if (m_switches) m_switches->applyTo(input);
    if (m_run.ghost()) // by its name, unless it is simply the run before
        input.ghostName = m_run.ghostChoice() == RunModel::Ghost::before ? tr("previous run") : m_run.ghost()->label;
    return input;
}

void LaneStack::refresh() {
    const LaneInput input = makeInput();
    refreshAxis();
    for (Lane* lane : lanes()) {
        LaneInput own = input;
        for (const HistoryLane& shown : m_historyLanes)
            if (shown.lane == lane) own.history = m_folds.history(shown.subject);
        lane->setInput(own);
    }
    shareSpaceIfWanted();
    overview()->setRun(m_folds.current());
    Q_EMIT refreshed();
}

void LaneStack::heightChanged() {
    if (m_foldedByHand || !m_utilization) return;
    m_folding = true;
    const bool fold = splitter()->height() < 20 * QFontMetrics(font()).height();
    if (fold != m_utilization->collapsed()) m_utilization->setCollapsed(fold);
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
    for (const HistoryLane& shown : m_historyLanes)
        stream << static_cast<qint32>(shown.subject.kind) << shown.subject.key;
    m_switches->save(stream);
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
        qint32 kind = 0;
        QString key;
        stream >> kind >> key;
        subjects.push_back(
            {static_cast<HistorySubject::Kind>(std::clamp(kind, 0, static_cast<qint32>(HistorySubject::lastKind))),
             key});
    }
    if (stream.status() != QDataStream::Ok) return;
    m_histories.set(subjects);
    m_switches->restore(stream);
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
