// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The wheel over every control of the window: nothing takes a value from it, nothing is run again, no tab is turned.
// A control that has the focus takes it.
#include "forms/PolicyPanel.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/MainWindow.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "transport/TransportBar.h"

#include <QAbstractSlider>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QScrollBar>
#include <QSpinBox>
#include <QTabBar>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>

using namespace trainyard;

namespace {

/// As a mouse sends it: such an event may give the focus.
void turnWheel(QWidget* over, int delta) {
    const QPointF at = QRectF(over->rect()).center();
    QWheelEvent event(at, over->mapToGlobal(at), QPoint(), QPoint(0, delta), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);
    qApp->notify(over, &event);
}

/// Everything that has a value, with the value.
QStringList valuesOf(const QWidget& window) {
    QStringList values;
    for (const auto* each : window.findChildren<QComboBox*>()) values << each->currentText();
    for (const auto* each : window.findChildren<QSpinBox*>()) values << each->text();
    for (const auto* each : window.findChildren<QAbstractSlider*>())
        if (!qobject_cast<const QScrollBar*>(each)) values << QString::number(each->value());
    for (const auto* each : window.findChildren<QTabBar*>()) values << QString::number(each->currentIndex());
    return values;
}

} // namespace

class tst_WheelFocus : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void changesNothing();
    void isTakenWithFocus();

private:
    test::OwnSettings m_settings{"tst_WheelFocus"};
};

void tst_WheelFocus::changesNothing() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    for (QDockWidget* panel : w.window.panels().all()) {
        w.window.panels().show(panel->objectName());
        QApplication::processEvents();
    }
    w.window.panels().show(QStringLiteral("export"));
    QApplication::processEvents();
    const RunId run = w.workspace.runs().current().id;
    const QStringList before = valuesOf(w.window);
    int controls = 0;
    for (QWidget* each : w.window.findChildren<QWidget*>()) {
        const bool holds = qobject_cast<QComboBox*>(each) || qobject_cast<QAbstractSpinBox*>(each) ||
                           qobject_cast<QAbstractSlider*>(each) || qobject_cast<QTabBar*>(each);
        if (!holds || qobject_cast<QScrollBar*>(each)) continue;
        each->clearFocus();
        for (const int delta : {120, -120, -120}) turnWheel(each, delta);
        QVERIFY2(!each->hasFocus(), qPrintable(each->accessibleName()));
        QCOMPARE(valuesOf(w.window), before);
        ++controls;
    }
    QVERIFY2(controls > 20, qPrintable(QString::number(controls)));
    QApplication::processEvents();
    QVERIFY(!w.workspace.document().undoStack().canUndo());
    QCOMPARE(w.workspace.runs().current().id, run);
}

void tst_WheelFocus::isTakenWithFocus() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    QApplication::setActiveWindow(&w.window);
    auto* seed = w.window.transport().findChild<QSpinBox*>();
    seed->setFocus();
    QTRY_VERIFY(seed->hasFocus());
    const int before = seed->value();
    turnWheel(seed, 120);
    QCOMPARE(seed->value(), before + 1);
}

TRAINYARD_TEST(tst_WheelFocus)
#include "tst_WheelFocus.moc"
