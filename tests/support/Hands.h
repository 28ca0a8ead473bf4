// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a person does to a window, for tests that act as one: choosing from menus, dragging, typing, and going
// through the controls with Tab. Nothing here reaches behind a widget.
#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QMenu>
#include <QMenuBar>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QTest>
#include <QTimer>

#include <functional>

namespace trainyard::test {

/// A move of the mouse with a button held; QTest's own leaves the button out.
inline void moveHeld(QWidget* widget, QPoint at, Qt::MouseButton held = Qt::LeftButton) {
    QMouseEvent event(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, held, {});
    QApplication::sendEvent(widget, &event);
}

inline void dragOn(QWidget* widget, QPoint from, QPoint to, int moves = 8) {
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int i = 1; i <= moves; ++i) moveHeld(widget, from + (to - from) * i / moves);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

/// Text of a menu or button as it is read: without the mark of its access key and the dots.
inline QString readText(QString text) { return text.remove(QLatin1Char('&')).remove(QChar(0x2026)).trimmed(); }

/// The entry of that text, or of that name where an explanation follows it ("Trained job: …").
inline QAction* actionOf(const QWidget* menu, const QString& text) {
    for (QAction* action : menu->actions())
        if (const QString read = readText(action->text()); read == text || read.startsWith(text + QStringLiteral(": ")))
            return action;
    return nullptr;
}

/// Clicks an entry of an open menu; false if there is none, or it cannot be chosen.
inline bool clickIn(QMenu* menu, const QString& text) {
    QAction* action = actionOf(menu, text);
    if (!action || !action->isEnabled() || !menu->isVisible()) return false;
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    return true;
}

/// Acts on a menu that holds its caller until it closes: `act` runs once the menu is open, however long that
/// takes, and what it leaves open is closed, so that a test that fails ends.
inline void onceOpen(QMenu* menu, const std::function<void()>& act) {
    auto* look = new QTimer(menu);
    QObject::connect(look, &QTimer::timeout, menu, [menu, look, act] {
        if (!menu->isVisible()) return;
        look->stop();
        look->deleteLater();
        act();
        menu->close();
    });
    look->start(0);
}

inline bool chooseFromMenu(QMenuBar* bar, const QString& menu, const QString& entry) {
    QAction* title = actionOf(bar, menu);
    if (!title || !title->menu()) return false;
    QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(title).center());
    return QTest::qWaitFor([&] { return title->menu()->isVisible(); }) && clickIn(title->menu(), entry);
}

/// Presses Tab (or Shift and Tab) until the widget, or something in it, has the keyboard; false if it cannot
/// be reached.
inline bool tabTo(QWidget* window, const QWidget* wanted, bool backwards = false) {
    constexpr int mostControls = 500;
    for (int i = 0; i < mostControls; ++i) {
        QWidget* at = QApplication::focusWidget();
        if (at && (at == wanted || wanted->isAncestorOf(at))) return true;
        QTest::keyClick(at ? at : window, backwards ? Qt::Key_Backtab : Qt::Key_Tab,
                        backwards ? Qt::ShiftModifier : Qt::NoModifier);
    }
    return false;
}

/// Types over what stands in the field that has the keyboard.
inline void typeOver(const QString& text) {
    QWidget* field = QApplication::focusWidget();
    QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

/// Picks an entry of a combo box by its list, as the mouse does.
inline bool pick(QComboBox* box, const QString& text) {
    const int row = box->findText(text);
    if (row < 0) return false;
    box->showPopup();
    QAbstractItemView* list = box->view();
    if (!QTest::qWaitFor([&] { return list->isVisible(); })) return false;
    const QModelIndex entry = list->model()->index(row, box->modelColumn(), box->rootModelIndex());
    list->scrollTo(entry);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(entry).center());
    return QTest::qWaitFor([&] { return box->currentIndex() == row; });
}

/// Where the handle of a slider is, and where it would be for a value.
inline QPoint handleOf(const QSlider* slider, int value) {
    QStyleOptionSlider option;
    option.initFrom(slider);
    option.orientation = slider->orientation();
    option.minimum = slider->minimum();
    option.maximum = slider->maximum();
    option.sliderPosition = option.sliderValue = value;
    option.subControls = QStyle::SC_All;
    return slider->style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider).center();
}

} // namespace trainyard::test
