#pragma once
// A cluster small enough for a thumbnail or the minimap: racks as grounds, links as hair lines, machines and
// switches as blocks. A pure function of the cluster's layout.
#include "canvas/ClusterLayout.h"

class QColor;
class QPainter;

namespace trainyard {

struct Theme;

/// How the scene lies in a picture of this size: the same scale both ways, in the middle.
struct ThumbnailFit {
    double scale = 1;
    QPointF origin; ///< of the scene, in the picture
    static ThumbnailFit of(const QRectF& scene, const QRectF& picture);
    QPointF toPicture(QPointF scene) const { return origin + scene * scale; }
    QPointF toScene(QPointF picture) const { return (picture - origin) / scale; }
    QRectF toPicture(const QRectF& scene) const { return {toPicture(scene.topLeft()), scene.size() * scale}; }
};

void paintThumbnail(QPainter& painter, const ClusterLayout& layout, const ThumbnailFit& fit,
                    const Theme& theme, const QColor& machines);

} // namespace trainyard
