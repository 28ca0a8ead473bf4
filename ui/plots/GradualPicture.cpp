// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/GradualPicture.h"

#include <QPainter>

#include <cmath>
#include <utility>

namespace trainyard {

namespace gradual_picture {
/// A picture stretched further than this says nothing any more.
constexpr double mostStretch = 40;
/// Growing curves are painted over and over: what they take of a processor is one part in so many.
constexpr qint64 restFactor = 2;
} // namespace gradual_picture

bool PictureLook::sameKind(const PictureLook& other) const {
    return run == other.run && ghost == other.ghost && byUpdate == other.byUpdate && logarithmic == other.logarithmic &&
           logarithmicAcross == other.logarithmicAcross && gradientNorm == other.gradientNorm && dark == other.dark;
}

bool PictureLook::isGrown(const PictureLook& before) const {
    PictureLook then = *this;
    then.points = before.points;
    return points > before.points && then == before;
}

void GradualPicture::clear() {
    m_finished = {};
    m_isUnderWay = false;
}

bool GradualPicture::wants(const PictureLook& look) {
    if (hasFinished() && !m_finishedLook.sameKind(look)) m_finished = {};
    if (underWay() && !m_behindLook.sameKind(look)) m_isUnderWay = false;
    if (underWay() || shows(look)) return false;
    const bool rests = hasFinished() && look.isGrown(m_finishedLook) && m_begun.elapsed() < m_restMilliseconds;
    return !rests;
}

void GradualPicture::begin(const PictureLook& look) {
    m_behindLook = look;
    m_isUnderWay = true;
    m_begun.start();
}

QImage GradualPicture::blank() const {
    const QSizeF size = m_behindLook.area.size() * m_behindLook.pixelRatio;
    QImage image(std::max(1, static_cast<int>(std::ceil(size.width()))),
                 std::max(1, static_cast<int>(std::ceil(size.height()))), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(m_behindLook.pixelRatio);
    image.fill(Qt::transparent);
    return image;
}

void GradualPicture::finish(QImage picture) {
    m_finished = std::move(picture);
    m_finishedLook = m_behindLook;
    m_isUnderWay = false;
    m_restMilliseconds = gradual_picture::restFactor * m_begun.elapsed();
}

void GradualPicture::paint(QPainter& painter, const PictureLook& now) const {
    if (!hasFinished()) return;
    const QImage& image = m_finished;
    const PictureLook& then = m_finishedLook;
    const bool still = then.from == now.from && then.to == now.to;
    if (still && then.area == now.area && then.plot == now.plot) {
        painter.drawImage(now.area.topLeft(), image);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
    const double ratio = then.pixelRatio, width = (then.plot.left() - then.area.left()) * ratio;
    // What lies beside the plot: values of the vertical axis.
    painter.drawImage(QRectF(now.area.topLeft(), QSizeF(now.plot.left() - now.area.left(), now.area.height())), image,
                      QRectF(0, 0, width, image.height()));
    const double scale = now.plot.width() / (now.to - now.from);
    const double left = now.plot.left() + (then.from - now.from) * scale, right = left + (then.to - then.from) * scale;
    const double stretch = (right - left) / std::max(1.0, now.plot.width());
    if (stretch < gradual_picture::mostStretch && stretch > 1 / gradual_picture::mostStretch) {
        painter.setClipRect(now.plot, Qt::IntersectClip);
        painter.drawImage(QRectF(left, now.area.top(), right - left, now.area.height()), image,
                          QRectF(width, 0, image.width() - width, image.height()));
    }
    painter.restore();
}

} // namespace trainyard
