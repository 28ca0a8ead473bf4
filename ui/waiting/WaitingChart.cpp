#include "waiting/WaitingChart.h"

#include "plots/Legend.h"
#include "session/TimeAxis.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace waiting_chart {
constexpr int tellAfter = 400; // milliseconds without change until the readings are told to screen readers
constexpr double widestLabels = 0.24; // of the width
} // namespace waiting_chart

WaitingChart::WaitingChart(TimeAxis& axis, QWidget* parent) : QWidget(parent), m_axis(axis) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_later.setSingleShot(true);
    m_later.setInterval(16);
    connect(&m_later, &QTimer::timeout, this, [this] {
        m_stale = true;
        update();
    });
    m_tell.setSingleShot(true);
    m_tell.setInterval(waiting_chart::tellAfter);
    connect(&m_tell, &QTimer::timeout, this, [this] { setAccessibleDescription(readings()); });
}

WaitingChart::~WaitingChart() = default;

void WaitingChart::setPainter(WaitingPainter* painter) {
    m_painter = painter;
    setAccessibleName(painter->title());
    m_stale = true;
    m_pointer.reset();
    m_tell.start();
    update();
}

void WaitingChart::setInput(const LaneInput& input) {
    m_input = input;
    m_stale = true;
    m_tell.start();
    update();
}

QString WaitingChart::readings() const {
    if (!m_painter) return {};
    if (const QString nothing = m_painter->emptyText(m_input); !nothing.isEmpty()) return nothing;
    QStringList parts;
    for (const LegendEntry& entry : m_painter->legend(Theme::current(), m_input))
        if (!entry.value.isEmpty()) parts << QStringLiteral("%1: %2").arg(entry.label, entry.value);
    return parts.join(QStringLiteral(", "));
}

QFont WaitingChart::labelFont() const {
    QFont font = Theme::current().tabular();
    font.setPixelSize(
        std::max(9, static_cast<int>(std::lround(QFontInfo(QApplication::font()).pixelSize() * 0.88))));
    return font;
}

double WaitingChart::lineHeight() const {
    return QFontMetricsF(labelFont()).height();
}

QRectF WaitingChart::legendRect() const {
    const double em = QFontMetricsF(QApplication::font()).height();
    const double column = width() < 36 * em ? 0 : std::round((width() < 64 * em ? 11.0 : 14.0) * em);
    return QRectF(width() - column, 0, column, height());
}

QRectF WaitingChart::plotRect() const {
    const double line = lineHeight();
    const double left = std::round(line + 10 + std::min(m_labels, waiting_chart::widestLabels * width()));
    const double bottom = height() - line - 6;
    return QRectF(left, 4, std::max(10.0, legendRect().left() - 8 - left), std::max(10.0, bottom - 4));
}

LaneCanvas WaitingChart::canvasFor(QPainter& painter, const Theme& theme) const {
    LaneCanvas canvas(painter, theme, labelFont());
    canvas.plot = plotRect();
    canvas.gutter = QRectF(lineHeight() + 6, canvas.plot.top(), canvas.plot.left() - lineHeight() - 6,
                           canvas.plot.height());
    canvas.leastRow = 1;
    canvas.lineWidth = QFontInfo(QApplication::font()).pixelSize() >= 18 ? 2.25 : 1.5;
    return canvas;
}

void WaitingChart::drawTitles(LaneCanvas& canvas) const {
    QPainter& p = canvas.painter;
    p.setFont(canvas.font);
    p.setPen(canvas.theme.text);
    const auto capital = [](QString text) {
        if (!text.isEmpty()) text[0] = text[0].toUpper();
        return text;
    };
    const double line = canvas.lineHeight();
    p.drawText(QRectF(canvas.plot.left(), height() - line - 3, canvas.plot.width(), line), Qt::AlignCenter,
               capital(m_painter->horizontalTitle(m_input)));
    p.save();
    p.translate(4, canvas.plot.center().y());
    p.rotate(-90);
    const double room = canvas.plot.height();
    p.drawText(
        QRectF(-room / 2, 0, room, line), Qt::AlignCenter,
        QFontMetricsF(canvas.font).elidedText(capital(m_painter->axisTitle(m_input)), Qt::ElideRight, room));
    p.restore();
}

