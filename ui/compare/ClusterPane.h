// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A cluster and what runs on it, to be looked at: the whole of it in the room there is. A click selects a machine, or
// the job whose task is clicked. Beside another of its kind in TwoRunsTab.
#include "canvas/CanvasContent.h"
#include "canvas/ClusterGround.h"
#include "canvas/ClusterThumbnail.h"

#include <QWidget>

namespace trainyard {

class Selection;

class ClusterPane final : public QWidget {
    Q_OBJECT
public:
    ClusterPane(Selection& selection, QWidget* parent = nullptr);

    void setCluster(const Cluster& cluster);
    void setState(std::shared_ptr<const ClusterState> state);
    const CanvasContent& content() const { return m_content; }
    /// Middle of a machine, in pixels of the widget; for tests.
    QPointF positionOf(MachineId machine) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override; ///< tooltips
    QSize sizeHint() const override { return {480, 240}; }
    QSize minimumSizeHint() const override { return {200, 110}; }

private:
    ThumbnailFit fit() const;
    ClusterLayout::Hit hitAt(QPointF at) const;
    void takeSelection();

    Selection& m_selection;
    CanvasContent m_content;
    ClusterGround m_ground;
};

} // namespace trainyard
