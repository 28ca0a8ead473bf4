#include "plots/LaneStack.h"

#include "plots/GanttPainter.h"
#include "plots/Lane.h"
#include "plots/LaneSwitches.h"
#include "plots/LossPlot.h"
#include "plots/MetricPainter.h"
#include "plots/Overview.h"
#include "plots/QueuePainter.h"
#include "plots/StragglerPainter.h"
#include "plots/TimeRuler.h"
#include "plots/UtilizationPainter.h"
#include "session/InteractionMonitor.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/TimeAxis.h"
#include "theme/Theme.h"

#include <QDataStream>
#include <QDropEvent>
#include <QIODevice>
#include <QKeyEvent>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
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

LaneStack::LaneStack(RunModel& run, TimeAxis& axis, Selection& selection, Histories& histories, QWidget* parent)
    : QWidget(parent), m_run(run), m_axis(axis), m_selection(selection), m_histories(histories),
      m_ruler(new TimeRuler(axis, this)), m_scroll(new QScrollArea(this)), m_splitter(new QSplitter(Qt::Vertical)),
      m_overview(new Overview(axis, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_ruler);
    layout->addWidget(m_scroll, 1);
    layout->addWidget(m_overview);
    m_scroll->setWidget(m_splitter);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->installEventFilter(this);
    m_splitter->installEventFilter(this);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(5);
    m_splitter->setStyleSheet(QStringLiteral("QSplitter::handle { image: none; background: palette(base); "
                                             "border-top: 1px solid palette(mid); }"
                                             "QSplitter::handle:hover { border-top: 2px solid palette(highlight); }"));
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_sizedByHand = true; });
    setFocusPolicy(Qt::StrongFocus);
    setAcceptDrops(true);
    setAccessibleName(tr("Timeline"));

    for (auto& painter : makeLanePainters()) addLane(std::move(painter), 0);
    for (std::size_t i = 0; i < m_lanes.size(); ++i) m_lanes[i]->setShare(lane_stack::shares[i]);
    m_utilization = m_lanes[3];
    m_lanes.back()->setCollapsed(true); // the queue's line says all while few jobs wait
    m_foldedByHand = false;
    m_switches = new LaneSwitches(*m_lanes[0], *m_lanes[2], run, this);
    connect(m_switches, &LaneSwitches::changed, this, &LaneStack::refresh);
    m_ruler->setFocusProxy(this);
    m_overview->setFocusProxy(this);

    connect(&run, &RunModel::runStarted, this, &LaneStack::onRunStarted);
    connect(&run, &RunModel::frame, this, &LaneStack::onFrame);
    connect(&run, &RunModel::runEnded, this, &LaneStack::onFrame);
    connect(&run, &RunModel::ghostChanged, this, &LaneStack::onFrame);
    connect(&axis, &TimeAxis::rangeChanged, this, &LaneStack::refresh);
    connect(&axis, &TimeAxis::cursorChanged, this, &LaneStack::refreshReadout);
    connect(&axis, &TimeAxis::hoverChanged, this, &LaneStack::refreshReadout);
    connect(&selection, &Selection::changed, this, &LaneStack::refresh);
    connect(&histories, &Histories::changed, this, &LaneStack::takeHistories);
    connect(m_ruler, &TimeRuler::followRequested, this, &LaneStack::followRun);
    m_catchUp.setSingleShot(true);
    connect(&m_catchUp, &QTimer::timeout, this, &LaneStack::onFrame);
    takeHistories();
    onRunStarted();
    onFrame();
}

LaneStack::~LaneStack() = default;

Lane* LaneStack::addLane(std::unique_ptr<LanePainter> painter, int share) {
    auto* lane = new Lane(std::move(painter), m_axis, m_selection, m_splitter);
    lane->setShare(share);
    m_splitter->addWidget(lane);
    lane->setFocusProxy(this);
    connect(lane, &Lane::legendWidened, this, &LaneStack::widenLegends, Qt::QueuedConnection); // it is being painted
    connect(lane, &Lane::collapsedChanged, this, [this] {
        m_foldedByHand |= !m_folding;
        shareSpace();
    });
    m_lanes.push_back(lane);
    return lane;
}

