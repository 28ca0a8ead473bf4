#include "shell/Menus.h"

#include "canvas/CanvasView.h"
#include "shell/ActionList.h"
#include "shell/Caption.h"
#include "shell/EditorActions.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/ThemeChoice.h"
#include "theme/Icons.h"
#include "transport/TransportBar.h"

#include <QCoreApplication>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QSettings>

namespace trainyard {

namespace menus {

QString tr(const char* text) {
    return QCoreApplication::translate("Menus", text);
}

void makeFileMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* file = window.menuBar()->addMenu(tr("&File"));
    p.files.addTo(file);
    file->addSeparator();
    file->addAction(p.actions.add({"file.quit", tr("&Quit"), QKeySequence::Quit, tr("Closes the window")},
                                  &window, [&window] { window.close(); }));
    const char* ids[] = {"file.open", "file.save", "file.save-as", "file.export-all"};
    int i = 0;
    for (QAction* action : p.files.actions()) p.actions.adopt(ids[i++], action);
}

void makeEditMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* edit = window.menuBar()->addMenu(tr("&Edit"));
    QUndoStack& stack = p.workspace.document().undoStack();
    QAction* undo = stack.createUndoAction(&window, tr("&Undo"));
    QAction* redo = stack.createRedoAction(&window, tr("&Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcut(QKeySequence::Redo);
    undo->setIcon(icon("undo"));
    redo->setIcon(icon("redo"));
    edit->addActions({p.actions.adopt("edit.undo", undo), p.actions.adopt("edit.redo", redo)});
    edit->addSeparator();
    p.editing.addToEditMenu(*edit);
    edit->addAction(p.actions.add({"edit.select-none", tr("Select &None"),
                                   QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_A),
                                   tr("Selects nothing, so that nothing is dimmed")},
                                  &p.workspace, [&p = p.workspace] { p.selection().clear(); }));
    QAction* first = p.transport.actions().first();
    p.transport.insertActions(first, p.files.toolBarActions() + QList<QAction*>{undo, redo});
    p.transport.insertSeparator(first);
    p.editing.addToInsertMenu(*window.menuBar()->addMenu(tr("&Insert")));
    p.editing.addToArrangeMenu(*window.menuBar()->addMenu(tr("&Arrange")));
}

void makeLayoutMenu(QMainWindow& window, const MenuParts& p, QMenu* view) {
    QMenu* menu = view->addMenu(tr("&Layouts"));
    Panels* panels = &p.panels;
    QObject::connect(menu, &QMenu::aboutToShow, menu, [menu, panels, &window] {
        menu->clear();
        for (const QString& name : panels->layouts())
            menu->addAction(name, panels, [panels, name] { panels->useLayout(name); });
        if (!menu->isEmpty()) menu->addSeparator();
        menu->addAction(tr("&Save This Layout…"), panels, [panels, &window] {
            const QString name = QInputDialog::getText(&window, tr("Save Layout"), tr("Name:")).trimmed();
            if (!name.isEmpty()) panels->keepLayout(name);
        });
        if (panels->layouts().isEmpty()) return;
        QMenu* forget = menu->addMenu(tr("&Forget"));
        for (const QString& name : panels->layouts())
            forget->addAction(name, panels, [panels, name] { panels->forgetLayout(name); });
    });
}

void makeViewMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* view = window.menuBar()->addMenu(tr("&View"));
    CanvasView* canvas = &p.canvas;
    view->addAction(
        p.actions.add({"view.fit", tr("&Fit Cluster"), QKeyCombination(Qt::ControlModifier, Qt::Key_0),
                       tr("Shows the whole cluster"), "fit"},
                      canvas, [canvas] { canvas->fit(); }));
    view->addAction(p.actions.add(
        {"view.zoom-in", tr("Zoom &In"), QKeySequence::ZoomIn, tr("Shows the cluster larger"), "zoom-in"},
        canvas, [canvas] { canvas->zoomIn(); }));
    view->addAction(p.actions.add({"view.zoom-out", tr("Zoom &Out"), QKeySequence::ZoomOut,
                                   tr("Shows more of the cluster"), "zoom-out"},
                                  canvas, [canvas] { canvas->zoomOut(); }));
    view->addSeparator();
    p.editing.addToViewMenu(*view);
    view->addSeparator();
    p.theme.addTo(view->addMenu(tr("&Theme")));
    QAction* reduce = p.actions.add({.id = "view.reduce-motion",
                                     .text = tr("Reduce &Motion"),
                                     .help = tr("Parameters no longer flow along the links"),
                                     .checkable = true},
                                    canvas, [] {});
    reduce->setChecked(QSettings().value(QStringLiteral("reduceMotion")).toBool());
    QObject::connect(reduce, &QAction::toggled, canvas, [canvas](bool on) {
        canvas->setReduceMotion(on);
        QSettings().setValue(QStringLiteral("reduceMotion"), on);
    });
    canvas->setReduceMotion(reduce->isChecked());
    view->addAction(reduce);
    view->addSeparator();
    Caption* shown = &p.caption;
    QAction* caption = p.actions.add({.id = "view.caption",
                                      .text = tr("&Caption"),
                                      .help = tr("What the scenario is about, above the cluster"),
                                      .checkable = true},
                                     shown, [] {});
    caption->setChecked(shown->isWanted());
    QObject::connect(caption, &QAction::triggered, shown, &Caption::setWanted);
    QObject::connect(shown, &Caption::wantedChanged, caption,
                     [shown, caption] { caption->setChecked(shown->isWanted()); });
    view->addAction(caption);
    for (QDockWidget* dock : p.panels.all()) {
        const QByteArray id = "view.panel." + dock->objectName().toLatin1();
        view->addAction(p.actions.adopt(id.constData(), dock->toggleViewAction()));
    }
    view->addSeparator();
    makeLayoutMenu(window, p, view);
    view->addAction(p.actions.add({.id = "view.reset-layout",
                                   .text = tr("&Reset Layout"),
                                   .help = tr("Puts all panels back to where they were on the first day")},
                                  canvas, [canvas, panels = &p.panels] {
                                      panels->reset();
                                      canvas->fit();
                                  }));
}

void makeRunMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* run = window.menuBar()->addMenu(tr("&Run"));
    run->addActions(p.transport.runActions());
    for (QAction* action : p.transport.runActions())
        if (action && !action->isSeparator() && !action->objectName().isEmpty())
            p.actions.adopt(("run." + action->objectName().toLatin1()).constData(), action);
}

void makeHelpMenu(QMainWindow& window, const MenuParts& p) {
    QMenu* help = window.menuBar()->addMenu(tr("&Help"));
    MessageBar* messages = &p.messages;
    help->addAction(
        p.actions.add({.id = "help.about", .text = tr("&About Trainyard"), .help = tr("Version and licence")},
                      messages, [messages] {
                          messages->say(tr("Trainyard %1: how a cluster schedules distributed training on "
                                           "parameter servers. GPL-3.0-or-later.")
                                            .arg(QLatin1String(TRAINYARD_VERSION)));
                      }));
}

} // namespace menus

void makeMenus(QMainWindow& window, const MenuParts& parts) {
    menus::makeFileMenu(window, parts);
    menus::makeEditMenu(window, parts);
    menus::makeViewMenu(window, parts);
    menus::makeRunMenu(window, parts);
    menus::makeHelpMenu(window, parts);
}

} // namespace trainyard
