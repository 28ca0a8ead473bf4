// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/Lane.h"

#include "drawing/Legend.h"
#include "lanes/LaneHeader.h"
#include "session/Selection.h"
#include "session/ShownIndex.h"
#include "session/TimeAxis.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

Lane::Lane(std::unique_ptr<LanePainter> painter, TimeAxis& axis, Selection& selection, QWidget* parent)
    : TimeWidget(axis, parent), m_painter(std::move(painter)), m_selection(selection), m_header(new LaneHeader(this)),
      m_scroll(new QScrollBar(Qt::Vertical, this)) {
    setAccessibleName(m_painter->title());
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(m_header, &QToolButton::clicked, this, [this] { setCollapsed(!m_collapsed); });
    m_later.setSingleShot(true);
    m_later.setInterval(16);
    connect(&m_later, &QTimer::timeout, this, [this] {
        m_grown = true;
        updateBesideTitle();
    });
    m_scroll->hide();
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) {
        m_input.scroll = value;
        m_stale = true;
        update();
    });
    setCollapsed(false);
}

Lane::~Lane() = default;

void Lane::setInput(const LaneInput& input) {
    const double scroll = m_input.scroll;
    const bool other = input.job != m_input.job || input.byJob != m_input.byJob || input.machines != m_input.machines;
    LaneInput before = std::exchange(m_input, input);
    m_input.scroll = scroll;
    before.at = input.at;
    before.wholeRun = input.wholeRun;
    before.end = input.end;
    updateScrollRange();
    if (other) revealRow();
    if (before == m_input && timeScale() == m_paintedScale && headerText() == m_headerText) {
        m_grown = true;
        updateBesideTitle();
    } else {
        m_stale = true;
        update();
    }
    Q_EMIT inputTaken();
}

void Lane::setSubject(const HistorySubject& subject) {
    m_painter->setSubject(subject);
    setAccessibleName(title());
    m_header->setAccessibleName(m_header->toolTip() + QStringLiteral(": ") + title());
    layoutChildren();
    m_stale = true;
    update();
    Q_EMIT inputTaken();
}

void Lane::setReadout(SimTime at, bool wholeRun) {
    m_input.at = at;
    m_input.wholeRun = wholeRun;
    updateBesideTitle();
}

/// What stands in the title's column is the same, and its buttons need not be painted again.
void Lane::updateBesideTitle() {
    const int left = m_collapsed ? 0 : static_cast<int>(titleColumn());
    update(left, 0, width() - left, height());
}

void Lane::setCollapsed(bool collapsed) {
    m_collapsed = collapsed;
    m_header->setToolTip(collapsed ? tr("Expand this lane") : tr("Collapse this lane"));
    m_header->setAccessibleName(m_header->toolTip() + QStringLiteral(": ") + title());
    setMinimumHeight(collapsed ? collapsedHeight() : 0);
    setMaximumHeight(collapsed ? collapsedHeight() : QWIDGETSIZE_MAX);
    layoutChildren();
    m_stale = true;
    updateGeometry();
    update();
    Q_EMIT collapsedChanged();
}

void Lane::setAway(bool away) {
    if (std::exchange(m_away, away) == away) return;
    setVisible(!away);
    setCollapsed(m_collapsed); // its height is another
}

int Lane::collapsedHeight() const { return m_away ? 0 : static_cast<int>(std::ceil(em())) + 8; }

QSize Lane::sizeHint() const { return {600, m_collapsed ? collapsedHeight() : 72}; }

/// On a projector the type is large and the lanes are few: three of them are to fit. Each plot has room for two labels.
QSize Lane::minimumSizeHint() const {
    constexpr double linesOfPlot = 2.6;
    const auto plots = static_cast<double>(m_painter->plots(m_input));
    const double lines = std::max(Theme::scale() > 1 ? 2.5 : 3.4, plots > 1 ? linesOfPlot * plots : 0);
    return {300, m_collapsed ? collapsedHeight() : static_cast<int>(em() * lines)};
}

void Lane::resizeEvent(QResizeEvent*) {
    layoutChildren();
    updateScrollRange();
    m_stale = true;
}

void Lane::styleChanged() {
    if (!m_header) return; // the base class's constructor may be told
    for (auto* button : m_switches) button->setFont(labelFont());
    if (m_collapsed) {
        setMinimumHeight(collapsedHeight());
        setMaximumHeight(collapsedHeight());
    }
    layoutChildren();
    m_stale = true;
}

