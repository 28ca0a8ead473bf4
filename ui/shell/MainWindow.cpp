#include "shell/MainWindow.h"

#include "canvas/CanvasView.h"
#include "forms/PolicyPanel.h"
#include "plots/LaneStack.h"
#include "shell/Caption.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/MessageBar.h"
#include "shell/ProblemsPanel.h"
#include "shell/ScenarioOutline.h"
#include "shell/StatusLine.h"
#include "shell/ThemeChoice.h"
#include "tables/JobsTable.h"
#include "theme/Icons.h"
#include "transport/TransportBar.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QMenuBar>
#include <QMimeData>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {
constexpr int layoutVersion = 1; // of the remembered docks: raise it when docks change
}

MainWindow::MainWindow(Workspace& workspace, ThemeChoice& theme, QWidget* parent)
    : QMainWindow(parent), m_workspace(workspace), m_theme(theme) {
    setObjectName(QStringLiteral("MainWindow"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setContextMenuPolicy(Qt::NoContextMenu);
    setCentralWidget(makeCentre());
    m_transport = new TransportBar(workspace);
    addToolBar(Qt::TopToolBarArea, m_transport);
    m_files = new FileActions(workspace, *m_messages, this);
    makeDocks();
    makeMenus();
    auto* status = new StatusLine(workspace, *m_canvas);
    setStatusBar(status);

    connect(status, &StatusLine::problemsRequested, this, &MainWindow::showProblems);
    connect(m_canvas, &CanvasView::inspectRequested, m_inspectorDock, [this] {
        m_inspectorDock->show();
        m_inspectorDock->raise();
    });
    connect(m_problems, &ProblemsPanel::policyRequested, this, [this](PolicyFamily family) {
        m_policyDock->show();
        m_policyDock->raise();
        m_policies->picker(family)->setFocus();
    });
    connect(&workspace, &Workspace::problemsChanged, this, [this] {
        if (hasErrors(m_workspace.problems())) showProblems();
    });
    connect(&workspace.document(), &ScenarioModel::fileChanged, this, &MainWindow::refreshTitle);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &MainWindow::refreshTitle);
    connect(&theme, &ThemeChoice::changed, m_canvas->viewport(), qOverload<>(&QWidget::update));
    refreshTitle();
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

QDockWidget* MainWindow::addDock(const char* name, const QString& title, QWidget* content,
                                 Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QLatin1String(name));
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_docks << dock;
    for (auto moved : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
        connect(dock, moved, this, &MainWindow::tidyTitles, Qt::QueuedConnection);
    connect(dock, &QDockWidget::dockLocationChanged, this, &MainWindow::tidyTitles, Qt::QueuedConnection);
    return dock;
}

/// Behind a tab the tab is the title: dragging it out brings the title bar back.
void MainWindow::tidyTitles() {
    for (QDockWidget* dock : m_docks) {
        const bool tabbed = !dock->isFloating() && !tabifiedDockWidgets(dock).isEmpty();
        if (tabbed == (dock->titleBarWidget() != nullptr)) continue;
        QWidget* old = dock->titleBarWidget();
        dock->setTitleBarWidget(tabbed ? new QWidget : nullptr);
        delete old;
    }
}

void MainWindow::makeDocks() {
    m_policies = new PolicyPanel(m_workspace);
    m_problems = new ProblemsPanel(m_workspace);
    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_scenarioDock =
        addDock("scenario", tr("Scenario"), new ScenarioOutline(m_workspace), Qt::LeftDockWidgetArea);
    m_policyDock = addDock("policies", tr("Policies"), m_policies, Qt::LeftDockWidgetArea);
    m_inspectorDock =
        addDock("inspector", tr("Inspector"), new Inspector(m_workspace), Qt::RightDockWidgetArea);
    m_lanesDock =
        addDock("lanes", tr("Timeline"),
                new LaneStack(m_workspace.runs(), m_workspace.axis(), m_workspace.selection(), nullptr),
                Qt::BottomDockWidgetArea);
    m_jobsDock = addDock("jobs", tr("Jobs"), new JobsTable(m_workspace), Qt::BottomDockWidgetArea);
    m_problemsDock = addDock("problems", tr("Problems"), m_problems, Qt::BottomDockWidgetArea);
    tabifyDockWidget(m_lanesDock, m_jobsDock);
    tabifyDockWidget(m_jobsDock, m_problemsDock);
    m_lanesDock->raise();
    tidyTitles();
    m_firstLayout = saveState(layoutVersion);
}

void MainWindow::makeMenus() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    m_files->addTo(file);
    file->addSeparator();
    QAction* quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(QKeySequence::Quit);

    QMenu* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_workspace.document().undoStack().createUndoAction(this, tr("&Undo"));
    QAction* redo = m_workspace.document().undoStack().createRedoAction(this, tr("&Redo"));
    undo->setShortcut(QKeySequence::Undo);
    redo->setShortcut(QKeySequence::Redo);
    undo->setIcon(icon("undo"));
    redo->setIcon(icon("redo"));
    edit->addActions({undo, redo});
    edit->addSeparator();
    QAction* none = edit->addAction(tr("Select &None"), &m_workspace.selection(), &Selection::clear);
    none->setShortcut(QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_A));
    QAction* first = m_transport->actions().first();
    m_transport->insertActions(first, m_files->toolBarActions() + QList<QAction*>{undo, redo});
    m_transport->insertSeparator(first);

    makeViewMenu();
    QMenu* run = menuBar()->addMenu(tr("&Run"));
    run->addActions(m_transport->runActions());
    makeHelpMenu();
}

