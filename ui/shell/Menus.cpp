// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/Menus.h"

#include "canvas/CanvasView.h"
#include "compare/ComparePage.h"
#include "compare/TwoRunsTab.h"
#include "lanes/CompareMenu.h"
#include "shell/ActionList.h"
#include "shell/BookmarkMenu.h"
#include "shell/Caption.h"
#include "shell/EditorActions.h"
#include "shell/ExportActions.h"
#include "shell/FileActions.h"
#include "shell/FocusOrder.h"
#include "shell/HelpMenu.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/PreferencesDialog.h"
#include "shell/ThemeChoice.h"
#include "theme/ActionReason.h"
#include "theme/Icons.h"
#include "transport/BreakpointText.h"
#include "transport/TransportBar.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPointer>
#include <QStatusBar>

namespace trainyard {

namespace menus {

constexpr int readingMilliseconds = 8000; // a sentence in the status line

void makeFileMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* file = window.menuBar()->addMenu(QCoreApplication::translate("Menus", "&File"));
    p.files.addTo(file, p.exports.actions());
    file->addSeparator();
    Places* places = &p.places;
    file->addAction(
        p.actions.add({.id = "file.start-page",
                       .text = QCoreApplication::translate("Menus", "Start &Page"),
                       .keys = QKeyCombination(Qt::ControlModifier, Qt::Key_Home),
                       .help = QCoreApplication::translate("Menus", "Scenarios, templates and recent files")},
                      places, [places] { places->go("start"); }));
    file->addAction(p.actions.add(
        {.id = "file.compare",
         .text = QCoreApplication::translate("Menus", "&Compare Policies"),
         .keys = QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_Home),
         .help = QCoreApplication::translate("Menus", "Policies over many seeds, with confidence intervals")},
        places, [places] { places->go("compare"); }));
    file->addAction(p.actions.add(
        {.id = "file.training",
         .text = QCoreApplication::translate("Menus", "&Train an Agent"),
         .keys = QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_T),
         .help = QCoreApplication::translate("Menus", "An agent that chooses how far computation graphs are split")},
        places, [places] { places->go("training"); }));
    file->addSeparator();
    file->addAction(p.actions.add({"file.quit", QCoreApplication::translate("Menus", "&Quit"), QKeySequence::Quit,
                                   QCoreApplication::translate("Menus", "Closes the window")},
                                  &window, [&window] { window.close(); }));
    for (QAction* action : p.files.actions() + p.exports.actions())
        p.actions.adopt(action->objectName().toLatin1().constData(), action);
}

void makeEditMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* edit = window.menuBar()->addMenu(QCoreApplication::translate("Menus", "&Edit"));
    QUndoStack& stack = p.workspace.document().undoStack();
    QAction* undo = stack.createUndoAction(&window, QCoreApplication::translate("Menus", "&Undo"));
    QAction* redo = stack.createRedoAction(&window, QCoreApplication::translate("Menus", "&Redo"));
    // A value that was not taken goes first: there is no step of it on the stack.
    ScenarioModel& document = p.workspace.document();
    QObject::disconnect(undo, &QAction::triggered, &stack, nullptr);
    QObject::connect(undo, &QAction::triggered, &stack, [&document, &stack] {
        if (document.refused() > 0)
            document.withdrawRefused();
        else
            stack.undo();
    });
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcut(QKeySequence::Redo);
    undo->setIcon(icon("undo"));
    redo->setIcon(icon("redo"));
    edit->addActions({p.actions.adopt("edit.undo", undo, QCoreApplication::translate("Menus", "Undoes the last edit")),
                      p.actions.adopt("edit.redo", redo,
                                      QCoreApplication::translate("Menus", "Redoes the edit that was undone last"))});
    const auto refreshUndo = [undo, redo, &stack, &document] {
        setActionAvailable(undo, stack.canUndo() || document.refused() > 0
                                     ? QString()
                                     : QCoreApplication::translate("Menus", "There is no edit to undo"));
        setActionAvailable(redo, stack.canRedo() ? QString()
                                                 : QCoreApplication::translate("Menus", "No edit has been undone"));
    };
    QObject::connect(&stack, &QUndoStack::indexChanged, undo, refreshUndo);
    QObject::connect(&document, &ScenarioModel::problemsChanged, undo, refreshUndo);
    refreshUndo();
    edit->addSeparator();
    p.editing.addToEditMenu(*edit);
    edit->addAction(p.actions.add({"edit.select-none", QCoreApplication::translate("Menus", "Select &None"),
                                   QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_A),
                                   QCoreApplication::translate("Menus", "Clears the selection")},
                                  &p.workspace, [&p = p.workspace] { p.selection().clear(); }));
    edit->addSeparator();
    QAction* history = p.panels.find(QStringLiteral("history"))->toggleViewAction();
    history->setText(QCoreApplication::translate("Menus", "&History"));
    edit->addAction(history);
    auto dialog = std::make_shared<QPointer<PreferencesDialog>>();
    QKeySequence usual(QKeySequence::Preferences);
    if (usual.isEmpty()) usual = QKeyCombination(Qt::ControlModifier, Qt::Key_Comma); // Qt knows none here
    QAction* preferences =
        p.actions.add({"edit.preferences", QCoreApplication::translate("Menus", "&Preferences"), usual,
                       QCoreApplication::translate("Menus", "Theme, recovery and what is kept; changes apply at once")},
                      &window, [dialog, &window, &workspace = p.workspace, &theme = p.theme] {
                          if (!*dialog) *dialog = new PreferencesDialog(workspace.preferences(), theme, &window);
                          (*dialog)->show();
                          (*dialog)->raise();
                          (*dialog)->activateWindow();
                      });
    preferences->setMenuRole(QAction::PreferencesRole);
    edit->addAction(preferences);
    p.transport.lead(p.files.toolBarActions() + QList<QAction*>{undo, redo});
    p.editing.addToInsertMenu(*window.menuBar()->addMenu(QCoreApplication::translate("Menus", "&Insert")));
    p.editing.addToArrangeMenu(*window.menuBar()->addMenu(QCoreApplication::translate("Menus", "&Arrange")));
}

