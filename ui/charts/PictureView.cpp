// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/PictureView.h"

#include "drawing/Legend.h"
#include "theme/CoreText.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace picture_view {

constexpr int tellAfter = 400; // milliseconds without change until the readings are told to screen readers
constexpr int goOnAfter = 30;  // milliseconds
constexpr double rowHeight = 32;

QFont labelFont() {
    QFont font = Theme::current().tabular();
    font.setPixelSize(std::max(9, static_cast<int>(std::lround(QFontInfo(QApplication::font()).pixelSize() * 0.88))));
    return font;
}

} // namespace picture_view

using namespace picture_view;

PictureView::PictureView(QWidget* parent) : QWidget(parent), m_picture(std::make_shared<Picture>()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_tellSoon.setSingleShot(true);
    m_tellSoon.setInterval(tellAfter);
    connect(&m_tellSoon, &QTimer::timeout, this, &PictureView::tell);
    m_goOn.setSingleShot(true);
    m_goOn.setInterval(goOnAfter);
    connect(&m_goOn, &QTimer::timeout, this, &PictureView::repaintAll);
}

PictureView::~PictureView() = default;

std::optional<std::pair<double, double>> PictureView::seenSeconds() const {
    return m_painter == &m_chart ? m_chart.seenSeconds() : std::nullopt;
}

void PictureView::setPicture(std::shared_ptr<const Picture> picture, bool goesOn) {
    m_picture = std::move(picture);
    // Painters share the value with us.
    if (const auto* chart = std::get_if<Chart>(m_picture.get())) {
        m_chart.show({m_picture, chart}, goesOn);
        m_painter = &m_chart;
    } else if (const auto* table = std::get_if<Table>(m_picture.get())) {
        m_table.show({m_picture, table});
        m_painter = &m_table;
    } else {
        m_diagram.show({m_picture, std::get_if<Diagram>(m_picture.get())});
        m_painter = &m_diagram;
    }
    m_tellSoon.start();
    repaintAll();
}

void PictureView::showAll() {
    m_chart.showAll();
    m_diagram.showAll();
    m_table.showAll();
    repaintAll();
    Q_EMIT seenChanged();
}

void PictureView::select(JobId job, std::vector<MachineId> machines) {
    if (m_look.job == job && m_look.machines == machines) return;
    m_look.job = job;
    m_look.machines = std::move(machines);
    repaintAll();
}

void PictureView::setCursorAt(std::optional<SimTime> at) {
    m_cursor = at;
    update();
}

void PictureView::repaintAll() {
    m_stale = true;
    update();
}

void PictureView::tell() { setAccessibleDescription(m_walked && m_hit ? m_hit->text : readingsOf(*m_picture)); }

QRectF PictureView::legendRect() const {
    const double em = QFontMetricsF(QApplication::font()).height();
    const bool none = width() < 36 * em || legendOf(*m_picture).empty();
    if (none) return QRectF(width(), 0, 0, height());
    // As wide as its words, in whole ems: it does not move with every digit.
    constexpr double most = 0.3, around = 24; // of the width; pixels
    const double wanted = wantedLegendWidth(labelFont(), legendEntries(Theme::current(), *m_picture)) + around;
    const double usual = (width() < 64 * em ? 11.0 : 14.0) * em;
    const double column = std::round(std::max(usual, std::min(em * std::ceil(wanted / em), most * width())));
    return QRectF(width() - column, 0, column, height());
}

void PictureView::renderContent(const Theme& theme) {
    const double ratio = devicePixelRatioF();
    if (m_content.size() != size() * ratio) m_content = QPixmap(size() * ratio);
    m_content.setDevicePixelRatio(ratio);
    m_content.fill(theme.surface);
    m_legend.clear();
    if (isEmpty()) {
        QPainter painter(&m_content);
        painter.setPen(theme.muted);
        painter.setFont(QApplication::font());
        painter.drawText(rect().adjusted(40, 8, -40, -8), Qt::AlignCenter | Qt::TextWordWrap,
                         coreText(emptyOf(*m_picture)));
        return;
    }
    const QRectF legend = legendRect();
    m_look.theme = theme;
    m_look.clock = true;
    m_look.gradual = true;
    m_look.font = labelFont();
    m_look.lineWidth = QFontInfo(QApplication::font()).pixelSize() >= 18 ? 2.25 : 1.5;
    m_look.mostRow = rowHeight * m_look.lineWidth / 1.5;
    m_painter->paint(m_content, QRectF(QPointF(4, 0), QPointF(legend.left() - 2, height() - 2)), m_look);
    if (m_painter->unfinished()) m_goOn.start();
    if (legend.width() <= 0) return;
    QPainter painter(&m_content);
    LaneCanvas canvas(painter, m_look.theme, m_look.font);
    canvas.lineWidth = m_look.lineWidth;
    m_legend = paintLegendColumn(canvas, legend.adjusted(12, 6, -10, -6), legendEntries(theme, *m_picture)).places;
}

