// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// New documents, opening (scenarios, and figures or records as the run they show), saving, reverting,
// recent and dropped files, recovery after a crash, and the one question that is modal: losing
// unsaved work. What there is to say goes to the message bar. Owned by the main window.
#include "session/FileWatch.h"
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
    FileWatch& watch() { return m_watch; }

    /// `exports`: commands of others that stand after saving.
    void addTo(QMenu* menu, const QList<QAction*>& exports);
    /// Each named by its id: "file.open".
    QList<QAction*> actions() const { return {m_new, m_open, m_revert, m_save, m_saveAs}; }
    QList<QAction*> toolBarActions() const { return {m_open, m_save}; }

    /// A new document without a file, unless unsaved work would be lost and the user keeps it.
    bool create(const Scenario& scenario);
    /// Lets the user choose a file.
    void openByDialog();
    /// Reads the file again, as it was saved last.
    bool revert();
    bool recover(const Journal::Entry& entry);
    /// Opens the file unless unsaved work would be lost and the user keeps it. False: not opened.
    bool open(const QString& path);
    bool save();
    bool saveAs();
    /// True if the document may go: it is unmodified, has been saved, or is given up.
    bool mayClose();
    void offerRecovery();
    static bool accepts(const QMimeData* data);
    /// Opens what was dropped, or says why not and offers what can be opened.
    void openDropped(const QMimeData* data);

Q_SIGNALS:
    void problemsWanted(); ///< the list of problems is to be shown

private:
    void makeActions();
    void refreshActions();
    void refuse(const QString& path, const Problems& problems);
    void onChangedOnDisk();
    void onRemovedFromDisk();
    void tellWhatIsKept();
    bool openScenario(const QString& path);
    bool openFigure(const QString& path);
    bool saveTo(const QString& path);
    void fillRecent();

    Workspace& m_workspace;
    MessageBar& m_messages;
    QWidget* m_window;
    QAction *m_new, *m_open, *m_revert, *m_save, *m_saveAs;
    QMenu* m_recent = nullptr;
    FileWatch m_watch;
    bool m_reformatAgreed = false;
};

} // namespace trainyard
