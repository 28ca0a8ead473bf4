#include "canvas/ClusterThumbnail.h"

#include "theme/Theme.h"

#include <QPainter>

#include <algorithm>

namespace trainyard {

namespace cluster_thumbnail {
constexpr std::size_t mostLinks = 6000; // more would be one grey area

QRectF block(const QRectF& box) {
    constexpr double least = 1.5;
    QRectF grown(QPointF(), QSizeF(std::max(box.width(), least), std::max(box.height(), least)));
    grown.moveCenter(box.center());
    return grown;
}
} // namespace cluster_thumbnail

ThumbnailFit ThumbnailFit::of(const QRectF& scene, const QRectF& picture) {
    if (scene.width() <= 0 || scene.height() <= 0) return {1, picture.center()};
    const double scale = std::min(picture.width() / scene.width(), picture.height() / scene.height());
    return {scale, picture.center() - scene.center() * scale};
}

void paintThumbnail(QPainter& painter, const ClusterLayout& layout, const ThumbnailFit& fit,
                    const Theme& theme, const QColor& machines) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(Theme::mix(theme.muted, theme.raised, 0.14));
    for (const QRectF& rack : layout.racks)
        if (!rack.isNull()) painter.drawRoundedRect(fit.toPicture(rack), 2, 2);
    QVector<QLineF> lines;
    for (const auto& link : layout.links)
        if (link.from != link.to && static_cast<std::size_t>(lines.size()) < cluster_thumbnail::mostLinks)
            lines.push_back({fit.toPicture(link.from), fit.toPicture(link.to)});
    QColor hair = Theme::mix(theme.muted, theme.raised, 0.7);
    if (lines.size() > 120) hair.setAlpha(std::clamp(static_cast<int>(18000 / lines.size()), 24, 150));
    painter.setPen(QPen(hair, 1));
    painter.drawLines(lines);
    painter.setPen(Qt::NoPen);
    painter.setBrush(machines);
    for (const QRectF& card : layout.machines)
        painter.drawRect(cluster_thumbnail::block(fit.toPicture(card)));
    painter.setBrush(Theme::mix(theme.text, theme.raised, 0.7));
    for (const QRectF& node : layout.switches) {
        const QRectF box = cluster_thumbnail::block(fit.toPicture(node));
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
    }
}

} // namespace trainyard