void PictureView::paintOverlay(QPainter& painter, const Theme& theme) {
    LaneCanvas canvas(painter, theme, m_look.font);
    if (m_cursor) {
        painter.setPen(QPen(theme.accent, m_look.lineWidth));
        for (const QLineF& line : m_painter->cursorLines(*m_cursor)) painter.drawLine(line);
    }
    // The same place may hold another element by now.
    if (m_walked && m_hit)
        m_hit = m_painter->neighbour(&*m_hit, 0, 0);
    else
        m_hit = m_pointer ? m_painter->hitAt(*m_pointer) : std::nullopt;
    if (!m_hit || m_hit->text.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.surface, 1.5));
    painter.setBrush(theme.accent);
    painter.drawEllipse(m_hit->at, 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintHoverLabel(canvas, m_hit->at, m_hit->text, QRectF(rect()).adjusted(2, 2, -2, -2));
}

void PictureView::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    if (m_stale || m_content.size() != size() * devicePixelRatioF()) {
        QElapsedTimer clock;
        clock.start();
        renderContent(theme);
        m_paintTime = clock.elapsed();
        m_stale = false;
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_content);
    if (!isEmpty()) paintOverlay(painter, theme);
    if (!hasFocus()) return;
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

bool PictureView::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::ShortcutOverride: { // these keys are the picture's while it has the focus, not the window's
        auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
        for (const int own : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down, Qt::Key_Home, Qt::Key_End,
                              Qt::Key_Plus, Qt::Key_Minus, Qt::Key_0})
            if (plain && key->key() == own) {
                event->accept();
                return true;
            }
        break;
    }
    case QEvent::PaletteChange:
    case QEvent::FontChange:
    case QEvent::StyleChange:
    case QEvent::ApplicationFontChange:
    case QEvent::Resize: repaintAll(); break;
    default: break;
    }
    return QWidget::event(event);
}

/// What is under the pointer becomes the selection.
bool PictureView::choose(QPointF at) {
    ElementRef ref = m_painter->labelAt(at);
    for (std::size_t i = 0; i < m_legend.size() && ref == ElementRef{}; ++i)
        if (m_legend[i].rect.contains(at)) ref = legendOf(*m_picture)[i].ref;
    if (const auto hit = m_painter->hitAt(at); ref == ElementRef{} && hit) ref = hit->ref;
    if (ref == ElementRef{}) return false;
    Q_EMIT elementChosen(ref);
    return true;
}

void PictureView::mousePressEvent(QMouseEvent* event) {
    if (isEmpty()) return;
    if (event->button() == Qt::MiddleButton) {
        m_dragged = event->position();
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        if (const auto at = m_painter->instantAt(event->position())) {
            m_scrubbing = true;
            Q_EMIT instantChosen(*at);
        } else {
            choose(event->position());
        }
    }
}

void PictureView::mouseMoveEvent(QMouseEvent* event) {
    if (isEmpty()) return;
    if (m_dragged) {
        m_painter->pan(event->position() - *std::exchange(m_dragged, event->position()));
        repaintAll();
        Q_EMIT seenChanged();
        return;
    }
    if (m_scrubbing)
        if (const auto at = m_painter->instantAt(event->position())) Q_EMIT instantChosen(*at);
    m_walked = false;
    m_pointer = event->position();
    update();
}

void PictureView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::MiddleButton) unsetCursor();
    m_dragged.reset();
    m_scrubbing = false;
}

void PictureView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!choose(event->position())) showAll();
}

void PictureView::wheelEvent(QWheelEvent* event) {
    if (isEmpty()) return event->ignore();
    const QPoint angle = event->angleDelta();
    const bool sideways = std::abs(angle.x()) > std::abs(angle.y());
    if (sideways || event->modifiers() & Qt::ShiftModifier)
        m_painter->pan({(sideways ? angle.x() : angle.y()) * 0.8, 0});
    else
        m_painter->zoom(event->position(), std::pow(1.25, angle.y() / 120.0));
    event->accept();
    repaintAll();
    Q_EMIT seenChanged();
}

void PictureView::leaveEvent(QEvent*) {
    m_pointer.reset();
    m_walked = false;
    update();
}

void PictureView::walk(int along, int across) {
    m_hit = m_painter->neighbour(m_hit ? &*m_hit : nullptr, along, across);
    m_walked = true;
    m_tellSoon.start();
    update();
}

void PictureView::keyPressEvent(QKeyEvent* event) {
    const int stride = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    const bool steps = stopsOf(*m_picture).has_value();
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int by = event->key() == Qt::Key_Left ? -stride : stride;
        if (steps)
            Q_EMIT stepRequested(by);
        else
            walk(by, 0);
        break;
    }
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int by = event->key() == Qt::Key_Up ? -stride : stride;
        walk(steps ? by : 0, steps ? 0 : by);
        break;
    }
    case Qt::Key_Home:
    case Qt::Key_End: Q_EMIT endRequested(event->key() == Qt::Key_End); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_hit && m_hit->ref != ElementRef{}) Q_EMIT elementChosen(m_hit->ref);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
        m_painter->zoom(legendRect().topLeft() / 2 + QPointF(0, height() / 2.0),
                        event->key() == Qt::Key_Plus ? 1.25 : 0.8);
        repaintAll();
        Q_EMIT seenChanged();
        break;
    case Qt::Key_0: showAll(); break;
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
