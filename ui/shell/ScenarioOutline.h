// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the open scenario consists of, as a tree: cluster, links, workload, faults. Clicking a leaf selects it
// everywhere; machines, links and jobs can be dragged to the timeline.
#include "analysis/ColouredJobs.h"
#include "session/Workspace.h"

#include <QTreeWidget>

namespace trainyard {

class ScenarioOutline final : public QTreeWidget {
    Q_OBJECT
public:
    explicit ScenarioOutline(Workspace& workspace, QWidget* parent = nullptr);
    /// Null item: of the empty ground.
    QMenu* contextMenu(const QTreeWidgetItem* item);

protected:
    void changeEvent(QEvent* event) override; ///< another theme
    void showEvent(QShowEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override;

private:
    void refresh();
    void rebuild();
    void addCluster();
    void addLinks();
    void addWorkload();
    void addFaults();
    QTreeWidgetItem* addGroup(const char* iconName, const QString& text, bool open);
    void takeSelection();

    Workspace& m_workspace;
    ColouredJobs m_coloured; ///< of the jobs shown
    bool m_busy = false, m_stale = true;
};

} // namespace trainyard
