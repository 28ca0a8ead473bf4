// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What lies beneath in the picture of a large cluster and does not change while a run goes on: rack frames
// and links at rest. Painted once, then kept as pixels until view, cluster, selection or theme change. Owned
// by the canvas; filled by ClusterPainter.
#include "canvas/CanvasContent.h"
#include "theme/Theme.h"

#include <QPixmap>
#include <QTransform>

#include <functional>

class QPainter;

namespace trainyard {

class ClusterGround {
public:
    /// `draw` is called where the kept pixels no longer hold, with a painter in scene pixels and the part of
    /// the scene that the device shows.
    void paint(QPainter& painter, const CanvasContent& content, const Theme& theme,
               const std::function<void(QPainter&, const QRectF&)>& draw);

private:
    QPixmap m_pixels;
    QTransform m_view;
    std::size_t m_cluster = 0;
    std::vector<bool> m_linksUp;
    std::set<std::string, std::less<>> m_selected;
    QColor m_window;   ///< stands for the theme
    double m_type = 0; ///< size of type
};

} // namespace trainyard
