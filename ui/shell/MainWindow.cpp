// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/MainWindow.h"

#include "canvas/CanvasView.h"
#include "canvas/TemplatePanel.h"
#include "charts/ChartLane.h"
#include "charts/ViewPanel.h"
#include "compare/ComparePage.h"
#include "export/ExportPanel.h"
#include "forms/PolicyPanel.h"
#include "lanes/LaneStack.h"
#include "pages/StartPage.h"
#include "shell/ActionList.h"
#include "shell/Caption.h"
#include "shell/EditorActions.h"
#include "shell/ExportActions.h"
#include "shell/ExportProgress.h"
#include "shell/FileActions.h"
#include "shell/FocusOrder.h"
#include "shell/HelpBrowser.h"
#include "shell/Inspector.h"
#include "shell/Menus.h"
#include "shell/MessageBar.h"
#include "shell/PanelHelp.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/ProblemsPanel.h"
#include "shell/RunProgress.h"
#include "shell/ScenarioOutline.h"
#include "shell/SessionRestore.h"
#include "shell/ShortcutReasons.h"
#include "shell/StatusLine.h"
#include "shell/ThemeChoice.h"
#include "shell/Tour.h"
#include "tables/EventTable.h"
#include "tables/JobsTable.h"
#include "tables/MetricsTable.h"
#include "tables/TablesPanel.h"
#include "theme/Theme.h"
#include "theme/WheelFocus.h"
#include "training/TrainingPage.h"
#include "transport/TransportBar.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QMenuBar>
#include <QMimeData>
#include <QStackedWidget>
#include <QUndoView>
#include <QVBoxLayout>

#include <utility>

namespace trainyard {

MainWindow::MainWindow(Workspace& workspace, ThemeChoice& theme, QWidget* parent)
    : QMainWindow(parent), m_workspace(workspace), m_actions(new ActionList(this)), m_panels(new Panels(*this)) {
    setObjectName(QStringLiteral("MainWindow"));
    setAcceptDrops(true);
    new WheelFocus(this);
    new FocusFrame(*this);
    setContextMenuPolicy(Qt::NoContextMenu);
    QWidget* lab = makeCentre();
    m_transport = new TransportBar(workspace);
    addToolBar(Qt::TopToolBarArea, m_transport);
    m_files = new FileActions(workspace, *m_messages, this);
    m_editing = new EditorActions(workspace, *m_canvas, *m_actions, *m_messages);
    makePanels();
    m_places = new Places(*this, *m_panels, *m_pages, *m_transport);
    m_places->add("start", tr("Start"), m_start = new StartPage(m_workspace), false);
    m_places->add("lab", tr("Lab"), lab, true);
    m_places->add("compare", tr("Compare"), m_compare = new ComparePage(m_workspace), false);
    m_places->add("training", tr("Training"), m_training = new TrainingPage(m_workspace), false);
    makeTour();
    makeMenus(*this, {m_workspace, *m_actions, *m_panels, *m_canvas, *m_editing, *m_caption, *m_files, *m_exports,
                      *m_transport, theme, *m_messages, *m_places, *m_compare, *m_policies, *m_help, *m_tour});
    new ShortcutReasons(*this, *m_actions, *m_panels);
    auto* status = new StatusLine(workspace);
    status->addPermanentWidget(new RunProgress(workspace));
    status->addPermanentWidget(new ExportProgress(m_exports->controller().job()));
    setStatusBar(status);
    connectStartPage();
    m_places->go("lab");
    connect(status, &StatusLine::problemsRequested, m_panels, [this] { m_panels->show(QStringLiteral("problems")); });
    connect(m_canvas, &CanvasView::inspectRequested, m_panels, [this] { m_panels->open(QStringLiteral("inspector")); });
    connect(m_editing, &EditorActions::inspectRequested, m_canvas, &CanvasView::inspectRequested);
    connect(m_editing, &EditorActions::templateRequested, m_panels,
            [this] { m_panels->open(QStringLiteral("template")); });
    connect(m_problems, &ProblemsPanel::policyRequested, this, [this](PolicyFamily family) {
        m_panels->show(QStringLiteral("policies"));
        m_policies->picker(family)->setFocus();
    });
    connect(m_problems, &ProblemsPanel::entityRequested, this, [this](EntityRef entity, const std::string& path) {
        m_panels->show(QStringLiteral("inspector"));
        m_inspector->jumpTo(entity, path);
    });
    connect(&workspace.document(), &ScenarioModel::edited, this, [this] { m_edited = true; });
    connect(&workspace, &Workspace::problemsChanged, this, &MainWindow::showProblems);
    connect(m_files, &FileActions::problemsWanted, m_panels, [this] { m_panels->show(QStringLiteral("problems")); });
    connect(&workspace.runs(), &RunModel::recordRefused, m_messages, [this](const QString& why) {
        m_messages->say(tr("This run cannot be compared with: %1").arg(why), {}, MessageBar::Tone::problem);
    });
    connect(m_places, &Places::currentChanged, this, &MainWindow::refreshTitle);
    connect(&workspace.document(), &ScenarioModel::fileChanged, this, &MainWindow::refreshTitle);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &MainWindow::refreshTitle);
    connect(&theme, &ThemeChoice::changed, m_canvas->viewport(), qOverload<>(&QWidget::update));
    const auto fitIcons = [this] { m_transport->setIconSize(QSize(20, 20) * Theme::scale()); };
    connect(&theme, &ThemeChoice::changed, m_transport, fitIcons);
    fitIcons();
    refreshTitle();
    theme.applySheet();
    m_canvas->setFocus();
}

