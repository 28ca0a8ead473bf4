// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The cluster at one instant as a figure, with a key of its colours and signs; and its machines as a table.
// Used by exports, the clipboard, the preview and the frames of movies.
#include "base/CsvRows.h"
#include "canvas/CanvasContent.h"
#include "export/Figure.h"

namespace trainyard {

/// What the canvas would show of this state: nothing selected, nothing moving.
CanvasContent clusterContent(const Cluster& cluster, std::shared_ptr<const ClusterState> state);

/// Everything within the frame.
void paintClusterFigure(QPainter& painter, const FigureFrame& frame, const CanvasContent& content);
/// The cluster alone, all of it, in the middle of the area. Any thread.
void paintCluster(QPainter& painter, const Theme& theme, const CanvasContent& content, const QRectF& area);

/// A row per machine: what is in use of each resource, and the tasks on it.
void writeClusterTable(CsvRows& rows, const CanvasContent& content);

} // namespace trainyard
