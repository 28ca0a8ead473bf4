// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A cluster small enough for a card, a thumbnail or the minimap. Pure functions of cluster and theme.
#include "canvas/ClusterLayout.h"
#include "model/Workload.h"
#include "theme/Theme.h"

#include <QPixmap>

#include <limits>
#include <memory>

class QPainter;

namespace trainyard {

/// How the scene lies in a picture of this size: the same scale both ways, in the middle.
struct ThumbnailFit {
    double scale = 1;
    QPointF origin; ///< of the scene, in the picture
    static ThumbnailFit of(const QRectF& scene, const QRectF& picture,
                           double largest = std::numeric_limits<double>::infinity());
    QPointF toPicture(QPointF scene) const { return origin + scene * scale; }
    QPointF toScene(QPointF picture) const { return (picture - origin) / scale; }
    QRectF toPicture(const QRectF& scene) const { return {toPicture(scene.topLeft()), scene.size() * scale}; }
};

/// Racks as grounds, links as hair lines, machines and switches as blocks.
void paintThumbnail(QPainter& painter, const ClusterLayout& layout, const ThumbnailFit& fit, const Theme& theme,
                    const QColor& machines);

/// As the canvas draws it, with its first jobs placed wherever they fit: for cards of the gallery. `size` in
/// device-independent pixels. An empty cluster gives the bare ground.
QPixmap busyThumbnail(const std::shared_ptr<const Workload>& workload, const Theme& theme, QSize size,
                      double devicePixelRatio);

} // namespace trainyard