MainWindow::~MainWindow() {
    delete m_editing; // it watches the canvas' events, and so goes while that is still a canvas
}

/// The message bar belongs to all places; beneath it one of them. Returns the Lab.
QWidget* MainWindow::makeCentre() {
    auto* centre = new QWidget;
    auto* all = new QVBoxLayout(centre);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);
    auto* top = new QVBoxLayout;
    top->setContentsMargins(8, 8, 8, 0);
    m_messages = new MessageBar;
    top->addWidget(m_messages);
    m_pages = new QStackedWidget;
    all->addLayout(top);
    all->addWidget(m_pages, 1);
    auto* lab = new QWidget;
    auto* column = new QVBoxLayout(lab);
    column->setContentsMargins(8, 0, 8, 0);
    column->setSpacing(8);
    (m_caption = new Caption(m_workspace))->yieldTo(m_messages);
    m_canvas = new CanvasView(m_workspace);
    column->addWidget(m_caption);
    column->addWidget(m_canvas, 1);
    lab->setFocusProxy(m_canvas);
    setCentralWidget(centre);
    return lab;
}

void MainWindow::makePanels() {
    m_policies = new PolicyPanel(m_workspace);
    m_problems = new ProblemsPanel(m_workspace);
    auto* policies = m_panels->add("policies", tr("Policies"), m_policies, Qt::LeftDockWidgetArea);
    m_panels->add("scenario", tr("Scenario"), new ScenarioOutline(m_workspace), Qt::LeftDockWidgetArea, true, policies);
    policies->raise();
    m_inspector = new Inspector(m_workspace);
    auto* inspector = m_panels->add("inspector", tr("Inspector"), m_inspector, Qt::RightDockWidgetArea);
    m_panels->add("template", tr("Template"), new TemplatePanel(m_workspace, *m_canvas), Qt::RightDockWidgetArea, false,
                  inspector);
    auto* timeline = new LaneStack(m_workspace.shownRuns(), m_workspace.axis(), m_workspace.selection(),
                                   m_workspace.histories(), makeChartLane);
    auto* lanes = m_panels->add("lanes", tr("Timeline"), timeline, Qt::BottomDockWidgetArea);
    m_panels->setMemory(QStringLiteral("lanes"),
                        {[timeline] { return timeline->saveLayout(); },
                         [timeline](const QByteArray& kept) { timeline->restoreLayout(kept); }});
    const auto tab = [&](const char* id, const QString& title, QWidget* content, bool shown = true) {
        m_panels->add(id, title, content, Qt::BottomDockWidgetArea, shown, lanes);
    };
    auto* views = new ViewPanel(m_workspace);
    tab("views", tr("Views"), views);
    m_panels->setMemory(QStringLiteral("views"), {[views] { return views->saveLayout(); },
                                                  [views](const QByteArray& kept) { views->restoreLayout(kept); }});
    tab("jobs", tr("Jobs"), new JobsTable(m_workspace));
    tab("problems", tr("Problems"), m_problems);
    tab("events", tr("Events"), new EventTable(m_workspace));
    tab("metrics", tr("Metrics"), new MetricsTable(m_workspace));
    tab("tables", tr("Tables"), new TablesPanel(m_workspace), false);
    lanes->raise();
    auto* controller = new ExportController(m_workspace, *timeline, this);
    controller->takeViewOptions([views] { return views->allOptions(); });
    auto* exports = new ExportPanel(*controller);
    m_panels->add("export", tr("Export"), exports, Qt::RightDockWidgetArea, false, inspector);
    m_exports = new ExportActions(*exports, *m_panels, *m_messages, this);
    m_exports->offerOn(timeline, [timeline](QPoint at) { return laneAt(*timeline, at); });
    m_exports->offerOn(views, [views](QPoint) { return QString::fromStdString(views->view().id); });
    for (const char* table : {"jobs", "events", "metrics"})
        m_exports->offerOn(m_panels->find(QLatin1String(table))->widget(),
                           [table](QPoint) { return QString::fromLatin1(table); });
    connect(m_editing, &EditorActions::contextMenuMade, m_exports,
            [this](QMenu* menu) { m_exports->addTo(*menu, QStringLiteral("cluster")); });
    m_help = new HelpBrowser(m_workspace);
    auto* history = new QUndoView(&m_workspace.document().undoStack());
    history->setEmptyLabel(tr("As opened"));
    history->setAccessibleName(tr("History"));
    m_panels->add("help", tr("Help"), m_help, Qt::RightDockWidgetArea, false, inspector);
    m_panels->add("history", tr("History"), history, Qt::RightDockWidgetArea, false, inspector);
    m_panels->setCentreHeight([this](int width) { return m_canvas->heightAt(width) + m_caption->height(); });
    explainPanels(*m_panels);
    m_panels->begin();
}

