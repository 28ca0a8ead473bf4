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

QString tr(const char* text) {
    return QCoreApplication::translate("HelpMenu", text);
}

/// The page about what has the focus: the policy of a picker or form, else the panel it is in.
QString pageInFocus(const MenuParts& p) {
    const QWidget* focus = QApplication::focusWidget();
    for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization,
                              PolicyFamily::parameters, PolicyFamily::partitioner}) {
        const QWidget *picker = p.policies.picker(family), *form = p.policies.form(family);
        if (focus && (focus == picker || picker->isAncestorOf(focus) || form->isAncestorOf(focus)))
            return QString::fromStdString(p.workspace.document().scenario().policies.of(family).id);
    }
    if (focus && (focus == &p.canvas || p.canvas.isAncestorOf(focus))) return QStringLiteral("cluster");
    for (const QWidget* w = focus; w; w = w->parentWidget())
        if (qobject_cast<const QDockWidget*>(w)) return helpPageOf(w->objectName());
    return QStringLiteral("start");
}

} // namespace help_menu

void makeHelpMenu(QMainWindow& window, const MenuParts& p) {
    using help_menu::tr;
    QMenu* menu = window.menuBar()->addMenu(tr("&Help"));
    const auto open = [panels = &p.panels, help = &p.help](const QString& page) {
        panels->show(QStringLiteral("help"));
        help->show(page);
    };
    menu->addAction(p.actions.add({"help.contents", tr("&Help"), Qt::Key_F1,
                                   tr("Explains what has the focus: a policy, a panel, or the window"), "help"},
                                  &window, [parts = std::make_shared<MenuParts>(p), open] {
                                      open(help_menu::pageInFocus(*parts));
                                  }));
    menu->addAction(p.actions.add({"help.whats-this", tr("&What's This?"),
                                   QKeyCombination(Qt::ShiftModifier, Qt::Key_F1),
                                   tr("Explains the panel or button you click next")},
                                  &window, [] { QWhatsThis::enterWhatsThisMode(); }));
    menu->addAction(p.actions.add({.id = "help.metrics",
                                   .text = tr("&Metrics"),
                                   .help = tr("What each metric means, with its formula")},
                                  &window, [open] { open(QStringLiteral("metrics")); }));
    auto dialog = std::make_shared<QPointer<ShortcutsDialog>>();
    menu->addAction(p.actions.add({.id = "help.shortcuts",
                                   .text = tr("&Keyboard Shortcuts"),
                                   .keys = QKeyCombination(Qt::ControlModifier, Qt::Key_Slash),
                                   .help = tr("All commands and their keys, which can be changed")},
                                  &window, [dialog, &window, actions = &p.actions] {
                                      if (!*dialog) *dialog = new ShortcutsDialog(*actions, &window);
                                      (*dialog)->show();
                                      (*dialog)->raise();
                                      (*dialog)->activateWindow();
                                  }));
    menu->addSeparator();
    menu->addAction(p.actions.add({.id = "help.tour",
                                   .text = tr("&Tour"),
                                   .help = tr("Five steps that show what is where")},
                                  &p.tour, [places = &p.places, tour = &p.tour] {
                                      places->go("lab");
                                      tour->start();
                                  }));
    menu->addAction(p.actions.add({.id = "help.start-page",
                                   .text = tr("&Start Page"),
                                   .help = tr("Scenarios, templates and recent files")},
                                  &p.places, [places = &p.places] { places->go("start"); }));
    menu->addSeparator();
    QAction* about = p.actions.add(
        {.id = "help.about", .text = tr("&About Trainyard"), .help = tr("Version and licence")}, &p.messages,
        [messages = &p.messages] {
            messages->say(tr("Trainyard %1: how a cluster schedules distributed training on parameter "
                             "servers. GPL-3.0-or-later.")
                              .arg(QLatin1String(TRAINYARD_VERSION)));
        });
    about->setMenuRole(QAction::AboutRole);
    menu->addAction(about);
}

} // namespace trainyard