LaneCanvas Lane::canvasFor(QPainter& painter, const Theme& theme) const {
    LaneCanvas canvas(painter, theme, labelFont());
    canvas.plot = plotRect().adjusted(0, 3, 0, -3);
    const double titles = titleColumn() + 4;
    canvas.gutter = QRectF(titles, 3, std::max(24.0, gutterRect().right() - titles), height() - 6);
    canvas.time = timeScale();
    canvas.leastRow = leastRow();
    // A larger font means that people sit further away.
    canvas.lineWidth = QFontInfo(QApplication::font()).pixelSize() >= 18 ? 2.25 : 1.5;
    return canvas;
}

double Lane::leastRow() const { return m_painter->leastRow(m_input, QFontMetricsF(labelFont()).height()); }

int Lane::wantedHeight() const {
    const double rows = m_painter->wantedHeight(m_input, QFontMetricsF(labelFont()).height());
    return rows > 0 ? static_cast<int>(rows) + 6 : 0;
}

/// The row of what was selected elsewhere.
void Lane::revealRow() {
    const auto row = m_painter->rowInView(m_input);
    if (!row || m_scroll->maximum() == 0) return;
    const double room = height() - 6;
    const double tall = std::max(leastRow(), room / static_cast<double>(m_painter->rows(m_input)));
    const double top = tall * static_cast<double>(*row);
    if (top < m_scroll->value() || top + tall > m_scroll->value() + room)
        m_scroll->setValue(static_cast<int>(top - room / 2));
}

void Lane::updateScrollRange() {
    const double room = height() - 6, rows = static_cast<double>(m_painter->rows(m_input));
    const bool scrolls = rows > 0 && !m_collapsed && m_painter->emptyText(m_input).isEmpty();
    const int most = !scrolls ? 0 : std::max(0, static_cast<int>(std::ceil(leastRow() * rows - room)));
    m_scroll->setRange(0, most);
    m_scroll->setPageStep(std::max(1, static_cast<int>(room)));
    m_scroll->setVisible(most > 0);
    m_input.scroll = m_scroll->value();
}

bool Lane::wheelOnRows(double pixels) {
    if (m_scroll->maximum() == 0) return false;
    m_scroll->setValue(m_scroll->value() - static_cast<int>(pixels));
    return true;
}

void Lane::renderContent(const Theme& theme) {
    const double ratio = devicePixelRatioF();
    const QSize pixels = size() * ratio;
    m_painted.reset();
    m_paintedScale = timeScale();
    if (m_content.size() != pixels) m_content = QPixmap(pixels);
    m_content.setDevicePixelRatio(ratio);
    m_content.fill(theme.surface);
    QPainter painter(&m_content);
    LaneCanvas canvas = canvasFor(painter, theme);
    canvas.gradual = true;
    if (m_collapsed) {
        m_headerText = headerText();
        m_items = 0;
        return;
    }
    const QString nothing = m_painter->emptyText(m_input);
    if (nothing.isEmpty())
        paintData(canvas, QRectF(canvas.gutter.left(), 1, canvas.plot.right() - canvas.gutter.left(), height() - 2));
    m_items = canvas.items;
    // A picture made beside the window's thread may have another axis.
    if (const QString header = headerText(); std::exchange(m_headerText, header) != header) {
        update();
        QMetaObject::invokeMethod(this, &Lane::inputTaken, Qt::QueuedConnection);
    }
    drawHeader(canvas);
    if (!nothing.isEmpty()) {
        painter.setFont(QApplication::font());
        painter.setPen(theme.muted);
        painter.drawText(canvas.plot.adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap, nothing);
    }
}

void Lane::paintData(LaneCanvas& canvas, const QRectF& within) {
    if (m_painter->horizontalTitle(m_input).isEmpty()) canvas.timeGrid(m_input.end);
    canvas.painter.save();
    canvas.painter.setClipRect(within, Qt::IntersectClip);
    m_painter->paint(canvas, m_input);
    canvas.painter.restore();
    if (m_painter->unfinished()) m_later.start();
    if (m_input.run)
        m_painted = PaintedRun{m_input.run->run().id, m_input.run->position(),
                               std::min(m_input.end, m_input.run->head()), m_painter->rows(m_input)};
}

/// Goes on with the picture where the run has; false if all of it must be painted.
bool Lane::renderGrowth(const Theme& theme) {
    const ShownIndex* run = m_input.run;
    const bool same = m_painted && run && run->run().id == m_painted->run && run->position() >= m_painted->position &&
                      m_paintedScale == timeScale();
    if (!same || m_collapsed || !m_painter->emptyText(m_input).isEmpty()) return false;
    QPainter painter(&m_content);
    LaneCanvas canvas = canvasFor(painter, theme);
    canvas.gradual = true;
    // Whole pixels of the screen, also where one and a quarter of them make one of ours.
    canvas.from = 8 * std::floor(m_painter->grownFrom(canvas, m_input, *m_painted) / 8);
    if (canvas.from <= canvas.plot.left()) return false;
    const QRectF part(canvas.from, 0, std::floor(canvas.plot.right()) - canvas.from, height());
    if (part.width() <= 0) {
        if (m_painter->unfinished()) m_later.start();
        return true;
    }
    painter.setClipRect(part);
    painter.fillRect(part, theme.surface);
    paintData(canvas, part.adjusted(0, 1, 0, -1));
    m_items = canvas.items;
    return true;
}

