// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Export commands of the window: the panel, everything at once, and for each view a context menu that exports
// or copies it. Says what came of it where the panel is not there to say it. Owned by the main window.
#include "export/ExportController.h"

class QAction;
class QMenu;

namespace trainyard {

class ExportPanel;
class MessageBar;
class Panels;

class ExportActions final : public QObject {
    Q_OBJECT
public:
    ExportActions(ExportPanel& panel, Panels& panels, MessageBar& messages, QWidget* window);

    ExportController& controller() { return m_controller; }
    /// Each named by its id: "file.export".
    QList<QAction*> actions() const { return {m_export, m_exportAll}; }

    /// Opens the panel with this view alone chosen; empty: as it was left.
    void show(const QString& view = {});
    /// Every view in every format, in the look of the panel.
    void exportAllTo(const QString& folder);
    /// A right click on this widget, wherever nobody else answers it, offers to export the view that lies there
    /// (its id; empty: none), after the widget's own actions.
    using ViewAt = std::function<QString(QPoint globalPosition)>;
    void offerOn(QWidget* widget, ViewAt view);
    /// The same lines for a menu of somebody else's.
    void addTo(QMenu& menu, const QString& view);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void exportAll();
    void giveRoom();
    void giveBack();
    void refresh();
    void tell(const QString& text, bool problem, const QString& folder);

    ExportPanel& m_panel;
    ExportController& m_controller;
    Panels& m_panels;
    MessageBar& m_messages;
    QWidget* m_window;
    QAction *m_export, *m_exportAll;
    int m_lanesBefore = 0; ///< height of the lanes before the panel was shown
    QHash<QObject*, ViewAt> m_offered;
};

} // namespace trainyard
