// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The commands that draw a cluster: add, delete, copy, link, arrange, put into racks. Each is one step on the
// document's undo stack and works on what is selected; each says why it cannot be used now. Knows no menus:
// the window registers them (shell/EditorActions).
#include "canvas/Arrangement.h"
#include "canvas/CanvasView.h"
#include "canvas/ClusterEdits.h"

#include <QElapsedTimer>

#include <optional>

namespace trainyard {

class CanvasEditor final : public QObject {
    Q_OBJECT
public:
    CanvasEditor(Workspace& workspace, CanvasView& canvas);

    CanvasView& canvas() { return m_canvas; }
    Workspace& workspace() { return m_workspace; }

    enum class Thing { machine, switchNode, rack };
    /// At a point of the scene (of its middle); a rack comes with one machine. In the frame of a rack it is
    /// in that rack. What was added is selected; its id is returned.
    QString add(Thing thing, QPointF scenePosition);
    /// At the mouse if it is over the canvas, else in the middle of what is seen; beside what is there
    /// already.
    QString addHere(Thing thing);

    void remove();
    void duplicate();
    void copy();
    void cut();
    /// A piece of a scenario as JSON; what is wrong with other text is said, and nothing changes.
    void paste();
    void selectAll();
    /// Links what is selected with its only switch, or with what was selected last.
    void linkSelected();
    void link(const QString& from, const QString& to);
    void align(Alignment alignment);
    void distribute(Qt::Orientation along);
    /// Lays out what is selected, or everything: the places given by hand are given up.
    void layOut();
    void groupIntoRack();
    void takeOutOfRack();
    /// Moves what is selected by steps of the grid (whole pixels where snapping is off).
    /// Quick repetitions, as from a key that is held, are one step.
    void nudge(int right, int down);
    /// After dragging: things join and leave racks. `keep`: they stay in theirs.
    void settle(const QStringList& keys, bool step, bool keep);
    /// "m1 joins Rack 2"; empty if moving these changes no rack.
    QString settlingText(const QStringList& keys) const;

    /// Where addHere() and paste() put things instead of at the mouse, while a menu is open there.
    void setTarget(std::optional<QPointF> scenePosition) { m_at = scenePosition; }

    QString whyNotSelection() const; ///< nothing of the cluster is selected
    QString whyNotCopy() const;
    QString whyNotPaste() const;
    QString whyNotSelectAll() const;
    QString whyNotLink() const;
    QString whyNotLink(const QString& from, const QString& to) const;
    QString whyNotArrange(std::size_t least) const; ///< align needs 2 things, distribute 3
    QString whyNotLayOut() const;
    QString whyNotGroup() const;
    QString whyNotTakeOut() const;
    QString whyNotRename() const;

Q_SIGNALS:
    void said(const QString& text, bool problem);

private:
    const Cluster& cluster() const { return m_workspace.document().scenario().cluster; }
    KeySet selected() const;
    void select(const KeySet& keys);
    QString nameOf(const std::string& key) const;
    QString namesOf(const KeySet& keys) const;
    std::vector<PlacedThing> selectedThings() const;
    void move(const QString& text, const QHash<QString, QPointF>& by);
    std::string linkHub() const;
    void noteSelection();
    std::optional<QPointF> targetInScene() const;

    Workspace& m_workspace;
    CanvasView& m_canvas;
    QStringList m_selectedBefore;
    QString m_selectedLast; ///< the one that was added to the selection on its own
    std::string m_lastMachine;
    std::optional<QPointF> m_at;
    ScenarioModel::Gesture m_nudge = 0;
    QElapsedTimer m_nudged;
    QString m_pasted; ///< text of the last paste, and how often it was pasted
    int m_pastes = 0;
};

} // namespace trainyard
