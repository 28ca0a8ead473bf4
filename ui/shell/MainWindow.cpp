#include "shell/MainWindow.h"

#include "canvas/CanvasView.h"
#include "canvas/TemplatePanel.h"
#include "forms/PolicyPanel.h"
#include "plots/LaneStack.h"
#include "shell/ActionList.h"
#include "shell/Caption.h"
#include "shell/EditorActions.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/Menus.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/ProblemsPanel.h"
#include "shell/ScenarioOutline.h"
#include "shell/StatusLine.h"
#include "shell/ThemeChoice.h"
#include "tables/JobsTable.h"
#include "transport/TransportBar.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QMimeData>
#include <QVBoxLayout>

#include <utility>

namespace trainyard {

MainWindow::MainWindow(Workspace& workspace, ThemeChoice& theme, QWidget* parent)
    : QMainWindow(parent), m_workspace(workspace), m_actions(new ActionList(this)),
      m_panels(new Panels(*this)) {
    setObjectName(QStringLiteral("MainWindow"));
    setAcceptDrops(true);
    setContextMenuPolicy(Qt::NoContextMenu);
    setCentralWidget(makeCentre());
    m_transport = new TransportBar(workspace);
    addToolBar(Qt::TopToolBarArea, m_transport);
    m_files = new FileActions(workspace, *m_messages, this);
    m_editing = new EditorActions(workspace, *m_canvas, *m_actions, *m_messages);
    makePanels();
    makeMenus(*this, {m_workspace, *m_actions, *m_panels, *m_canvas, *m_editing, *m_caption, *m_files,
                      *m_transport, theme, *m_messages});
    auto* status = new StatusLine(workspace);
    setStatusBar(status);

    connect(status, &StatusLine::problemsRequested, m_panels,
            [this] { m_panels->show(QStringLiteral("problems")); });
    connect(m_canvas, &CanvasView::inspectRequested, m_panels,
            [this] { m_panels->show(QStringLiteral("inspector")); });
    connect(m_editing, &EditorActions::inspectRequested, m_canvas, &CanvasView::inspectRequested);
    connect(m_editing, &EditorActions::templateRequested, m_panels, [this] {
        m_panels->show(QStringLiteral("template"));
        m_panels->find(QStringLiteral("template"))->widget()->setFocus();
    });
    connect(m_problems, &ProblemsPanel::policyRequested, this, [this](PolicyFamily family) {
        m_panels->show(QStringLiteral("policies"));
        m_policies->picker(family)->setFocus();
    });
    connect(&workspace, &Workspace::problemsChanged, this, &MainWindow::showProblems);
    connect(&workspace.document(), &ScenarioModel::fileChanged, this, &MainWindow::refreshTitle);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &MainWindow::refreshTitle);
    connect(&theme, &ThemeChoice::changed, m_canvas->viewport(), qOverload<>(&QWidget::update));
    refreshTitle();
    m_canvas->setFocus();
}

MainWindow::~MainWindow() = default;

QWidget* MainWindow::makeCentre() {
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(8, 8, 8, 0);
    column->setSpacing(8);
    m_messages = new MessageBar;
    m_caption = new Caption(m_workspace);
    m_canvas = new CanvasView(m_workspace);
    column->addWidget(m_messages);
    column->addWidget(m_caption);
    column->addWidget(m_canvas, 1);
    return centre;
}

void MainWindow::makePanels() {
    m_policies = new PolicyPanel(m_workspace);
    m_problems = new ProblemsPanel(m_workspace);
    m_panels->add("scenario", tr("Scenario"), new ScenarioOutline(m_workspace), Qt::LeftDockWidgetArea);
    m_panels->add("policies", tr("Policies"), m_policies, Qt::LeftDockWidgetArea);
    auto* inspector =
        m_panels->add("inspector", tr("Inspector"), new Inspector(m_workspace), Qt::RightDockWidgetArea);
    m_panels->add("template", tr("Template"), new TemplatePanel(m_workspace, *m_canvas),
                  Qt::RightDockWidgetArea, false, inspector);
    auto* lanes =
        m_panels->add("lanes", tr("Timeline"),
                      new LaneStack(m_workspace.runs(), m_workspace.axis(), m_workspace.selection(), nullptr),
                      Qt::BottomDockWidgetArea);
    const auto tab = [&](const char* id, const QString& title, QWidget* content, bool shown = true) {
        m_panels->add(id, title, content, Qt::BottomDockWidgetArea, shown, lanes);
    };
    tab("jobs", tr("Jobs"), new JobsTable(m_workspace));
    tab("problems", tr("Problems"), m_problems);
    lanes->raise();
    m_panels->begin();
}

/// A cluster that is being drawn is often unfinished: what an edit brings about is counted in the status line
/// and must not move the panels under the user's hands.
void MainWindow::showProblems() {
    const int step = m_workspace.document().undoStack().index();
    const bool edited = std::exchange(m_stepOfProblems, step) != step;
    Problems problems = m_workspace.problems();
    const bool known = problems == m_problemsSeen;
    if (!edited && !known && hasErrors(problems)) m_panels->show(QStringLiteral("problems"));
    m_problemsSeen = std::move(problems);
}

void MainWindow::refreshTitle() {
    setWindowTitle(tr("%1[*] – Trainyard").arg(m_workspace.document().displayName()));
    setWindowModified(m_workspace.document().isModified());
}

void MainWindow::restoreLayout() {
    m_panels->restore();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_files->mayClose()) {
        event->ignore();
        return;
    }
    m_panels->remember();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (FileActions::accepts(event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    m_files->openDropped(event->mimeData());
    event->acceptProposedAction();
}

} // namespace trainyard
