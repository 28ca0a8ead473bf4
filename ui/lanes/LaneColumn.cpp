// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/LaneColumn.h"

#include "lanes/Lane.h"
#include "lanes/LaneOptions.h"
#include "lanes/Overview.h"
#include "lanes/TimeRuler.h"
#include "session/TimeAxis.h"
#include "session/ViewSubject.h"
#include "theme/Theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

LaneColumn::LaneColumn(TimeAxis& axis, QWidget* parent)
    : QWidget(parent), m_axis(axis), m_ruler(new TimeRuler(axis, this)), m_scroll(new QScrollArea(this)),
      m_splitter(new QSplitter(Qt::Vertical)), m_overview(new Overview(axis, this)) {
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
    setAccessibleName(tr("Timeline"));
    m_ruler->setFocusProxy(this);
    m_overview->setFocusProxy(this);
    connect(&axis, &TimeAxis::rangeChanged, this, [this] { refresh(); });
    connect(&axis, &TimeAxis::cursorChanged, this, &LaneColumn::refreshReadout);
    connect(&axis, &TimeAxis::hoverChanged, this, &LaneColumn::refreshReadout);
    connect(m_ruler, &TimeRuler::followRequested, this, &LaneColumn::followRun);
}

Lane* LaneColumn::addLane(std::unique_ptr<LanePainter> painter, Selection& selection, int share) {
    auto* lane = new Lane(std::move(painter), m_axis, selection, m_splitter);
    lane->setShare(share);
    m_splitter->addWidget(lane);
    lane->setFocusProxy(this);
    connect(lane, &Lane::legendWidened, this, &LaneColumn::widenLegends, Qt::QueuedConnection); // it is being painted
    connect(lane, &Lane::collapsedChanged, this, [this] {
        laneFolded();
        shareSpace();
    });
    m_lanes.push_back(lane);
    return lane;
}

QAction* LaneColumn::addByJob(Lane& gantt) {
    QAction* byJob = gantt.addSwitch(tr("by job"), tr("A Row per &Job"),
                                     tr("A row per job instead of a row per machine: when it waits in the queue, with "
                                        "how many workers it runs, how it ends"));
    connect(byJob, &QAction::toggled, this, [this] { refresh(); });
    return byJob;
}

void LaneColumn::addOptions(Lane& lane) {
    const HistorySubject* subject = lane.painter().subject();
    const View* view = subject ? viewOf(*subject).view : nullptr;
    if (!view || view->options.fields().empty()) return;
    auto* options = new LaneOptions(lane);
    connect(options, &LaneOptions::changed, this, [this, &lane] {
        optionsChanged(lane);
        refresh();
    });
}

void LaneColumn::removeLane(Lane* lane) {
    std::erase(m_lanes, lane);
    lane->hide();
    lane->setParent(nullptr); // the splitter forgets it at once
    lane->deleteLater();
}

/// All lanes have one column for legends, as wide as the widest needs. It does not shrink while the jobs stay the same:
/// a run that starts anew must not move the axis.
void LaneColumn::widenLegends() {
    double wanted = 0;
    for (const Lane* lane : m_lanes) wanted = std::max(wanted, lane->legendWanted());
    constexpr double step = 16; // pixels: not at every digit
    wanted = step * std::ceil(wanted / step);
    for (Lane* lane : m_lanes) lane->setLegendColumn(wanted);
    m_ruler->setLegendColumn(wanted);
    m_overview->setLegendColumn(wanted);
}

void LaneColumn::forgetLegends() {
    for (Lane* lane : m_lanes) lane->forgetLegendWanted();
    widenLegends();
}