void makeLayoutMenu(QMainWindow& window, const MenuParts& p, QMenu* view) {
    QMenu* menu = view->addMenu(QCoreApplication::translate("Menus", "&Layouts"));
    Panels* panels = &p.panels;
    const auto preset = [&](const char* id, const QString& text, Qt::Key key, const QString& help, Panels::Preset is) {
        return p.actions.add({.id = id, .text = text, .keys = QKeyCombination(Qt::ControlModifier, key), .help = help},
                             panels, [panels, canvas = &p.canvas, is] {
                                 panels->arrange(is);
                                 canvas->fit();
                             });
    };
    const QList<QAction*> presets{
        preset("view.teach", QCoreApplication::translate("Menus", "&Teach"), Qt::Key_F2,
               QCoreApplication::translate("Menus", "The cluster, the timeline and a view beside it, without forms"),
               Panels::Preset::teach),
        preset("view.tune", QCoreApplication::translate("Menus", "T&une"), Qt::Key_F3,
               QCoreApplication::translate("Menus", "Policies, the timeline, and views and metrics beside it"),
               Panels::Preset::tune)};
    menu->addActions(presets); // for their keys
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, presets, panels, &window, &actions = p.actions] {
        menu->clear();
        menu->addActions(presets);
        menu->addAction(actions.find(QStringLiteral("run.side-by-side")));
        menu->addSeparator();
        for (const QString& name : panels->layouts())
            menu->addAction(name, panels, [panels, name] { panels->useLayout(name); });
        if (!panels->layouts().isEmpty()) menu->addSeparator();
        menu->addAction(QCoreApplication::translate("Menus", "&Save This Layout…"), panels, [panels, &window] {
            const QString name = QInputDialog::getText(&window, QCoreApplication::translate("Menus", "Save Layout"),
                                                       QCoreApplication::translate("Menus", "Name:"))
                                     .trimmed();
            if (!name.isEmpty()) panels->keepLayout(name);
        });
        if (panels->layouts().isEmpty()) return;
        QMenu* forget = menu->addMenu(QCoreApplication::translate("Menus", "&Forget"));
        for (const QString& name : panels->layouts())
            forget->addAction(name, panels, [panels, name] { panels->forgetLayout(name); });
    });
}

void makeViewMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* view = window.menuBar()->addMenu(QCoreApplication::translate("Menus", "&View"));
    CanvasView* canvas = &p.canvas;
    view->addAction(p.actions.add({"view.fit", QCoreApplication::translate("Menus", "&Fit Cluster"),
                                   QKeyCombination(Qt::ControlModifier, Qt::Key_0),
                                   QCoreApplication::translate("Menus", "Shows the whole cluster"), "fit"},
                                  canvas, [canvas] { canvas->fit(); }));
    view->addAction(
        p.actions.add({"view.zoom-in", QCoreApplication::translate("Menus", "Zoom &In"), QKeySequence::ZoomIn,
                       QCoreApplication::translate("Menus", "Shows the cluster larger"), "zoom-in"},
                      canvas, [canvas] { canvas->zoomIn(); }));
    view->addAction(
        p.actions.add({"view.zoom-out", QCoreApplication::translate("Menus", "Zoom &Out"), QKeySequence::ZoomOut,
                       QCoreApplication::translate("Menus", "Shows the cluster smaller"), "zoom-out"},
                      canvas, [canvas] { canvas->zoomOut(); }));
    view->addSeparator();
    p.editing.addToViewMenu(*view);
    view->addSeparator();
    p.theme.addTo(view->addMenu(QCoreApplication::translate("Menus", "&Theme")));
    QObject::connect(&p.panels, &Panels::focusedHidden, canvas, [canvas] { canvas->setFocus(); });
    QAction* projector = p.actions.add(
        {.id = "view.projector",
         .text = QCoreApplication::translate("Menus", "&Projector Mode"),
         .keys = QKeyCombination(Qt::ControlModifier, Qt::Key_F11),
         .help = QCoreApplication::translate(
             "Menus",
             "150 % size, thicker lines, and a layout of cluster and timeline; Ctrl+1 brings the policies back"),
         .checkable = true},
        &p.theme, [] {});
    const auto takeProjector = [projector, theme = &p.theme] { projector->setChecked(theme->projector()); };
    takeProjector();
    QObject::connect(projector, &QAction::toggled, &p.theme, [theme = &p.theme](bool on) { theme->setProjector(on); });
    QObject::connect(&p.theme, &ThemeChoice::changed, projector, takeProjector);
    view->addAction(projector);
    QAction* full =
        p.actions.add({.id = "view.full-screen",
                       .text = QCoreApplication::translate("Menus", "F&ull Screen"),
                       .keys = Qt::Key_F11,
                       .help = QCoreApplication::translate("Menus", "Fills the screen with the window; again to leave"),
                       .checkable = true},
                      &window, [&window] { window.setWindowState(window.windowState() ^ Qt::WindowFullScreen); });
    view->addAction(full);
    Preferences* preferences = &p.workspace.preferences();
    QAction* reduce = p.actions.add({.id = "view.reduce-motion",
                                     .text = QCoreApplication::translate("Menus", "Reduce &Motion"),
                                     .help = QCoreApplication::translate("Menus", "Stops the animation on the links"),
                                     .checkable = true},
                                    canvas, [] {});
    const auto takeMotion = [reduce, canvas, preferences] {
        reduce->setChecked(preferences->reduceMotion());
        canvas->setReduceMotion(preferences->reduceMotion());
    };
    takeMotion();
    QObject::connect(reduce, &QAction::toggled, preferences, &Preferences::setReduceMotion);
    QObject::connect(preferences, &Preferences::changed, reduce, takeMotion);
    view->addAction(reduce);
    view->addSeparator();
    Caption* shown = &p.caption;
    QAction* caption =
        p.actions.add({.id = "view.caption",
                       .text = QCoreApplication::translate("Menus", "&Caption"),
                       .help = QCoreApplication::translate("Menus", "The scenario's description, above the cluster"),
                       .checkable = true},
                      shown, [] {});
    caption->setChecked(shown->isWanted());
    QObject::connect(caption, &QAction::triggered, shown, &Caption::setWanted);
    QObject::connect(shown, &Caption::wantedChanged, caption,
                     [shown, caption] { caption->setChecked(shown->isWanted()); });
    view->addAction(caption);
    QObject::connect(shown, &Caption::partWanted, &p.places, &Places::follow);
    QMenu* panels =
        view->addMenu(QCoreApplication::translate("Menus", "Pa&nels")); // else it is as high as a small screen
    int number = 0;
    for (QDockWidget* dock : p.panels.all()) {
        if (++number < 10)
            dock->toggleViewAction()->setShortcut(
                QKeyCombination(Qt::ControlModifier, static_cast<Qt::Key>(Qt::Key_0 + number)));
        const QByteArray id = "view.panel." + dock->objectName().toLatin1();
        panels->addAction(
            p.actions.adopt(id.constData(), dock->toggleViewAction(),
                            QCoreApplication::translate(
                                "Menus", "Shows or hides this panel; its keys show it and give it the keyboard")));
    }
    panels->addSeparator();
    QAction* beside = p.actions.add(
        {.id = "view.views-beside",
         .text = QCoreApplication::translate("Menus", "Views &Beside Timeline"),
         .help = QCoreApplication::translate("Menus", "Shows a view and the timeline at the same time, side by side"),
         .checkable = true},
        &p.panels, [] {});
    QObject::connect(beside, &QAction::triggered, &p.panels, &Panels::setViewsBeside);
    QObject::connect(panels, &QMenu::aboutToShow, beside,
                     [beside, all = &p.panels] { beside->setChecked(all->areViewsBeside()); });
    panels->addAction(beside);
    panels->addSeparator();
    panels->addAction(
        p.actions.add({.id = "view.next-part",
                       .text = QCoreApplication::translate("Menus", "&Next Panel"),
                       .keys = Qt::Key_F6,
                       .help = QCoreApplication::translate("Menus", "Moves the focus to the next panel, tool bar, "
                                                                    "cluster or status line")},
                      &window, [&window] { tabToPart(partsOf(window), true); }));
    panels->addAction(
        p.actions.add({.id = "view.previous-part",
                       .text = QCoreApplication::translate("Menus", "Pre&vious Panel"),
                       .keys = QKeyCombination(Qt::ShiftModifier, Qt::Key_F6),
                       .help = QCoreApplication::translate("Menus", "Moves the focus to the previous panel")},
                      &window, [&window] { tabToPart(partsOf(window), false); }));
    makeLayoutMenu(window, p, view);
    view->addAction(
        p.actions.add({.id = "view.reset-layout",
                       .text = QCoreApplication::translate("Menus", "&Reset Layout"),
                       .help = QCoreApplication::translate("Menus", "Restores the default layout of all panels")},
                      canvas, [canvas, panels = &p.panels] {
                          panels->reset();
                          canvas->fit();
                      }));
}

void makeRunMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* run = window.menuBar()->addMenu(QCoreApplication::translate("Menus", "&Run"));
    run->addActions(p.transport.runActions());
    for (QAction* action : p.transport.runActions())
        if (action && !action->isSeparator() && !action->objectName().isEmpty())
            p.actions.adopt(("run." + action->objectName().toLatin1()).constData(), action);
    run->addSeparator();
    run->addMenu(new CompareMenu(p.workspace.runs(), run));
    QAction* beside =
        p.actions.add({"run.side-by-side", QCoreApplication::translate("Menus", "&Side by Side"),
                       QKeyCombination(Qt::ControlModifier, Qt::Key_K),
                       QCoreApplication::translate("Menus", "Shows this run and the one before it together, and "
                                                            "the first decision that differs"),
                       "compare"},
                      &window, [places = &p.places, compare = &p.compare] {
                          places->go("compare");
                          compare->go("runs");
                          compare->runs().showPrevious();
                      });
    run->addAction(beside);
    const auto offer = [beside, compare = &p.compare] { setActionAvailable(beside, compare->runs().whyNoPrevious()); };
    QObject::connect(&p.workspace.runs(), &RunModel::runStarted, beside, offer);
    QObject::connect(&p.workspace.runs(), &RunModel::runEnded, beside, offer);
    QObject::connect(&p.workspace.runs(), &RunModel::ghostChanged, beside, offer);
    QObject::connect(run, &QMenu::aboutToShow, beside, offer);
    offer();
    (new BookmarkMenu(p.workspace, p.actions, window))->addTo(*run);
    QObject::connect(
        &p.workspace.playback(), &Playback::untilOver, &window,
        [&window, &messages = p.messages, &workspace = p.workspace](const Breakpoint& until, bool reached) {
            const QString text =
                untilOverText(until, reached, workspace.shownTime(), workspace.runs().current().workload.get());
            if (reached)
                window.statusBar()->showMessage(text, readingMilliseconds);
            else
                messages.say(text);
        });
}

} // namespace menus

void makeMenus(QMainWindow& window, const MenuParts& parts) {
    menus::makeFileMenu(window, parts);
    menus::makeEditMenu(window, parts);
    menus::makeViewMenu(window, parts);
    menus::makeRunMenu(window, parts);
    makeHelpMenu(window, parts);
}

} // namespace trainyard
