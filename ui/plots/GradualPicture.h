// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A picture too costly for one frame: it is made behind, while the one finished last is shown, moved and
// stretched to where the axis is by then. Used by LossPlot, whose choices PictureLook names.
#include "base/Ids.h"

#include <QElapsedTimer>
#include <QFont>
#include <QImage>
#include <QRectF>

class QPainter;

namespace trainyard {

/// What a picture shows and where. Equal looks, equal pictures.
struct PictureLook {
    quint32 run = 0, ghost = 0; ///< RunId
    bool byUpdate = false, logarithmic = false, logarithmicAcross = false, gradientNorm = false, lostToWaiting = false;
    double smoothing = 0;
    bool dark = false;
    // What follows may differ between a picture and the one that stands in for it for a moment.
    std::size_t points = 0;  ///< of all curves
    JobId job;               ///< selected
    double from = 0, to = 1; ///< of the horizontal axis
    QRectF area, plot;       ///< where it is painted; the plot is the part that moves with the axis
    double pixelRatio = 1, lineWidth = 1.5;
    QFont font;

    bool sameKind(const PictureLook& other) const;
    /// Nothing but points have come.
    bool isGrown(const PictureLook& before) const;
    friend bool operator==(const PictureLook&, const PictureLook&) = default;
};

class GradualPicture {
public:
    void clear();
    /// Forgets pictures of another kind. True if nothing like this is shown or under way: begin() is due.
    /// Curves that merely have more points wait until the last picture has been seen for a while.
    bool wants(const PictureLook& look);
    void begin(const PictureLook& look);
    bool underWay() const { return m_isUnderWay; }
    bool hasFinished() const { return !m_finished.isNull(); }
    const PictureLook& behindLook() const { return m_behindLook; }
    /// Transparent, for what was begun; its origin is the look's area's.
    QImage blank() const;
    void finish(QImage picture); ///< shown from now on
    bool shows(const PictureLook& look) const { return hasFinished() && m_finishedLook == look; }
    /// The finished picture where `now` has its axis; nothing before the first is finished.
    void paint(QPainter& painter, const PictureLook& now) const;

private:
    QImage m_finished;
    PictureLook m_finishedLook, m_behindLook;
    bool m_isUnderWay = false;
    QElapsedTimer m_begun;         ///< the picture behind, or the last one
    qint64 m_restMilliseconds = 0; ///< after it began, before curves that have merely grown are painted again
};

} // namespace trainyard