void LaneColumn::setEnd(SimTime shown, SimTime reached, bool growing) {
    m_end = shown;
    const double before = m_whole;
    const double end =
        reached > SimTime::zero() ? reached.toSeconds() : 1; // of a run in which nothing has happened, a second
    if (!growing) {
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
    if (!m_axis.fitting() && !m_axis.cursor() && growing && end > to && to > 0.5 * before) {
        const double shift = end - to + 0.2 * (to - from);
        m_axis.setVisible(from + shift, to + shift);
    }
}

SimTime LaneColumn::readoutTime() const { return m_axis.readout(m_end); }

void LaneColumn::refreshAxis() {
    m_ruler->setExtent(m_end, m_whole);
    m_ruler->setReadsWholeRun(readsWholeRun(), hasLosses());
    m_overview->setExtent(m_end, m_whole);
    for (Lane* lane : m_lanes) lane->setExtent(m_end, m_whole);
}

void LaneColumn::refreshReadout() {
    const SimTime at = readoutTime();
    for (Lane* lane : m_lanes) lane->setReadout(at, readsWholeRun());
    m_ruler->setReadsWholeRun(readsWholeRun(), hasLosses());
    m_overview->update();
}

/// Where little is missing for all, open lanes are a little lower, instead of the last one being half in sight.
void LaneColumn::squeezeLanes() {
    // Of their least height: a line and a half is left, or else what they have on a projector.
    const double most = Theme::scale() > 1 ? 0.36 : 0.26;
    double open = 0, wanted = 0;
    for (int i = 0; i < m_splitter->count(); ++i) {
        const auto* lane = static_cast<const Lane*>(m_splitter->widget(i));
        if (lane->isHidden()) continue;
        if (wanted > 0) wanted += m_splitter->handle(i)->sizeHint().height(); // the line above it
        wanted += lane->minimumSizeHint().height();
        if (!lane->collapsed()) open += lane->minimumSizeHint().height();
    }
    const double missing = wanted - m_scroll->viewport()->height();
    const double share = missing > 0 && missing <= most * open ? 1 - missing / open : 0;
    for (Lane* lane : m_lanes)
        if (!lane->collapsed()) lane->setMinimumHeight(static_cast<int>(share * lane->minimumSizeHint().height()));
}

void LaneColumn::shareSpace() {
    squeezeLanes();
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

void LaneColumn::shareSpaceIfWanted() {
    if (rowsWanted() == m_rowsWanted) return;
    for (Lane* lane : m_lanes) lane->updateGeometry(); // how high they are at least
    if (m_sizedByHand)
        m_rowsWanted = rowsWanted();
    else
        shareSpace();
}

/// On a projector three lanes in large type take all there is: the axis shows the whole run anyway.
void LaneColumn::fitOverview() {
    constexpr int roomy = 24; // lines
    m_overview->setVisible(Theme::scale() <= 1 || height() > roomy * QFontMetrics(font()).height());
}

int LaneColumn::heightSeen() const { return m_scroll->viewport()->height(); }

/// What the sharing of space depends on beside the lanes themselves.
QList<int> LaneColumn::rowsWanted() const {
    QList<int> heights;
    for (const Lane* lane : m_lanes) heights << lane->wantedHeight();
    return heights;
}

bool LaneColumn::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::Resize) return QWidget::eventFilter(watched, event);
    fitOverview();
    if (watched == m_scroll->viewport()) {
        squeezeLanes();
        // A scroll bar beside the lanes narrows them: ruler and overview stay as wide as they are.
        const int width = m_scroll->viewport()->width();
        m_ruler->setMaximumWidth(width);
        m_overview->setMaximumWidth(width);
    } else if (!m_sizedByHand) {
        heightChanged();
        shareSpace();
    }
    return QWidget::eventFilter(watched, event);
}

void LaneColumn::zoomIn() { m_ruler->zoomAt(m_ruler->plotRect().center().x(), 0.5); }
void LaneColumn::zoomOut() { m_ruler->zoomAt(m_ruler->plotRect().center().x(), 2); }

void LaneColumn::showWholeRun() {
    m_axis.setFitting(true);
    m_axis.fitTo(m_whole);
}

void LaneColumn::followRun() {
    m_axis.setCursor(std::nullopt);
    if (m_end.toSeconds() > m_axis.visibleTo()) showWholeRun();
}

void LaneColumn::keyPressEvent(QKeyEvent* event) {
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
        if (!clearSelection()) followRun();
        break;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