void Lane::drawCollapsed(LaneCanvas& canvas) const {
    double x = canvas.plot.left() + 8;
    const QFontMetricsF metrics(canvas.font);
    canvas.painter.setFont(canvas.font);
    if (const QString nothing = m_painter->emptyText(m_input); !nothing.isEmpty()) {
        canvas.painter.setPen(canvas.theme.muted);
        const QRectF line(x, 0, canvas.plot.right() - x, height());
        canvas.painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                                metrics.elidedText(nothing, Qt::ElideRight, line.width()));
        return;
    }
    LaneInput named = m_input;
    named.mostEntries = 32; // more than one line holds
    for (const LegendEntry& entry : m_painter->legend(canvas.theme, named)) {
        if (entry.ghost) continue; // the line has room for one run
        const QString text = entry.label + QStringLiteral("  ") + entry.value;
        const double width = metrics.horizontalAdvance(text) + 20;
        if (x + width > canvas.plot.right()) break;
        paintSwatch(canvas, QRectF(x, 0, width, height()), entry);
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.drawText(QRectF(x + 18, 0, width, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + 18;
    }
}

void Lane::drawOverlay(LaneCanvas& canvas) {
    const QMarginsF around(12, 2, 10, 2);
    const QRectF legend = legendRect().marginsRemoved(around);
    LaneInput named = m_input;
    named.mostEntries = mostLegendLines(canvas, legend);
    const auto entries = m_painter->legend(canvas.theme, named);
    LegendColumn column = paintLegendColumn(canvas, legend, entries);
    m_legendPlaces = std::move(column.places);
    if (const double wanted = std::ceil(column.wantedWidth + around.left() + around.right()); wanted > m_legendWanted) {
        m_legendWanted = wanted;
        Q_EMIT legendWidened();
    }
    if (!m_painter->emptyText(m_input).isEmpty()) return;
    drawTimeLines(canvas.painter, canvas.theme, plotRect(),
                  [&](SimTime at) { return m_painter->pixelAt(canvas, m_input, at); });
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    for (const auto& [point, colour] : m_painter->markers(canvas, m_input)) {
        canvas.painter.setPen(QPen(canvas.theme.surface, 1.5));
        canvas.painter.setBrush(colour);
        canvas.painter.drawEllipse(point, 3.5, 3.5);
    }
    canvas.painter.setRenderHint(QPainter::Antialiasing, false);
    if (!m_pointer || !canvas.plot.contains(*m_pointer)) return;
    if (const LaneHit hit = m_painter->hit(canvas, m_input, *m_pointer); !hit.text.isEmpty())
        paintHoverLabel(canvas, *m_pointer, hit.text,
                        QRectF(canvas.plot.left() + 2, 2, canvas.plot.width() - 4, height() - 4));
}

void Lane::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    if (m_stale || m_content.size() != size() * devicePixelRatioF() || (m_grown && !renderGrowth(theme)))
        renderContent(theme);
    m_stale = m_grown = false;
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_content);
    LaneCanvas canvas = canvasFor(painter, theme);
    if (m_collapsed)
        drawCollapsed(canvas);
    else
        drawOverlay(canvas);
}

double Lane::secondsAt(double x) const {
    QPainter painter; // geometry only: nothing is drawn
    return m_painter->secondsAt(canvasFor(painter, Theme::current()), m_input, x);
}

LaneHit Lane::hitAt(QPointF at) const {
    if (m_collapsed || !m_painter->emptyText(m_input).isEmpty()) return {};
    QPainter painter; // geometry only: nothing is drawn
    return m_painter->hit(canvasFor(painter, Theme::current()), m_input, at);
}

void Lane::pointed(std::optional<QPointF> at) {
    m_pointer = at;
    update();
}

void Lane::clicked(QPointF at) {
    for (const LegendPlace& place : m_legendPlaces)
        if (place.job.valid() && place.rect.contains(at)) {
            m_selection.selectJob(m_input.job == place.job ? JobId{} : place.job);
            return;
        }
    if (legendRect().contains(at)) return;
    const LaneHit hit = hitAt(at);
    if (plotRect().contains(at)) {
        if (hit.job.valid()) m_selection.selectJob(hit.job);
    } else if (!hit.machine.isEmpty()) {
        m_selection.selectEntities({hit.machine});
    }
}

} // namespace trainyard
