// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/WheelFocus.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>
#include <QTabBar>

namespace trainyard {

namespace wheel_focus {

bool holdsAValue(const QObject* object) {
    return qobject_cast<const QComboBox*>(object) || qobject_cast<const QAbstractSpinBox*>(object) ||
           (qobject_cast<const QAbstractSlider*>(object) && !qobject_cast<const QScrollBar*>(object));
}

} // namespace wheel_focus

WheelFocus::WheelFocus(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool WheelFocus::eventFilter(QObject* watched, QEvent* event) {
    // Qt gives the focus before any filter sees the wheel, to every control whose policy allows it.
    if (event->type() == QEvent::Polish && wheel_focus::holdsAValue(watched)) {
        auto* control = static_cast<QWidget*>(watched);
        if (control->focusPolicy() == Qt::WheelFocus) control->setFocusPolicy(Qt::StrongFocus);
    }
    if (event->type() != QEvent::Wheel) return false;
    const bool control = wheel_focus::holdsAValue(watched);
    if (!control && !qobject_cast<QTabBar*>(watched)) return false;
    if (control && static_cast<QWidget*>(watched)->hasFocus()) return false;
    event->ignore(); // whatever is around it scrolls
    return true;
}

} // namespace trainyard
