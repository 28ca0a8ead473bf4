// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LossBundle.h"

#include "session/BackgroundWork.h"

#include <QPainter>

#include <cmath>
#include <utility>

namespace trainyard {

namespace loss_bundle {

constexpr double dot = 4; // pixels across, of a curve that is one point

/// From values of the axes to pixels, as QCustomPlot has it.
struct Places {
    QRectF plot;
    LossRange range;
    bool logarithmic, logarithmicAcross;

    QPointF at(double x, double y) const {
        const double across = logarithmicAcross ? std::log(x / range.left) / std::log(range.right / range.left)
                                                : (x - range.left) / (range.right - range.left);
        const double down = logarithmic ? std::log(range.high / y) / std::log(range.high / range.low)
                                        : (range.high - y) / (range.high - range.low);
        return {plot.left() + across * plot.width(), plot.top() + down * plot.height()};
    }
};

} // namespace loss_bundle

using namespace loss_bundle;

void paintBundle(QImage& picture, LossBundle& bundle, const std::stop_token& stop) {
    const Places places{bundle.plot, bundle.range, bundle.logarithmic, bundle.logarithmicAcross};
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(bundle.plot);
    painter.translate(0.5,
                      0.5); // as QCustomPlot does where it smooths edges: the selected curve lies exactly over its own
    QVector<QLineF> lines;
    for (LossBundle::Curve& curve : bundle.curves) {
        if (stop.stop_requested()) return;
        simplifyLosses(curve.points, bundle.range, bundle.logarithmic, bundle.plot.size());
        const std::vector<double>&x = curve.points.x, &y = curve.points.y;
        if (x.size() == 1 && std::isfinite(y.front())) { // a single evaluation is a point, not a line
            painter.setPen(curve.pen);
            painter.setBrush(curve.pen.color());
            painter.drawEllipse(places.at(x.front(), y.front()), dot / 2, dot / 2);
            continue;
        }
        lines.clear();
        std::optional<QPointF> before;
        for (std::size_t i = 0; i < x.size(); ++i) {
            std::optional<QPointF> here;
            if (std::isfinite(y[i])) here = places.at(x[i], y[i]);
            if (before && here) lines.push_back({*before, *here});
            before = here;
        }
        painter.setPen(curve.pen);
        painter.drawLines(lines);
    }
}

/// The thread has picture and bundle until the piece's result is done; then the window has the picture.
struct LossBundlePainting::Job {
    std::stop_source unwanted;
    std::optional<QImage> done;
};

LossBundlePainting::LossBundlePainting() = default;
LossBundlePainting::~LossBundlePainting() { drop(); }

void LossBundlePainting::drop() {
    if (m_job) m_job->unwanted.request_stop();
    m_job.reset();
}

void LossBundlePainting::start(QImage picture, LossBundle bundle) {
    drop();
    if (!m_thread) m_thread = std::make_unique<BackgroundWork>();
    m_job = std::make_shared<Job>();
    struct Work {
        QImage picture;
        LossBundle bundle;
    };
    auto work = std::make_shared<Work>(Work{std::move(picture), std::move(bundle)});
    m_thread->start([job = std::weak_ptr(m_job), unwanted = m_job->unwanted.get_token(),
                     work = std::move(work)](const std::stop_token&) -> BackgroundWork::Result {
        paintBundle(work->picture, work->bundle, unwanted);
        return [job, picture = std::move(work->picture)] {
            if (const auto there = job.lock()) there->done = picture;
        };
    });
}

std::optional<QImage> LossBundlePainting::take() {
    if (!m_job || !m_job->done) return std::nullopt;
    const auto job = std::exchange(m_job, nullptr);
    return std::move(job->done);
}

} // namespace trainyard