/// A cluster that is being drawn is often unfinished: what an edit brings about is counted in the status line
/// and must not move the panels under the user's hands.
void MainWindow::showProblems() {
    const bool edited = std::exchange(m_edited, false);
    Problems problems = m_workspace.problems();
    const bool known = problems == m_problemsSeen;
    if (!edited && !known && hasErrors(problems) && !m_panels->isAside()) m_panels->show(QStringLiteral("problems"));
    m_problemsSeen = std::move(problems);
}

void MainWindow::makeTour() {
    const auto panel = [this](const char* id) {
        return [dock = m_panels->find(QLatin1String(id))]() -> QWidget* { return dock->widget(); };
    };
    m_tour = new Tour(
        *this, {{tr("The cluster"),
                 tr("Machines, racks and links. Squares are workers, circles are parameter servers, in the "
                    "colour of their job. Turn the wheel to zoom; click anything to see what it does and why "
                    "it was placed there."),
                 [this]() -> QWidget* { return m_canvas; }},
                {tr("The policies"),
                 tr("Which policy decides what. Change one and the scenario runs again at once; the previous "
                    "run stays as dashed curves. F1 explains the policy."),
                 panel("policies")},
                {tr("Time"), tr("Space plays and pauses. Step by event, iteration or decision, or set the speed."),
                 [this]() -> QWidget* { return m_transport; }},
                {tr("The run"),
                 tr("Everything on one time axis. Drag in a lane to go to that instant, back as well as forward; "
                    "orange is waiting for a slower worker."),
                 panel("lanes")},
                {tr("Export"),
                 tr("File → Export writes charts, tables and movies. Each file contains its run: drop it on "
                    "the window to run it again."),
                 [this]() -> QWidget* { return menuBar(); }}});
}

void MainWindow::connectStartPage() {
    connect(m_start, &StartPage::fileChosen, m_files, &FileActions::open);
    connect(m_start, &StartPage::openRequested, m_files, &FileActions::openByDialog);
    connect(m_start, &StartPage::templateChosen, m_files, &FileActions::create);
    connect(m_start, &StartPage::recoveryChosen, m_files, &FileActions::recover);
    connect(m_start, &StartPage::tourRefused, this, [this] {
        Tour::rememberOffered();
        m_start->offerTour(false);
    });
    connect(m_start, &StartPage::tourChosen, this, [this] {
        m_start->offerTour(false);
        if (m_workspace.document().scenario().cluster.machines.empty()) m_files->open(m_start->firstScenario());
        m_places->go("lab");
        m_tour->start();
    });
    connect(m_compare, &ComparePage::scenarioWanted, m_files, &FileActions::open);
    connect(m_training, &TrainingPage::labWanted, m_places, [this] { m_places->go("lab"); });
    connect(&m_workspace.document(), &ScenarioModel::documentReplaced, m_places, [this] {
        m_places->go("lab");
        m_canvas->setFocus(); // keys mean the new document, no picker of the old one
    });
    m_start->offerTour(Tour::isToBeOffered());
}

void MainWindow::refreshTitle() {
    const ScenarioModel& document = m_workspace.document();
    const bool nothingOpen = m_places->isAt("start") && !document.isModified();
    setWindowFilePath(nothingOpen ? QString() : document.filePath());
    setWindowTitle(nothingOpen ? tr("Trainyard") : tr("%1[*] – Trainyard").arg(document.displayName()));
}

void MainWindow::restoreLayout() { m_panels->restore(); }

bool MainWindow::restoreSession() {
    const LeftOff left = whereLeftOff();
    if (!m_workspace.preferences().restoreSession() || left.file.isEmpty() || !m_files->open(left.file)) return false;
    if (left.zoom > 0) m_canvas->setZoom(left.zoom);
    return true;
}

bool MainWindow::focusNextPrevChild(bool next) { return tabThrough(partsOf(*this), next); }

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!m_files->mayClose()) {
        event->ignore();
        return;
    }
    m_panels->remember();
    const ScenarioModel& document = m_workspace.document();
    rememberLeftOff(
        {document.isModified() || document.copiedFrom().isEmpty() ? document.filePath() : document.copiedFrom(),
         m_canvas->isFitting() ? 0 : m_canvas->zoom()});
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
