#include "plots/LaneStack.h"

#include "plots/GanttPainter.h"
#include "plots/Lane.h"
#include "plots/LossPlot.h"
#include "plots/Overview.h"
#include "plots/RunFold.h"
#include "plots/StragglerPainter.h"
#include "plots/TimeRuler.h"
#include "plots/UtilizationPainter.h"
#include "session/RunModel.h"
#include "session/Selection.h"
#include "session/TimeAxis.h"

#include <QDataStream>
#include <QIODevice>
#include <QKeyEvent>
#include <QSplitter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace lane_stack {
/// Events folded at most per frame: about 10 ms of work, so that a long record does not freeze the window.
constexpr std::size_t eventsPerFrame = 600'000;
constexpr qint32 layoutVersion = 1;
} // namespace lane_stack

LaneStack::LaneStack(RunModel& run, TimeAxis& axis, Selection& selection, QWidget* parent)
    : QWidget(parent), m_run(run), m_axis(axis), m_selection(selection), m_ruler(new TimeRuler(axis, this)),
      m_splitter(new QSplitter(Qt::Vertical, this)), m_overview(new Overview(axis, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_ruler);
    layout->addWidget(m_splitter, 1);
    layout->addWidget(m_overview);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(5);
    m_splitter->setStyleSheet(
        QStringLiteral("QSplitter::handle { image: none; background: palette(base); "
                       "border-top: 1px solid palette(mid); }"
                       "QSplitter::handle:hover { border-top: 2px solid palette(highlight); }"));
    setFocusPolicy(Qt::StrongFocus);

    const auto add = [&](std::unique_ptr<LanePainter> painter, int stretch) {
        auto* lane = new Lane(std::move(painter), axis, selection, m_splitter);
        m_splitter->addWidget(lane);
        m_splitter->setStretchFactor(m_splitter->count() - 1, stretch);
        lane->setFocusProxy(this);
        connect(lane, &Lane::collapsedChanged, this, &LaneStack::shareSpace);
        m_lanes.push_back(lane);
        return lane;
    };
    add(std::make_unique<GanttPainter>(), 4);
    add(std::make_unique<StragglerPainter>(), 4);
    Lane* loss = add(std::make_unique<LossPlot>(), 5);
    add(std::make_unique<UtilizationPainter>(), 3);
    m_logarithmic = loss->addSwitch(tr("log"), tr("Logarithmic loss axis"));
    m_byUpdate = loss->addSwitch(tr("updates"), tr("Loss against parameter updates instead of time"));
    connect(m_logarithmic, &QToolButton::toggled, this, &LaneStack::refresh);
    connect(m_byUpdate, &QToolButton::toggled, this, &LaneStack::refresh);
    m_ruler->setFocusProxy(this);
    m_overview->setFocusProxy(this);

    connect(&run, &RunModel::runStarted, this, &LaneStack::onRunStarted);
    connect(&run, &RunModel::frame, this, &LaneStack::onFrame);
    connect(&run, &RunModel::runEnded, this, &LaneStack::onFrame);
    connect(&axis, &TimeAxis::rangeChanged, this, &LaneStack::refresh);
    connect(&axis, &TimeAxis::cursorChanged, this, &LaneStack::refreshReadout);
    connect(&axis, &TimeAxis::hoverChanged, this, &LaneStack::refreshReadout);
    connect(&selection, &Selection::changed, this, &LaneStack::refresh);
    connect(m_ruler, &TimeRuler::followRequested, this, &LaneStack::followRun);
    m_catchUp.setSingleShot(true);
    connect(&m_catchUp, &QTimer::timeout, this, &LaneStack::onFrame);
    onRunStarted();
    onFrame();
}

LaneStack::~LaneStack() = default;

void LaneStack::forgetRuns() {
    std::erase_if(m_folds, [this](const auto& entry) {
        if (entry.first == m_run.current().id) return false;
        return m_run.earlier().empty() || entry.first != m_run.earlier().back().id;
    });
}

void LaneStack::onRunStarted() {
    m_current = m_ghost = nullptr;
    m_end = {};
    m_axis.setCursor(std::nullopt);
    m_axis.setFitting(true);
    forgetRuns();
    refresh();
}

RunFold* LaneStack::foldOf(const RunData& run) {
    if (!run.log || !run.workload) return nullptr;
    auto& fold = m_folds[run.id];
    if (!fold) fold = std::make_unique<RunFold>(run);
    return fold.get();
}

