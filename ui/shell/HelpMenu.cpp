// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/HelpMenu.h"

#include "canvas/CanvasView.h"
#include "forms/ParamForm.h"
#include "forms/PolicyPanel.h"
#include "shell/ActionList.h"
#include "shell/HelpBrowser.h"
#include "shell/MessageBar.h"
#include "shell/PanelHelp.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/ShortcutsDialog.h"
#include "shell/Tour.h"

#include <QApplication>
#include <QComboBox>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QWhatsThis>

#include <memory>

namespace trainyard {

namespace help_menu {

/// The page about what has the focus: the policy of a picker or form, else the panel it is in.
QString pageInFocus(const MenuParts& p) {
    const QWidget* focus = QApplication::focusWidget();
    for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                              PolicyFamily::partitioner}) {
        const QWidget *picker = p.policies.picker(family), *form = p.policies.form(family);
        if (focus && (focus == picker || picker->isAncestorOf(focus) || form->isAncestorOf(focus)))
            return QString::fromStdString(p.workspace.document().scenario().policies.of(family).id);
    }
    if (focus && (focus == &p.canvas || p.canvas.isAncestorOf(focus))) return QStringLiteral("cluster");
    for (const QWidget* w = focus; w; w = w->parentWidget())
        if (qobject_cast<const QDockWidget*>(w)) return helpPageOf(w->objectName());
    for (const char* place : {"compare", "training"}) // pages of the same names
        if (p.places.isAt(place)) return QLatin1String(place);
    return QStringLiteral("start");
}

} // namespace help_menu

void makeHelpMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* menu = window.menuBar()->addMenu(QCoreApplication::translate("HelpMenu", "&Help"));
    const auto open = [panels = &p.panels, help = &p.help](const QString& page) {
        help->show(page);
        panels->open(QStringLiteral("help"));
        help->setFocus(Qt::TabFocusReason);
    };
    QObject::connect(&p.help, &HelpBrowser::partWanted, &p.places, &Places::follow);
    menu->addAction(p.actions.add(
        {"help.contents", QCoreApplication::translate("HelpMenu", "&Help"), Qt::Key_F1,
         QCoreApplication::translate("HelpMenu", "Explains the focused control, policy or panel"), "help"},
        &window, [parts = std::make_shared<MenuParts>(p), open] { open(help_menu::pageInFocus(*parts)); }));
    menu->addAction(
        p.actions.add({"help.whats-this", QCoreApplication::translate("HelpMenu", "&What's This?"),
                       QKeyCombination(Qt::ShiftModifier, Qt::Key_F1),
                       QCoreApplication::translate("HelpMenu", "Explains the panel or button you click next")},
                      &window, [] { QWhatsThis::enterWhatsThisMode(); }));
    menu->addAction(
        p.actions.add({.id = "help.metrics",
                       .text = QCoreApplication::translate("HelpMenu", "&Metrics"),
                       .help = QCoreApplication::translate("HelpMenu", "What each metric means, with its formula")},
                      &window, [open] { open(QStringLiteral("metrics")); }));
    auto dialog = std::make_shared<QPointer<ShortcutsDialog>>();
    menu->addAction(p.actions.add(
        {.id = "help.shortcuts",
         .text = QCoreApplication::translate("HelpMenu", "&Keyboard Shortcuts"),
         .keys = QKeyCombination(Qt::ControlModifier, Qt::Key_Slash),
         .help = QCoreApplication::translate("HelpMenu", "All commands and their keys, which can be changed")},
        &window, [dialog, &window, actions = &p.actions] {
            if (!*dialog) *dialog = new ShortcutsDialog(*actions, &window);
            (*dialog)->show();
            (*dialog)->raise();
            (*dialog)->activateWindow();
        }));
    menu->addSeparator();
    menu->addAction(
        p.actions.add({.id = "help.tour",
                       .text = QCoreApplication::translate("HelpMenu", "&Tour"),
                       .help = QCoreApplication::translate("HelpMenu", "Five steps that show what is where")},
                      &p.tour, [places = &p.places, tour = &p.tour] {
                          places->go("lab");
                          tour->start();
                      }));
    menu->addAction(
        p.actions.add({.id = "help.start-page",
                       .text = QCoreApplication::translate("HelpMenu", "&Start Page"),
                       .help = QCoreApplication::translate("HelpMenu", "Scenarios, templates and recent files")},
                      &p.places, [places = &p.places] { places->go("start"); }));
    menu->addSeparator();
    QAction* about = p.actions.add(
        {.id = "help.about",
         .text = QCoreApplication::translate("HelpMenu", "&About Trainyard"),
         .help = QCoreApplication::translate("HelpMenu", "Version and licence")},
        &p.messages, [messages = &p.messages] {
            messages->say(QCoreApplication::translate(
                              "HelpMenu", "Trainyard %1: how a cluster schedules distributed training on parameter "
                                          "servers. GPL-3.0-or-later.")
                              .arg(QLatin1String(TRAINYARD_VERSION)));
        });
    about->setMenuRole(QAction::AboutRole);
    menu->addAction(about);
}

} // namespace trainyard