void LaneStack::takeHistories() {
    const auto& wanted = m_histories.all();
    std::erase_if(m_historyLanes, [&](const HistoryLane& shown) {
        if (m_histories.has(shown.subject)) return false;
        std::erase(m_lanes, shown.lane);
        shown.lane->hide();
        shown.lane->setParent(nullptr); // the splitter forgets it at once; it may be its own button that was pressed
        shown.lane->deleteLater();
        return true;
    });
    Lane* added = nullptr;
    for (const HistorySubject& subject : wanted) {
        const bool there = std::any_of(m_historyLanes.begin(), m_historyLanes.end(),
                                       [&](const HistoryLane& shown) { return shown.subject == subject; });
        if (there) continue;
        added = addLane(makeHistoryPainter(subject), 4);
        added->setClosable();
        added->setObjectName(QStringLiteral("history"));
        connect(added, &Lane::closeRequested, this, [this, subject] { m_histories.remove(subject); });
        added->show();
        m_historyLanes.push_back({subject, added});
    }
    widenLegends();
    shareSpace();
    onFrame();
    if (added) QTimer::singleShot(0, added, [this, added] { m_scroll->ensureWidgetVisible(added, 0, 0); });
}

void LaneStack::takeRuns() { m_folds.show(m_run.current(), m_run.ghost(), m_histories.all()); }

void LaneStack::onRunStarted() {
    m_end = {};
    m_axis.setCursor(std::nullopt);
    m_axis.setFitting(true);
    takeRuns();
    forgetLegends();
    refresh();
}

/// All lanes have one column for legends, as wide as the widest needs. It does not shrink while the jobs stay the same:
/// a run that starts anew must not move the axis.
void LaneStack::widenLegends() {
    double wanted = 0;
    for (const Lane* lane : m_lanes) wanted = std::max(wanted, lane->legendWanted());
    constexpr double step = 16; // pixels: not at every digit
    wanted = step * std::ceil(wanted / step);
    for (Lane* lane : m_lanes) lane->setLegendColumn(wanted);
    m_ruler->setLegendColumn(wanted);
    m_overview->setLegendColumn(wanted);
}

void LaneStack::forgetLegends() {
    constexpr std::size_t most = 64;
    QString named;
    if (const RunFold* run = m_folds.current())
        for (std::size_t j = 0; j < std::min(most, run->workload().jobs.size()); ++j)
            named += QString::fromStdString(run->jobName(JobId(j))) + u'\n';
    if (std::exchange(m_jobsNamed, named) == named) return;
    for (Lane* lane : m_lanes) lane->forgetLegendWanted();
    widenLegends();
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
        m_end = std::max(current->head(), frame && !current->behind() ? frame->now : SimTime{});
        fitAxis();
    }
    m_switches->follow(current, m_folds.ghost(), m_run.current().running || m_folds.behind());
    refresh();
}

void LaneStack::fitAxis() {
    const double before = m_whole;
    const RunFold* ghost = m_folds.ghost(); // the axis spans both runs, so that a gain can be seen
    const double ghostEnd = ghost ? ghost->head().toSeconds() : 0;
    const double reached = std::max(m_end.toSeconds(), ghostEnd);
    const double end = reached > 0 ? reached : 1; // of a run in which nothing has happened, a second
    if (!m_run.current().running && !m_folds.current()->behind()) {
        m_whole = end;
    } else if (end > m_whole || end < 0.5 * m_whole || m_whole <= 1e-6) {
        // The axis grows in steps, to a round time well ahead: curves grow into still space instead of being
        // squeezed.
        const TimeScale scale{.from = 0, .to = end * 1.3, .left = 0, .right = 1000};
        const double step = scale.tickStep(100);
        m_whole = std::ceil(end * 1.25 / step) * step;
    }
    m_axis.fitTo(m_whole);
    // Zoomed in and following: the view goes along when the run leaves it.
    const double from = m_axis.visibleFrom(), to = m_axis.visibleTo();
    if (!m_axis.fitting() && !m_axis.cursor() && m_run.current().running && end > to && to > 0.5 * before) {
        const double shift = end - to + 0.2 * (to - from);
        m_axis.setVisible(from + shift, to + shift);
    }
}