void MainWindow::makeViewMenu() {
    QMenu* view = menuBar()->addMenu(tr("&View"));
    const auto add = [&](const char* iconName, const QString& text, const QKeySequence& keys, auto slot) {
        QAction* action = view->addAction(icon(iconName), text, m_canvas, slot);
        action->setShortcut(keys);
        return action;
    };
    add("fit", tr("&Fit Cluster"), QKeyCombination(Qt::ControlModifier, Qt::Key_0), &CanvasView::fit);
    add("zoom-in", tr("Zoom &In"), QKeySequence::ZoomIn, &CanvasView::zoomIn);
    add("zoom-out", tr("Zoom &Out"), QKeySequence::ZoomOut, &CanvasView::zoomOut);
    view->addSeparator();
    m_theme.addTo(view->addMenu(tr("&Theme")));
    QAction* reduce = view->addAction(tr("Reduce &Motion"));
    reduce->setCheckable(true);
    reduce->setChecked(QSettings().value(QStringLiteral("reduceMotion")).toBool());
    connect(reduce, &QAction::toggled, m_canvas, &CanvasView::setReduceMotion);
    connect(reduce, &QAction::toggled, this,
            [](bool on) { QSettings().setValue(QStringLiteral("reduceMotion"), on); });
    m_canvas->setReduceMotion(reduce->isChecked());
    view->addSeparator();
    QAction* caption = view->addAction(tr("&Caption"));
    caption->setCheckable(true);
    caption->setChecked(m_caption->isWanted());
    connect(caption, &QAction::triggered, m_caption, &Caption::setWanted);
    connect(m_caption, &Caption::wantedChanged, caption,
            [this, caption] { caption->setChecked(m_caption->isWanted()); });
    for (QDockWidget* dock : m_docks) view->addAction(dock->toggleViewAction());
    view->addSeparator();
    view->addAction(tr("&Reset Layout"), this, &MainWindow::resetLayout);
}

void MainWindow::makeHelpMenu() {
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&About Trainyard"), this, [this] {
        m_messages->say(tr("Trainyard %1: how a cluster schedules distributed training on parameter servers. "
                           "GPL-3.0-or-later.")
                            .arg(QLatin1String(TRAINYARD_VERSION)));
    });
}

void MainWindow::showProblems() {
    m_problemsDock->show();
    m_problemsDock->raise();
}

void MainWindow::refreshTitle() {
    setWindowTitle(tr("%1[*] – Trainyard").arg(m_workspace.document().displayName()));
    setWindowModified(m_workspace.document().isModified());
}

/// Lanes need height, policies more than the outline; the canvas has the rest.
void MainWindow::shareSpace() {
    resizeDocks({m_scenarioDock, m_policyDock, m_inspectorDock}, {264, 264, 248}, Qt::Horizontal);
    resizeDocks({m_lanesDock}, {std::clamp(height() * 2 / 5, 220, 560)}, Qt::Vertical);
    resizeDocks({m_scenarioDock, m_policyDock}, {100, 400}, Qt::Vertical);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (std::exchange(m_hasSizes, true)) return;
    QTimer::singleShot(0, this,
                       &MainWindow::shareSpace); // sizes mean something only once the window has its own
}

void MainWindow::resetLayout() {
    restoreState(m_firstLayout, layoutVersion);
    shareSpace();
    for (QDockWidget* dock : m_docks) dock->show();
    m_lanesDock->raise();
    m_canvas->fit();
}

void MainWindow::restoreLayout() {
    const QSettings settings;
    if (!restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray())) resize(1280, 800);
    m_hasSizes = restoreState(settings.value(QStringLiteral("window/docks")).toByteArray(), layoutVersion);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_files->mayClose()) {
        event->ignore();
        return;
    }
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/docks"), saveState(layoutVersion));
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
