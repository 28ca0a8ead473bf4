// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Finding machines, switches and racks by name, id or rack: a line over the canvas that selects and centres
// what it finds. Enter goes to the next, Shift and Enter back, Escape closes it.
#include "session/Workspace.h"

#include <QFrame>

class QLabel;
class QLineEdit;

namespace trainyard {

class CanvasView;

/// Ids of what matches, in order of the cluster: first what is called exactly so, then by a part of its own
/// name or id, then by the rack it is in. An empty text finds nothing.
QStringList searchCluster(const Cluster& cluster, const QString& text);

class CanvasSearch final : public QFrame {
    Q_OBJECT
public:
    CanvasSearch(Workspace& workspace, CanvasView& canvas);

    void open();
    void finish();
    QString status() const; ///< "2 of 5"

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void go(int by);
    void showMatch();

    Workspace& m_workspace;
    CanvasView& m_canvas;
    QLineEdit* m_text;
    QLabel* m_status;
    QStringList m_matches;
    qsizetype m_current = 0;
};

} // namespace trainyard
