#pragma once
// Opening (scenarios, and figures or records as the run they show), saving, exporting, recent files, dropped files, recovery after a crash, and the one question that is modal:
// losing unsaved work. What there is to say goes to the message bar. Owned by the main window.
#include "session/Workspace.h"

class QAction;
class QMenu;
class QMimeData;

namespace trainyard {

class MessageBar;

class FileActions final : public QObject {
    Q_OBJECT
public:
    FileActions(Workspace& workspace, MessageBar& messages, QWidget* window);

    void addTo(QMenu* menu);
    QList<QAction*> actions() const { return {m_open, m_save, m_saveAs, m_export}; }
    QList<QAction*> toolBarActions() const { return {m_open, m_save}; }

    /// Opens the file unless unsaved work would be lost and the user keeps it. False: not opened.
    bool open(const QString& path);
    /// Asks for a folder and writes every view of the current run there, in all formats.
    void exportAll();
    bool save();
    bool saveAs();
    /// True if the document may go: it is unmodified, has been saved, or is given up.
    bool mayClose();
    void offerRecovery();
    static QStringList recentFiles();
    static bool accepts(const QMimeData* data);
    void openDropped(const QMimeData* data);

private:
    bool openScenario(const QString& path);
    bool openFigure(const QString& path);
    bool saveTo(const QString& path);
    void remember(const QString& path);
    void fillRecent();

    Workspace& m_workspace;
    MessageBar& m_messages;
    QWidget* m_window;
    QAction *m_open, *m_save, *m_saveAs, *m_export;
    QMenu* m_recent = nullptr;
    bool m_reformatAgreed = false;
};

} // namespace trainyard
