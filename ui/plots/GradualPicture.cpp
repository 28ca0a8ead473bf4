#include "plots/GradualPicture.h"

#include <QPainter>

#include <cmath>

namespace trainyard {

namespace gradual_picture {
/// A picture stretched further than this says nothing any more.
constexpr double mostStretch = 40;
} // namespace gradual_picture

bool PictureLook::sameKind(const PictureLook& other) const {
    return run == other.run && ghost == other.ghost && byUpdate == other.byUpdate &&
           logarithmic == other.logarithmic && logarithmicAcross == other.logarithmicAcross &&
           gradientNorm == other.gradientNorm && dark == other.dark;
}

void GradualPicture::clear() {
    m_finished = m_behind = {};
}

bool GradualPicture::wants(const PictureLook& look) {
    if (hasFinished() && !m_finishedLook.sameKind(look)) m_finished = {};
    if (underWay() && !m_behindLook.sameKind(look)) m_behind = {};
    return !underWay() && !shows(look);
}

void GradualPicture::begin(const PictureLook& look) {
    m_behindLook = look;
    const QSizeF size = look.area.size() * look.pixelRatio;
    m_behind =
        QImage(std::max(1, static_cast<int>(std::ceil(size.width()))),
               std::max(1, static_cast<int>(std::ceil(size.height()))), QImage::Format_ARGB32_Premultiplied);
    m_behind.setDevicePixelRatio(look.pixelRatio);
    m_behind.fill(Qt::transparent);
}

void GradualPicture::finish() {
    m_finished = std::exchange(m_behind, {});
    m_finishedLook = m_behindLook;
}

void GradualPicture::paint(QPainter& painter, const PictureLook& now) const {
    const bool done = hasFinished();
    const QImage& image = done ? m_finished : m_behind;
    const PictureLook& then = done ? m_finishedLook : m_behindLook;
    if (image.isNull()) return;
    const bool still = then.from == now.from && then.to == now.to;
    if (still && then.area == now.area && then.plot == now.plot) {
        painter.drawImage(now.area.topLeft(), image);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
    const double ratio = then.pixelRatio, width = (then.plot.left() - then.area.left()) * ratio;
    // What lies beside the plot: values of the vertical axis.
    painter.drawImage(
        QRectF(now.area.topLeft(), QSizeF(now.plot.left() - now.area.left(), now.area.height())), image,
        QRectF(0, 0, width, image.height()));
    const double scale = now.plot.width() / (now.to - now.from);
    const double left = now.plot.left() + (then.from - now.from) * scale,
                 right = left + (then.to - then.from) * scale;
    const double stretch = (right - left) / std::max(1.0, now.plot.width());
    if (stretch < gradual_picture::mostStretch && stretch > 1 / gradual_picture::mostStretch) {
        painter.setClipRect(now.plot, Qt::IntersectClip);
        painter.drawImage(QRectF(left, now.area.top(), right - left, now.area.height()), image,
                          QRectF(width, 0, image.width() - width, image.height()));
    }
    painter.restore();
}

} // namespace trainyard
