// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ManyLines.h"

#include "session/BackgroundWork.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

namespace many_lines {
/// A picture stretched further than this says nothing any more.
constexpr double mostStretch = 40;
/// Growing lines are painted over and over: what they take of a processor is one part in so many.
constexpr qint64 restFactor = 4;
} // namespace many_lines

bool ManyLines::Look::sameKind(const Look& other) const {
    return run == other.run && ghost == other.ghost && subject == other.subject && dark == other.dark &&
           logarithmicX == other.logarithmicX && logarithmicY == other.logarithmicY;
}

/// The thread has the image until the piece's result is done; then the window has it.
struct ManyLines::Job {
    std::stop_source unwanted;
    QImage done;
};

ManyLines::ManyLines() = default;
ManyLines::~ManyLines() { clear(); }

void ManyLines::clear() {
    if (m_job) m_job->unwanted.request_stop();
    m_job.reset();
    m_finished = {};
}

void ManyLines::take() {
    if (!m_job || m_job->done.isNull()) return;
    m_finished = std::exchange(m_job, nullptr)->done;
    m_finishedLook = m_behindLook;
    m_finishedVertical = m_behindVertical;
    m_restMilliseconds = many_lines::restFactor * m_begun.elapsed();
}

bool ManyLines::wants(const Look& look) {
    take();
    if (!m_finished.isNull() && !m_finishedLook.sameKind(look)) m_finished = {};
    if (m_job && !m_behindLook.sameKind(look)) {
        m_job->unwanted.request_stop();
        m_job.reset();
    }
    return !m_job && !shows(look) && !isResting(look);
}

/// Lines that have merely grown: the last picture is to be seen for a while.
bool ManyLines::isResting(const Look& look) const {
    Look grown = look;
    grown.position = m_finishedLook.position;
    return !m_finished.isNull() && grown == m_finishedLook && m_begun.elapsed() < m_restMilliseconds;
}

bool ManyLines::isSettled(const Look& look) const {
    if (m_finished.isNull() || !m_finishedLook.sameKind(look)) return false;
    if (m_job) return m_job->done.isNull() && m_behindLook.sameKind(look);
    return shows(look) || isResting(look);
}

void ManyLines::begin(const Look& look, LineBundle bundle) {
    m_behindLook = look;
    m_behindVertical = bundle.y;
    m_begun.start();
    if (!m_thread) m_thread = std::make_unique<BackgroundWork>();
    m_job = std::make_shared<Job>();
    const QSizeF size = look.plot.size() * look.pixelRatio;
    QImage image(std::max(1, static_cast<int>(std::ceil(size.width()))),
                 std::max(1, static_cast<int>(std::ceil(size.height()))), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(look.pixelRatio);
    image.fill(Qt::transparent);
    struct Work {
        QImage image;
        LineBundle bundle;
        std::shared_ptr<const Chart> before; ///< the last chart: of a thousand lines, and so freed by the other thread
    };
    auto before = std::exchange(m_chart, bundle.chart);
    auto work = std::make_shared<Work>(Work{std::move(image), std::move(bundle), std::move(before)});
    m_thread->start([job = std::weak_ptr(m_job), unwanted = m_job->unwanted.get_token(), size = look.plot.size(),
                     work = std::move(work)](const std::stop_token&) -> BackgroundWork::Result {
        {
            QPainter painter(&work->image);
            paintBundle(painter, QRectF(QPointF(0, 0), size), work->bundle, unwanted);
        }
        return [job, image = std::move(work->image)] {
            if (const auto there = job.lock()) there->done = image;
        };
    });
}

std::optional<AxisRange> ManyLines::vertical() const {
    return m_finished.isNull() ? std::nullopt : std::optional(m_finishedVertical);
}

void ManyLines::paint(QPainter& painter, const Look& now, const AxisRange& vertical) const {
    if (m_finished.isNull()) return;
    const Look& then = m_finishedLook;
    const auto along = [](const AxisRange& range, bool logarithmic, double value) {
        return logarithmic ? std::log(value / range.from) / std::log(range.to / range.from)
                           : (value - range.from) / (range.to - range.from);
    };
    const auto x = [&](double value) {
        return now.plot.left() + now.plot.width() * along(now.x, now.logarithmicX, value);
    };
    const auto y = [&](double value) {
        return now.plot.bottom() - now.plot.height() * along(vertical, now.logarithmicY, value);
    };
    const QRectF place(QPointF(x(then.x.from), y(m_finishedVertical.to)),
                       QPointF(x(then.x.to), y(m_finishedVertical.from)));
    const auto isNear = [](double a, double b) { return std::abs(a - b) < 0.01; }; // pixels
    if (isNear(place.left(), now.plot.left()) && isNear(place.right(), now.plot.right()) &&
        isNear(place.top(), now.plot.top()) && isNear(place.bottom(), now.plot.bottom()) &&
        then.plot.size() == now.plot.size()) {
        painter.drawImage(now.plot.topLeft(), m_finished);
        return;
    }
    for (const double stretch : {place.width() / now.plot.width(), place.height() / now.plot.height()})
        if (!(stretch <= many_lines::mostStretch && stretch >= 1 / many_lines::mostStretch)) return;
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform, true);
    painter.setClipRect(now.plot, Qt::IntersectClip);
    painter.drawImage(place, m_finished, m_finished.rect());
    painter.restore();
}

} // namespace trainyard
