// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ExportActions.h"

#include "export/ExportPanel.h"
#include "lanes/Lane.h"
#include "lanes/LaneStack.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "theme/ActionReason.h"
#include "theme/Theme.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QDesktopServices>
#include <QDockWidget>
#include <QFileDialog>
#include <QMainWindow>
#include <QMenu>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace export_actions {
constexpr int wantedWidth = 380; // of the panel: narrower, nothing can be made out in its preview
constexpr int wantedHeight = 300, leastLanes = 150;
} // namespace export_actions

ExportActions::ExportActions(ExportPanel& panel, Panels& panels, MessageBar& messages, QWidget* window)
    : QObject(window), m_panel(panel), m_controller(panel.controller()), m_panels(panels), m_messages(messages),
      m_window(window), m_export(new QAction(tr("&Export…"), this)),
      m_exportAll(new QAction(tr("Export A&ll…"), this)) {
    m_export->setObjectName(QStringLiteral("file.export"));
    m_exportAll->setObjectName(QStringLiteral("file.export-all"));
    m_export->setShortcut(QKeyCombination(Qt::ControlModifier, Qt::Key_E));
    m_exportAll->setShortcut(QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_E));
    setActionHelp(m_export, tr("Charts, tables and movies of the run, with a preview"));
    setActionHelp(m_exportAll, tr("Writes every view of this run, in the formats that are chosen under Export"));
    connect(m_export, &QAction::triggered, this, [this] { show(); });
    connect(m_exportAll, &QAction::triggered, this, &ExportActions::exportAll);
    connect(&m_controller, &ExportController::availableChanged, this, &ExportActions::refresh);
    connect(&m_controller, &ExportController::told, this, &ExportActions::tell);
    connect(m_panels.find(QStringLiteral("export")), &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (!visible) QTimer::singleShot(0, this, &ExportActions::giveBack); // once it is laid out
    });
    refresh();
}

void ExportActions::refresh() {
    const QString why = m_controller.whyNot();
    setActionAvailable(m_exportAll, why);
}

void ExportActions::show(const QString& view) {
    const QDockWidget* lanes = m_panels.find(QStringLiteral("lanes"));
    if (m_panels.find(QStringLiteral("export"))->isHidden()) m_lanesBefore = lanes->isHidden() ? 0 : lanes->height();
    m_panels.show(QStringLiteral("export"));
    giveRoom();
    if (!view.isEmpty()) m_panel.chooseOnly(view);
    m_panels.open(QStringLiteral("export"));
}

/// Wide enough for its form; in a low window the lanes give it some of their height, or it is all scrolling.
void ExportActions::giveRoom() {
    using namespace export_actions;
    QDockWidget *dock = m_panels.find(QStringLiteral("export")), *lanes = m_panels.find(QStringLiteral("lanes"));
    auto* window = qobject_cast<QMainWindow*>(m_window);
    if (!window || dock->isFloating()) return;
    const auto scaled = [](double pixels) { return static_cast<int>(pixels * Theme::scale()); };
    if (dock->width() < scaled(wantedWidth)) window->resizeDocks({dock}, {scaled(wantedWidth)}, Qt::Horizontal);
    QTimer::singleShot(0, dock, [=] { // once it has its place
        const int missing = scaled(wantedHeight) - dock->height();
        if (missing <= 0 || lanes->isFloating() || lanes->isHidden()) return;
        window->resizeDocks({lanes}, {std::max(lanes->height() - missing, scaled(leastLanes))}, Qt::Vertical);
    });
}

/// The lanes have the height again that they had before.
void ExportActions::giveBack() {
    QDockWidget *dock = m_panels.find(QStringLiteral("export")), *lanes = m_panels.find(QStringLiteral("lanes"));
    auto* window = qobject_cast<QMainWindow*>(m_window);
    if (!window || !dock->isHidden()) return; // behind another tab it still needs the room
    const int before = std::exchange(m_lanesBefore, 0);
    if (!lanes->isHidden() && !lanes->isFloating() && lanes->height() < before)
        window->resizeDocks({lanes}, {before}, Qt::Vertical);
}

void ExportActions::exportAll() {
    const QString folder =
        QFileDialog::getExistingDirectory(m_window, tr("Export All Views To"), m_panel.look().directory);
    if (!folder.isEmpty()) exportAllTo(folder);
}

void ExportActions::exportAllTo(const QString& folder) {
    ExportOptions options = m_panel.look();
    options.directory = folder;
    m_controller.exportFiles(options);
}

void ExportActions::offerOn(QWidget* widget, ViewAt view) {
    m_offered.insert(widget, std::move(view));
    widget->installEventFilter(this);
}

void ExportActions::addTo(QMenu& menu, const QString& view) {
    const QString why = m_controller.whyNot();
    const auto copy = [this, view](CopyAs as) {
        for (const ExportView& each : m_controller.views())
            if (each.id == view) m_controller.copy(each, as, m_panel.look());
    };
    menu.setToolTipsVisible(true);
    menu.addAction(tr("&Export This View…"), this, [this, view] { show(view); })
        ->setObjectName(QStringLiteral("view.export"));
    const auto line = [&](const QString& text, const char* name, CopyAs as) {
        QAction* action = menu.addAction(text, this, [copy, as] { copy(as); });
        action->setObjectName(QLatin1String(name));
        setActionHelp(action, tr("To the clipboard; contains its run"));
        setActionAvailable(action, why);
    };
    line(tr("Copy &Picture"), "view.copy-picture", CopyAs::picture);
    line(tr("Copy Table as &CSV"), "view.copy-csv", CopyAs::csv);
    line(tr("Copy Table for a &Spreadsheet"), "view.copy-spreadsheet", CopyAs::spreadsheet);
}

bool ExportActions::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ContextMenu) return false;
    const QPoint at = static_cast<QContextMenuEvent*>(event)->globalPos();
    const auto offered = m_offered.constFind(watched);
    const QString view = offered == m_offered.constEnd() ? QString() : (*offered)(at);
    if (view.isEmpty()) return false;
    auto* menu = new QMenu(m_window);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (const auto own = static_cast<QWidget*>(watched)->actions(); !own.isEmpty()) {
        menu->addActions(own);
        menu->addSeparator();
    }
    addTo(*menu, view);
    menu->popup(at);
    return true;
}

void ExportActions::tell(const QString& text, bool problem, const QString& folder) {
    if (m_panel.isVisible()) return; // it says so itself
    QList<MessageBar::Answer> answers;
    if (!folder.isEmpty())
        answers << MessageBar::Answer{tr("Open Folder"),
                                      [folder] { QDesktopServices::openUrl(QUrl::fromLocalFile(folder)); }};
    m_messages.say(text, answers, problem ? MessageBar::Tone::problem : MessageBar::Tone::notice);
}

} // namespace trainyard