void WaitingChart::renderContent(const Theme& theme) {
    const double ratio = devicePixelRatioF();
    if (m_content.size() != size() * ratio) m_content = QPixmap(size() * ratio);
    m_content.setDevicePixelRatio(ratio);
    m_content.fill(theme.surface);
    if (!m_painter) return;
    QPainter painter(&m_content);
    LaneCanvas canvas = canvasFor(painter, theme);
    canvas.gradual = true;
    if (const QString nothing = m_painter->emptyText(m_input); !nothing.isEmpty()) {
        painter.setFont(QApplication::font());
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(40, 8, -40, -8), Qt::AlignCenter | Qt::TextWordWrap, nothing);
        return;
    }
    drawTitles(canvas);
    painter.save();
    painter.setClipRect(
        QRectF(QPointF(canvas.gutter.left(), 0), QPointF(legendRect().left(), canvas.plot.bottom() + 1)));
    m_painter->paint(canvas, m_input);
    painter.restore();
    if (m_painter->unfinished()) m_later.start();
    // The column of names is as wide as they are, from the next picture on.
    const double wanted = std::ceil(std::max(canvas.widestLabel, 24.0)) + 12;
    if (std::abs(wanted - m_labels) > 1) {
        m_labels = wanted;
        m_later.start();
    }
}

void WaitingChart::drawOverlay(LaneCanvas& canvas) {
    if (!m_painter || !m_painter->emptyText(m_input).isEmpty()) return;
    if (const QRectF legend = legendRect(); legend.width() > 0) {
        LaneInput named = m_input;
        const QRectF place = legend.adjusted(12, 6, -10, -6);
        named.mostEntries = mostLegendLines(canvas, place);
        paintLegendColumn(canvas, place, m_painter->legend(canvas.theme, named));
    }
    if (m_axis.cursor())
        if (const auto x = m_painter->xOf(canvas, m_input, m_input.at);
            x && *x >= canvas.plot.left() - 1 && *x <= canvas.plot.right() + 1) {
            canvas.painter.setPen(QPen(canvas.theme.accent, canvas.lineWidth));
            canvas.painter.drawLine(QPointF(*x, canvas.plot.top()),
                                    QPointF(*x, canvas.plot.bottom() - canvas.lineHeight() - 4));
        }
    if (!m_pointer) return;
    if (const LaneHit hit = m_painter->hit(canvas, m_input, *m_pointer); !hit.text.isEmpty())
        paintHoverLabel(canvas, *m_pointer, hit.text, QRectF(rect()).adjusted(2, 2, -2, -2));
}

void WaitingChart::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    if (m_stale || m_content.size() != size() * devicePixelRatioF()) renderContent(theme);
    m_stale = false;
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_content);
    LaneCanvas canvas = canvasFor(painter, theme);
    drawOverlay(canvas);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

bool WaitingChart::event(QEvent* event) {
    switch (event->type()) {
    case QEvent::ShortcutOverride: { // these keys are the chart's while it has the focus, not the window's
        auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = (key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier)) == 0;
        for (const int own : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End})
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
    case QEvent::Resize:
        m_stale = true;
        update();
        break;
    default:
        break;
    }
    return QWidget::event(event);
}

LaneHit WaitingChart::hitAt(QPointF at) const {
    if (!m_painter || !m_painter->emptyText(m_input).isEmpty()) return {};
    QPainter painter; // geometry only: nothing is drawn
    return m_painter->hit(canvasFor(painter, Theme::current()), m_input, at);
}

void WaitingChart::setCursorAt(double x) {
    if (!m_painter || !m_painter->emptyText(m_input).isEmpty()) return;
    QPainter painter;
    const double seconds = m_painter->secondsAt(canvasFor(painter, Theme::current()), m_input, x);
    if (std::isfinite(seconds))
        m_axis.setCursor(std::clamp(SimTime::seconds(seconds), SimTime::zero(), m_input.end));
}

void WaitingChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && plotRect().contains(event->position()))
        setCursorAt(event->position().x());
}

void WaitingChart::mouseMoveEvent(QMouseEvent* event) {
    m_pointer = event->position();
    if (event->buttons() & Qt::LeftButton)
        setCursorAt(std::clamp(m_pointer->x(), plotRect().left(), plotRect().right()));
    update();
}

void WaitingChart::leaveEvent(QEvent*) {
    m_pointer.reset();
    update();
}

void WaitingChart::keyPressEvent(QKeyEvent* event) {
    const int stride = event->modifiers() & Qt::ShiftModifier ? 10 : 1;
    switch (event->key()) {
    case Qt::Key_Left:
        Q_EMIT stepRequested(-stride);
        break;
    case Qt::Key_Right:
        Q_EMIT stepRequested(stride);
        break;
    case Qt::Key_Home:
        Q_EMIT endRequested(false);
        break;
    case Qt::Key_End:
        Q_EMIT endRequested(true);
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
