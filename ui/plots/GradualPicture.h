#pragma once
// A picture too costly for one frame: painted piece by piece on an image behind, while the one finished last
// is shown, moved and stretched to where the axis is by then. Knows nothing of what is painted; used by
// LossPlot.
#include "base/Ids.h"

#include <QFont>
#include <QImage>
#include <QRectF>

class QPainter;

namespace trainyard {

/// What a picture shows and where. Equal looks, equal pictures.
struct PictureLook {
    quint32 run = 0, ghost = 0; ///< RunId
    bool byUpdate = false, logarithmic = false, logarithmicAcross = false, gradientNorm = false,
         lostToWaiting = false;
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
    friend bool operator==(const PictureLook&, const PictureLook&) = default;
};

class GradualPicture {
public:
    void clear();
    /// Forgets pictures of another kind. True if nothing like this is shown or under way: begin() is due.
    bool wants(const PictureLook& look);
    void begin(const PictureLook& look);
    bool underWay() const { return !m_behind.isNull(); }
    bool hasFinished() const { return !m_finished.isNull(); }
    /// To paint on; its origin is the look's area's.
    QImage& behind() { return m_behind; }
    const PictureLook& behindLook() const { return m_behindLook; }
    void finish(); ///< what was behind is shown from now on
    bool shows(const PictureLook& look) const { return hasFinished() && m_finishedLook == look; }
    /// The finished picture where `now` has its axis; before the first is finished, what there is of it.
    void paint(QPainter& painter, const PictureLook& now) const;

private:
    QImage m_finished, m_behind;
    PictureLook m_finishedLook, m_behindLook;
};

} // namespace trainyard
