// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Hundreds of loss curves as a picture, painted on a thread of its own: more than the window's thread could
// paint between two frames. It knows points and pens, no run and no QCustomPlot. Used by LossPlot, which
// keeps the picture (GradualPicture) and paints axes and grid on it before.
#include "plots/LossCurves.h"

#include <QImage>
#include <QPen>

#include <memory>
#include <optional>
#include <stop_token>

namespace trainyard {

class BackgroundWork;

struct LossBundle {
    struct Curve {
        LinePoints points;
        QPen pen; ///< solid; its colour is also that of a curve of one point
    };
    std::vector<Curve> curves; ///< in order of painting
    LossRange range;
    bool logarithmic = false, logarithmicAcross = false;
    QRectF plot; ///< which the range spans, in pixels of the picture divided by its pixel ratio
};

/// Leaves out corners that no pixel shows, and paints line by line: of so many curves no joints are seen.
/// Ends early when asked to stop.
void paintBundle(QImage& picture, LossBundle& bundle, const std::stop_token& stop);

/// At most one bundle at a time is painted; the next one replaces it.
class LossBundlePainting {
public:
    LossBundlePainting();
    ~LossBundlePainting();
    void start(QImage picture, LossBundle bundle);
    void drop(); ///< nobody wants it any more
    bool isUnderWay() const { return m_job != nullptr; }
    /// The picture, once it is done; then none is under way.
    std::optional<QImage> take();

private:
    struct Job;
    std::unique_ptr<BackgroundWork> m_thread; ///< from the first bundle on
    std::shared_ptr<Job> m_job;
};

} // namespace trainyard