void LaneStack::onFrame() {
    m_current = foldOf(m_run.current());
    m_ghost = m_run.earlier().empty() ? nullptr : foldOf(m_run.earlier().back());
    if (m_ghost) m_ghost->update(lane_stack::eventsPerFrame);
    if (!m_current) {
        refresh();
        return;
    }
    m_current->update(lane_stack::eventsPerFrame);
    const auto frame = m_run.latestFrame();
    m_end = std::max(m_current->head(), frame && !m_current->behind() ? frame->now : SimTime{});
    if (m_current->behind() || (m_ghost && m_ghost->behind())) m_catchUp.start(0);
    fitAxis();
    refresh();
}

void LaneStack::fitAxis() {
    const double before = m_whole;
    const double end = std::max(m_end.toSeconds(), 1e-6);
    if (!m_run.current().running && !m_current->behind()) {
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

SimTime LaneStack::readoutTime() const {
    return m_axis.hover().value_or(m_axis.cursor().value_or(m_end));
}

LaneInput LaneStack::makeInput() const {
    LaneInput input{.run = m_current,
                    .ghost = m_ghost,
                    .job = m_selection.job(),
                    .machines = m_selection.entities(),
                    .at = readoutTime(),
                    .end = m_end};
    if (m_current && input.job.valid() && input.job.index() >= m_current->jobs().size()) input.job = {};
    input.logarithmic = m_logarithmic && m_logarithmic->isChecked();
    input.byUpdate = m_byUpdate && m_byUpdate->isChecked();
    return input;
}

void LaneStack::refresh() {
    const LaneInput input = makeInput();
    for (Lane* lane : m_lanes) {
        lane->setExtent(m_end, m_whole);
        lane->setInput(input);
    }
    m_ruler->setExtent(m_end, m_whole);
    m_ruler->update();
    m_overview->setExtent(m_end, m_whole);
    m_overview->setRun(m_current);
}

void LaneStack::refreshReadout() {
    const SimTime at = readoutTime();
    for (Lane* lane : m_lanes) lane->setReadout(at);
    m_ruler->update();
    m_overview->update();
}

void LaneStack::shareSpace() {
    // A folded lane gives its room to the others; an unfolded one gets a fair share back.
    QList<int> sizes = m_splitter->sizes();
    int open = 0, room = 0;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        room += sizes[static_cast<int>(i)];
        if (m_lanes[i]->collapsed())
            room -= m_lanes[i]->collapsedHeight();
        else
            ++open;
    }
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        sizes[static_cast<int>(i)] =
            m_lanes[i]->collapsed() ? m_lanes[i]->collapsedHeight() : std::max(1, room / std::max(open, 1));
    m_splitter->setSizes(sizes);
}

QByteArray LaneStack::saveLayout() const {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream << lane_stack::layoutVersion << m_splitter->sizes() << m_logarithmic->isChecked()
           << m_byUpdate->isChecked();
    for (const Lane* lane : m_lanes) stream << lane->collapsed();
    return bytes;
}

void LaneStack::restoreLayout(const QByteArray& layout) {
    QDataStream stream(layout);
    qint32 version = 0;
    QList<int> sizes;
    bool logarithmic = false, byUpdate = false;
    stream >> version >> sizes >> logarithmic >> byUpdate;
    if (version != lane_stack::layoutVersion || sizes.size() != static_cast<int>(m_lanes.size())) return;
    std::vector<bool> folded;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) {
        bool value = false;
        stream >> value;
        folded.push_back(value);
    }
    if (stream.status() != QDataStream::Ok) return;
    for (std::size_t i = 0; i < m_lanes.size(); ++i) m_lanes[i]->setCollapsed(folded[i]);
    m_splitter->setSizes(sizes);
    m_logarithmic->setChecked(logarithmic);
    m_byUpdate->setChecked(byUpdate);
}

void LaneStack::zoomIn() {
    m_ruler->zoomAt(m_ruler->plotRect().center().x(), 0.5);
}
void LaneStack::zoomOut() {
    m_ruler->zoomAt(m_ruler->plotRect().center().x(), 2);
}

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
    case Qt::Key_Left:
        move(-step);
        break;
    case Qt::Key_Right:
        move(step);
        break;
    case Qt::Key_Home:
        m_axis.setCursor(SimTime::zero());
        break;
    case Qt::Key_End:
        followRun();
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        break;
    case Qt::Key_Minus:
        zoomOut();
        break;
    case Qt::Key_0:
        showWholeRun();
        break;
    case Qt::Key_Escape:
        if (m_selection.job().valid() || !m_selection.entities().isEmpty())
            m_selection.clear();
        else
            followRun();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
