#pragma once
// The main window: menus, docks, layout. Nothing else; what is worked on is the Workspace, and panels only
// know that.
#include "session/Workspace.h"

#include <QMainWindow>

class QDockWidget;

namespace trainyard {

class CanvasView;
class Caption;
class FileActions;
class MessageBar;
class PolicyPanel;
class ProblemsPanel;
class ThemeChoice;
class TransportBar;

class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(Workspace& workspace, ThemeChoice& theme, QWidget* parent = nullptr);
    ~MainWindow() override;

    CanvasView& canvas() { return *m_canvas; }
    TransportBar& transport() { return *m_transport; }
    PolicyPanel& policies() { return *m_policies; }
    Caption& caption() { return *m_caption; }
    MessageBar& messages() { return *m_messages; }
    FileActions& files() { return *m_files; }
    ProblemsPanel& problems() { return *m_problems; }

    /// Back to how it looked on the first day.
    void resetLayout();
    /// As it was left; the standard layout if nothing is remembered.
    void restoreLayout();

protected:
    void showEvent(QShowEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeCentre();
    QDockWidget* addDock(const char* name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
    void tidyTitles();
    void shareSpace();
    void makeDocks();
    void makeMenus();
    void makeViewMenu();
    void makeHelpMenu();
    void refreshTitle();
    void showProblems();

    Workspace& m_workspace;
    ThemeChoice& m_theme;
    CanvasView* m_canvas = nullptr;
    Caption* m_caption = nullptr;
    MessageBar* m_messages = nullptr;
    TransportBar* m_transport = nullptr;
    PolicyPanel* m_policies = nullptr;
    ProblemsPanel* m_problems = nullptr;
    FileActions* m_files = nullptr;
    QList<QDockWidget*> m_docks;
    QDockWidget *m_scenarioDock = nullptr, *m_policyDock = nullptr, *m_inspectorDock = nullptr,
                *m_lanesDock = nullptr, *m_jobsDock = nullptr, *m_problemsDock = nullptr;
    QByteArray m_firstLayout;
    bool m_hasSizes = false; ///< of the docks, remembered or given at the first showing
};

} // namespace trainyard