SimTime LaneStack::readoutTime() const { return m_axis.hover().value_or(m_axis.cursor().value_or(m_end)); }

bool LaneStack::readsWholeRun() const {
    return m_folds.current() && !m_run.current().running && !m_folds.behind() && !m_axis.hover() && !m_axis.cursor() &&
           m_end > SimTime::zero();
}

LaneInput LaneStack::makeInput() const {
    const RunFold* current = m_folds.current();
    LaneInput input{.run = current,
                    .ghost = m_folds.ghost(),
                    .job = m_selection.job(),
                    .machines = m_selection.entities(),
                    .at = readoutTime(),
                    .end = m_end,
                    .wholeRun = readsWholeRun()};
    if (current && input.job.valid() && input.job.index() >= current->jobs().size()) input.job = {};
    if (m_switches) m_switches->applyTo(input);
    if (m_run.ghost()) // by its name, unless it is simply the run before
        input.ghostName = m_run.ghostChoice() == RunModel::Ghost::before ? tr("previous run") : m_run.ghost()->label;
    return input;
}

void LaneStack::refresh() {
    const LaneInput input = makeInput();
    for (Lane* lane : m_lanes) {
        lane->setExtent(m_end, m_whole);
        LaneInput own = input;
        for (const HistoryLane& shown : m_historyLanes)
            if (shown.lane == lane) own.history = m_folds.history(shown.subject);
        lane->setInput(own);
    }
    if (!m_sizedByHand && rowsWanted() != m_rowsWanted) shareSpace();
    m_ruler->setExtent(m_end, m_whole);
    m_ruler->setReadsWholeRun(readsWholeRun());
    m_overview->setExtent(m_end, m_whole);
    m_overview->setRun(m_folds.current());
    Q_EMIT refreshed();
}

void LaneStack::refreshReadout() {
    const SimTime at = readoutTime();
    for (Lane* lane : m_lanes) lane->setReadout(at, readsWholeRun());
    m_ruler->setReadsWholeRun(readsWholeRun());
    m_overview->update();
    Q_EMIT refreshed();
}

/// Each open lane its share; a folded one gives its room to the others. Where rows would lose their labels,
/// curves give up some of theirs.
void LaneStack::shareSpace() {
    QList<int> sizes;
    int shares = 0, room = m_splitter->height() - (m_splitter->count() - 1) * m_splitter->handleWidth();
    for (const Lane* lane : m_lanes)
        if (lane->collapsed())
            room -= lane->collapsedHeight();
        else
            shares += lane->share();
    int wanted = 0, spare = 0;
    const auto fair = [&](const Lane* lane) { return std::max(1, room * lane->share() / std::max(shares, 1)); };
    const auto more = [&](const Lane* lane) { return std::clamp(lane->wantedHeight() - fair(lane), 0, fair(lane)); };
    const auto less = [&](const Lane* lane) {
        return std::clamp(fair(lane) - std::max(lane->minimumSizeHint().height(), lane->wantedHeight()), 0,
                          fair(lane) / 2);
    };
    for (const Lane* lane : m_lanes)
        if (!lane->collapsed()) wanted += more(lane), spare += less(lane);
    const int moved = std::min(wanted, spare);
    for (const Lane* lane : m_lanes)
        sizes << (lane->collapsed() ? lane->collapsedHeight()
                                    : fair(lane) + (wanted > 0 ? moved * more(lane) / wanted : 0) -
                                          (spare > 0 ? moved * less(lane) / spare : 0));
    m_splitter->setSizes(sizes);
    m_sizedByHand = false;
    m_rowsWanted = rowsWanted();
}

