// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The main window: menus, docks, layout. Nothing else; what is worked on is the Workspace, and panels only
// know that.
#include "session/Workspace.h"

#include <QMainWindow>

class QStackedWidget;

namespace trainyard {

class ActionList;
class CanvasView;
class Caption;
class ComparePage;
class EditorActions;
class ExportActions;
class FileActions;
class HelpBrowser;
class Inspector;
class MessageBar;
class Panels;
class Places;
class PolicyPanel;
class ProblemsPanel;
class StartPage;
class ThemeChoice;
class Tour;
class TrainingPage;
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
    ExportActions& exports() { return *m_exports; }
    ProblemsPanel& problems() { return *m_problems; }
    Inspector& inspector() { return *m_inspector; }
    ActionList& commands() { return *m_actions; }
    EditorActions& editing() { return *m_editing; }
    Panels& panels() { return *m_panels; }
    Places& places() { return *m_places; }
    StartPage& startPage() { return *m_start; }
    ComparePage& compare() { return *m_compare; }
    TrainingPage& training() { return *m_training; }
    HelpBrowser& help() { return *m_help; }
    Tour& tour() { return *m_tour; }

    /// As it was left; the standard layout if nothing is remembered.
    void restoreLayout();
    /// The file that was open last, as it was left, if that is wanted and it is still there.
    bool restoreSession();

protected:
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeCentre();
    void makePanels();
    void showProblems();
    void makeTour();
    void connectStartPage();
    void refreshTitle();

    Workspace& m_workspace;
    ActionList* m_actions;
    Panels* m_panels;
    CanvasView* m_canvas = nullptr;
    Caption* m_caption = nullptr;
    EditorActions* m_editing = nullptr; ///< the canvas owns it
    MessageBar* m_messages = nullptr;
    TransportBar* m_transport = nullptr;
    PolicyPanel* m_policies = nullptr;
    ProblemsPanel* m_problems = nullptr;
    Inspector* m_inspector = nullptr;
    FileActions* m_files = nullptr;
    ExportActions* m_exports = nullptr;
    bool m_edited = false; ///< since problems last changed
    Problems m_problemsSeen;
    QStackedWidget* m_pages = nullptr;
    Places* m_places = nullptr;
    StartPage* m_start = nullptr;
    ComparePage* m_compare = nullptr;
    TrainingPage* m_training = nullptr;
    HelpBrowser* m_help = nullptr;
    Tour* m_tour = nullptr;
};

} // namespace trainyard
