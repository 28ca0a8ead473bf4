// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/Tour.h"

#include "theme/Theme.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace tour {
constexpr int gap = 10, width = 320;
QString setting() { return QStringLiteral("tour/offered"); }
} // namespace tour

/// A frame around what is being explained; the mouse goes through.
class Tour::Ring final : public QWidget {
public:
    explicit Ring(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::current().accent, 3));
        painter.drawRoundedRect(QRectF(rect()).adjusted(2, 2, -2, -2), 8, 8);
    }
};

Tour::Tour(QWidget& window, QList<Step> steps)
    : QObject(&window), m_window(window), m_steps(std::move(steps)), m_bubble(new QFrame(&window)),
      m_ring(new Ring(&window)), m_title(new QLabel), m_text(new QLabel), m_count(new QLabel),
      m_back(new QPushButton(tr("Back"))), m_next(new QPushButton) {
    m_bubble->setProperty("card", true);
    m_bubble->setAutoFillBackground(true);
    m_bubble->hide();
    m_title->setProperty("title", true);
    m_text->setWordWrap(true);
    m_count->setProperty("muted", true);
    m_next->setProperty("primary", true);
    auto* skip = new QPushButton(tr("Skip"));
    skip->setToolTip(tr("Ends the tour (Esc); Help → Tour starts it again"));
    auto* column = new QVBoxLayout(m_bubble);
    column->setContentsMargins(16, 12, 12, 12);
    column->setSpacing(8);
    column->addWidget(m_title);
    column->addWidget(m_text);
    auto* line = new QHBoxLayout;
    line->addWidget(m_count, 1);
    line->addWidget(skip);
    line->addWidget(m_back);
    line->addWidget(m_next);
    column->addLayout(line);
    connect(skip, &QPushButton::clicked, this, &Tour::end);
    connect(m_back, &QPushButton::clicked, this, [this] { go(m_at - 1, -1); });
    connect(m_next, &QPushButton::clicked, this, [this] { go(m_at + 1, 1); });
}

Tour::~Tour() { qApp->removeEventFilter(this); }

bool Tour::isToBeOffered() { return !QSettings().value(tour::setting()).toBool(); }

void Tour::rememberOffered() { QSettings().setValue(tour::setting(), true); }

void Tour::start() {
    rememberOffered();
    if (!isRunning()) qApp->installEventFilter(this);
    go(0, 1);
}

void Tour::end() {
    m_at = -1;
    m_target = nullptr;
    qApp->removeEventFilter(this);
    m_bubble->hide();
    m_ring->hide();
}

void Tour::go(int step, int direction) {
    const auto isThere = [this](int i) {
        QWidget* target = m_steps[i].target();
        return target && target->isVisible();
    };
    while (step >= 0 && step < m_steps.size() && !isThere(step)) step += direction;
    if (step >= m_steps.size()) {
        end();
        return;
    }
    if (step < 0) return;
    m_at = step;
    m_target = m_steps[step].target();
    m_title->setText(m_steps[step].title);
    m_text->setText(m_steps[step].text);
    m_count->setText(tr("%1 of %2").arg(step + 1).arg(m_steps.size()));
    m_back->setEnabled(step > 0);
    m_back->setToolTip(step > 0 ? QString() : tr("This is the first step"));
    m_next->setText(step + 1 == m_steps.size() ? tr("Done") : tr("Next"));
    m_bubble->setAccessibleName(m_steps[step].title + QStringLiteral(". ") + m_steps[step].text);
    place();
    m_ring->show();
    m_ring->raise();
    m_bubble->show();
    m_bubble->raise();
    place(); // again, now that its buttons are as wide as they are on show
    m_next->setFocus();
}

/// Beside what it explains where there is room, otherwise within it.
void Tour::place() {
    const QRect target(m_target->mapTo(&m_window, QPoint()), m_target->size());
    m_ring->setGeometry(target.adjusted(-2, -2, 2, 2));
    for (QWidget* each : m_bubble->findChildren<QWidget*>()) each->ensurePolished(); // the sheet widens some
    m_bubble->layout()->invalidate();
    const int frame = m_bubble->width() - m_bubble->contentsRect().width();
    const int least = m_bubble->layout()->minimumSize().width() + frame; // of its buttons, in any language
    m_bubble->setFixedWidth(std::max(Theme::scaled(tour::width), least));
    m_bubble->setMinimumHeight(m_bubble->layout()->totalHeightForWidth(m_bubble->width() - frame) + frame);
    m_bubble->adjustSize();
    const QSize size = m_bubble->size();
    const QRect room = m_window.rect().adjusted(tour::gap, tour::gap, -tour::gap, -tour::gap);
    const int middleX = target.center().x() - size.width() / 2, middleY = target.center().y() - size.height() / 2;
    const QPoint wishes[] = {{middleX, target.bottom() + tour::gap},
                             {middleX, target.top() - tour::gap - size.height()},
                             {target.right() + tour::gap, middleY},
                             {target.left() - tour::gap - size.width(), middleY},
                             {target.right() - size.width() - 2 * tour::gap, target.top() + 2 * tour::gap}};
    QPoint at = wishes[4];
    for (const QPoint& wish : wishes) {
        // A little to the side is as good.
        const QPoint fitted(std::clamp(wish.x(), room.left(), std::max(room.left(), room.right() - size.width())),
                            std::clamp(wish.y(), room.top(), std::max(room.top(), room.bottom() - size.height())));
        if (!QRect(fitted, size).intersects(target)) {
            at = fitted;
            break;
        }
    }
    m_bubble->move(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - size.width())),
                   std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - size.height())));
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (!isRunning()) return false;
    if ((event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        end();
        return true;
    }
    if (event->type() == QEvent::KeyPress && m_bubble->isAncestorOf(QApplication::focusWidget())) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) { // Qt's buttons know Enter in dialogs only
            if (auto* button = qobject_cast<QPushButton*>(QApplication::focusWidget())) button->click();
            return true;
        }
    }
    if (event->type() == QEvent::Resize && (watched == &m_window || watched == m_target))
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (isRunning()) place();
            },
            Qt::QueuedConnection);
    if (event->type() == QEvent::Hide && watched == m_target)
        QMetaObject::invokeMethod(
            this,
            [this] {
                if (isRunning()) go(m_at + 1, 1);
            },
            Qt::QueuedConnection);
    return false;
}

} // namespace trainyard