/// On a small screen the rows of Gantt and strip need what the curves of utilization would have; its line still says the
/// values.
void LaneStack::foldForSpace() {
    if (m_foldedByHand || !m_utilization) return;
    m_folding = true;
    const bool fold = m_splitter->height() < 20 * QFontMetrics(font()).height();
    if (fold != m_utilization->collapsed()) m_utilization->setCollapsed(fold);
    m_folding = false;
}

/// On a projector three lanes in large type take all there is: the axis shows the whole run anyway.
void LaneStack::fitOverview() {
    constexpr int roomy = 24; // lines
    m_overview->setVisible(Theme::scale() <= 1 || height() > roomy * QFontMetrics(font()).height());
}

/// What the sharing of space depends on beside the lanes themselves.
QList<int> LaneStack::rowsWanted() const {
    QList<int> heights;
    for (const Lane* lane : m_lanes) heights << lane->wantedHeight();
    return heights;
}

bool LaneStack::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Resize) return QWidget::eventFilter(watched, event);
    fitOverview();
    if (watched == m_scroll->viewport()) {
        // A scroll bar beside the lanes narrows them: ruler and overview stay as wide as they are.
        const int width = m_scroll->viewport()->width();
        m_ruler->setMaximumWidth(width);
        m_overview->setMaximumWidth(width);
    } else if (!m_sizedByHand) {
        foldForSpace();
        shareSpace();
    }
    return QWidget::eventFilter(watched, event);
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
    for (const Lane* lane : m_lanes) stream << lane->collapsed();
    stream << m_foldedByHand << m_sizedByHand << m_splitter->sizes();
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
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        bool value = false;
        stream >> value;
        folded.push_back(value);
    }
    bool foldedByHand = false, byHand = false;
    QList<int> sizes;
    stream >> foldedByHand >> byHand >> sizes;
    if (stream.status() != QDataStream::Ok) return;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) m_lanes[i]->setCollapsed(folded[i]);
    m_foldedByHand = foldedByHand;
    if (byHand && sizes.size() == static_cast<qsizetype>(m_lanes.size())) m_splitter->setSizes(sizes);
    m_sizedByHand = byHand;
}

void LaneStack::zoomIn() { m_ruler->zoomAt(m_ruler->plotRect().center().x(), 0.5); }
void LaneStack::zoomOut() { m_ruler->zoomAt(m_ruler->plotRect().center().x(), 2); }

void LaneStack::showWholeRun() {
    m_axis.setFitting(true);
    m_axis.fitTo(m_whole);
}

void LaneStack::followRun() {
    m_axis.setCursor(std::nullopt);
    if (m_end.toSeconds() > m_axis.visibleTo()) showWholeRun();
}

void LaneStack::keyPressEvent(QKeyEvent* event) {
    const double pixel = 1 / m_ruler->timeScale().pixelsPerSecond();
    const double step = pixel * (event->modifiers() & Qt::ShiftModifier ? 50 : 5);
    const auto move = [&](double seconds) {
        const double at = m_axis.cursor().value_or(m_end).toSeconds() + seconds;
        m_axis.setCursor(std::clamp(SimTime::seconds(at), SimTime::zero(), m_end));
    };
    switch (event->key()) {
    case Qt::Key_Left: move(-step); break;
    case Qt::Key_Right: move(step); break;
    case Qt::Key_Home: m_axis.setCursor(SimTime::zero()); break;
    case Qt::Key_End: followRun(); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); break;
    case Qt::Key_Minus: zoomOut(); break;
    case Qt::Key_0: showWholeRun(); break;
    case Qt::Key_Escape:
        if (m_selection.job().valid() || !m_selection.entities().isEmpty())
            m_selection.clear();
        else
            followRun();
        break;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
