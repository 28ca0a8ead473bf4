// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ChartCard.h"

#include "charts/PictureStyle.h"
#include "session/MetricSubject.h"
#include "theme/CoreText.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QToolTip>

#include <cmath>

namespace trainyard {

namespace chart_card {
constexpr double margin = 12, reach = 14;
}

ChartCard::ChartCard(QWidget* parent) : QWidget(parent), m_button(new QToolButton(this)), m_menu(new QMenu(this)) {
    setFocusPolicy(Qt::StrongFocus);
    m_button->setText(QStringLiteral("⋯"));
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setMenu(m_menu);
    m_button->setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setSizePolicy(policy);
}

ChartCard::~ChartCard() = default;

void ChartCard::show(std::shared_ptr<const Chart> chart, const QString& title) {
    if (m_chart && *m_chart == *chart && m_title == title) return;
    m_chart = std::move(chart);
    m_title = title;
    m_mark = -1;
    m_drawn.reset();
    setAccessibleName(title);
    setAccessibleDescription(comparisonCaption(*m_chart));
    m_button->setAccessibleName(tr("Save or copy: %1").arg(title));
    m_button->setToolTip(tr("Save or copy this chart"));
    update();
}

QRectF ChartCard::inner() const {
    const double m = chart_card::margin * Theme::scale();
    return QRectF(rect()).adjusted(m, m, -m, -m);
}

QSize ChartCard::sizeHint() const { return QSize(440, 300) * Theme::scale(); }
QSize ChartCard::minimumSizeHint() const { return QSize(300, 270) * Theme::scale(); }

void ChartCard::draw() {
    ComparisonLook look{.title = m_title, .theme = Theme::current(), .pixels = 12 * Theme::scale()};
    look.line *= Theme::scale();
    const double ratio = devicePixelRatioF();
    if (m_drawn && look == m_look && m_picture.size() == (QSizeF(size()) * ratio).toSize()) return;
    m_look = look;
    m_drawn = std::make_unique<ComparisonChart>(m_chart, look, inner().size());
    m_picture = QPixmap((QSizeF(size()) * ratio).toSize());
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(Qt::transparent);
    QPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.theme.hairline, 1));
    painter.setBrush(look.theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    painter.translate(inner().topLeft());
    m_drawn->draw(painter);
}

void ChartCard::paintEvent(QPaintEvent*) {
    if (!m_chart) return;
    draw();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    if (hasFocus()) {
        painter.setPen(QPen(m_look.theme.accent, 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    }
    if (m_mark >= 0 && m_mark < static_cast<int>(m_drawn->marks().size())) {
        painter.setPen(QPen(m_look.theme.text, 1.5));
        painter.drawEllipse(m_drawn->marks()[static_cast<std::size_t>(m_mark)].at + inner().topLeft(), 6, 6);
    }
}

void ChartCard::resizeEvent(QResizeEvent*) {
    m_drawn.reset();
    m_button->adjustSize();
    m_button->move(width() - m_button->width() - 6, 6);
}

void ChartCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange) m_drawn.reset();
    QWidget::changeEvent(event);
}

int ChartCard::nearest(QPointF at) const {
    if (!m_drawn) return -1;
    int best = -1;
    double distance = chart_card::reach * Theme::scale();
    const auto& marks = m_drawn->marks();
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const QPointF d = marks[i].at + inner().topLeft() - at;
        const double away = std::hypot(d.x(), d.y());
        if (away >= distance) continue;
        distance = away;
        best = static_cast<int>(i);
    }
    return best;
}

QString ChartCard::words(std::size_t number) const {
    const ComparisonMark& mark = m_drawn->marks()[number];
    const Plot& plot = m_chart->plots.front();
    const Series& s = plot.series[mark.series];
    if (mark.element < s.notes.size()) return coreText(s.notes[mark.element]);
    const QString key = QString::fromStdString(s.key); // what it is, and the name of the arm
    QString name = s.label.empty() ? key : coreText(s.label);
    if (plot.y.kind == Axis::Kind::categories && s.role.index < plot.y.categories.size())
        name = QStringLiteral("%1, %2").arg(coreText(plot.y.categories[s.role.index].label), key.section(u' ', 0, 0));
    if (mark.element >= s.x.size()) return name;
    return QStringLiteral("%1: %2").arg(name, metricText(s.x[mark.element], plot.x.unit));
}

bool ChartCard::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && isOwnKey(static_cast<QKeyEvent*>(event)->key())) {
        event->accept(); // before the window's shortcuts
        return true;
    }
    if (event->type() == QEvent::ToolTip && m_drawn) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int mark = nearest(help->pos());
        if (mark >= 0) {
            QToolTip::showText(help->globalPos(), words(static_cast<std::size_t>(mark)), this);
            return true;
        }
    }
    return QWidget::event(event);
}

bool ChartCard::isOwnKey(int key) const {
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: return m_mark >= 0;
    default: return false;
    }
}

void ChartCard::keyPressEvent(QKeyEvent* event) {
    const int count = m_drawn ? static_cast<int>(m_drawn->marks().size()) : 0;
    const bool forward = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    if (count > 0 && (forward || event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)) {
        m_mark = m_mark < 0 ? 0 : std::clamp(m_mark + (forward ? 1 : -1), 0, count - 1);
        m_told = words(static_cast<std::size_t>(m_mark));
        setAccessibleDescription(m_told);
        const auto at = m_drawn->marks()[static_cast<std::size_t>(m_mark)].at + inner().topLeft();
        QToolTip::showText(mapToGlobal(at.toPoint()), m_told, this);
        update();
    } else if (m_mark >= 0 && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        const ComparisonMark& mark = m_drawn->marks()[static_cast<std::size_t>(m_mark)];
        Q_EMIT elementChosen(mark.series, mark.element);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void ChartCard::mousePressEvent(QMouseEvent* event) {
    QWidget::mousePressEvent(event);
    m_mark = nearest(event->position());
    update();
    if (m_mark < 0) return;
    m_told = words(static_cast<std::size_t>(m_mark));
    const ComparisonMark& mark = m_drawn->marks()[static_cast<std::size_t>(m_mark)];
    Q_EMIT elementChosen(mark.series, mark.element);
}

void ChartCard::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

} // namespace trainyard
