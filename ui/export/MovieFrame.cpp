// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/MovieFrame.h"

#include "charts/ViewChoice.h"
#include "drawing/Legend.h"
#include "export/FigureFiles.h"
#include "export/PictureFigure.h"
#include "session/ShownIndex.h"
#include "theme/TimeText.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPicture>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace movie_frame {
constexpr double lines = 800; // of the layout
constexpr double margin = 16, headHeight = 34, footHeight = 18, laneTitle = 20, laneGap = 6, axis = 40;
constexpr double clusterShare = 0.42; // of what head, axis and foot leave
} // namespace movie_frame

MovieFrame::MovieFrame(const RunData& run, const MovieOptions& options, const MovieTimes& times,
                       const LaneSource& lanes, const QString& footer)
    : m_options(options), m_times(times), m_lanes(lanes), m_footer(footer),
      m_scale(options.size.height() / movie_frame::lines) {
    m_title = !options.title.isEmpty() ? options.title
              : run.scenario           ? QString::fromStdString(run.scenario->title)
                                       : QStringLiteral("Trainyard");
    m_size = QSizeF(options.size) / m_scale;
    m_content = clusterContent(run.workload->cluster, nullptr);
}

void MovieFrame::record(QPicture& shapes, const ShownIndex& index, std::shared_ptr<const ClusterState> state,
                        SimTime at) {
    using namespace movie_frame;
    m_content.setState(std::move(state));
    QPainter painter(&shapes);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    painter.fillRect(QRectF(QPointF(0, 0), m_size), m_options.theme.window);
    paintHead(painter, at);
    const double top = margin + headHeight, bottom = m_size.height() - footHeight - 6;
    const double width = m_size.width() - 2 * margin;
    const double shared = std::round((bottom - top - axis) * (1 - clusterShare));
    const std::vector<Strip> lanes = strips(index, at, shared);
    const double cluster = bottom - top - (lanes.empty() ? 0 : shared + axis);
    painter.save();
    const QRectF upper(margin, top, width, cluster - 8);
    if (const View* view = findView(m_options.view.toStdString())) {
        const ViewRequest request{
            .run = index, .job = jobOfKey(index.workload(), m_options.job), .at = at, .options = m_options.viewOptions};
        paintPicture(painter, upper, m_options.theme, false, wholePicture(*view, request));
    } else {
        paintCluster(painter, m_options.theme, m_content, upper);
    }
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing, false);
    LaneCanvas canvas(painter, m_options.theme, figureFont(11));
    canvas.vector = m_scale != 1;
    canvas.leastRow = 0;
    canvas.mostRow = 1e9; // rows fill the strip
    paintLanes(canvas, QRectF(margin, top + cluster, width, shared), lanes, at);
    m_content.setState(nullptr);
}

void MovieFrame::paintHead(QPainter& painter, SimTime at) const {
    using namespace movie_frame;
    const Theme& theme = m_options.theme;
    const QRectF head(margin, margin - 4, m_size.width() - 2 * margin, headHeight);
    painter.setFont(figureFont(18, true));
    painter.setPen(theme.text);
    const QString clock = clockText(at);
    const double taken = QFontMetricsF(painter.font()).horizontalAdvance(clock) + 24;
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, clock);
    painter.drawText(head.adjusted(0, 0, -taken, 0), Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(m_title, Qt::ElideRight, head.width() - taken));
    painter.setFont(figureFont(9));
    painter.setPen(Theme::mix(theme.muted, theme.window, 0.8));
    const QRectF foot(margin, m_size.height() - footHeight - 2, head.width(), footHeight);
    painter.drawText(foot, Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(painter.font()).elidedText(m_footer, Qt::ElideMiddle, foot.width()));
}

std::vector<MovieFrame::Strip> MovieFrame::strips(const ShownIndex& index, SimTime at, double height) const {
    using namespace movie_frame;
    std::vector<Strip> result;
    double all = 0;
    for (const LaneView& lane : m_lanes()) {
        if (lane.folded) continue;
        Strip strip{{.painter = lane.painter,
                     .input = exportInput(lane, index, at),
                     .from = m_times.from,
                     .to = std::max(m_times.to, m_times.from + 1e-9),
                     .unit = m_options.unit},
                    std::max(lane.height, 1.0)};
        if (!m_options.ghost) strip.figure.input.ghost = nullptr;
        all += strip.height;
        result.push_back(std::move(strip));
    }
    const double room = height - static_cast<double>(result.size()) * (laneTitle + laneGap);
    for (Strip& strip : result) strip.height = std::floor(std::max(room, 0.0) * strip.height / all);
    return result;
}

void MovieFrame::paintStripTitle(LaneCanvas& canvas, const LaneFigure& figure, const QRectF& line) const {
    QPainter& painter = canvas.painter;
    double x = line.left();
    const auto text = [&](const QString& words, const QFont& font, const QColor& colour, double gap) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRectF(x, line.top(), line.right() - x, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         words);
        x += QFontMetricsF(font).horizontalAdvance(words) + gap;
    };
    text(figure.painter->title(), figureFont(12, true), m_options.theme.text, 10);
    text(figure.painter->axisTitle(figure.input), canvas.font, m_options.theme.muted, 24);
    const QRectF legend(std::max(x, line.left() + m_labels), line.top() + 1, line.right() - x, line.height());
    painter.save();
    painter.setClipRect(legend); // one row of it
    paintLegendRow(canvas, legend, figure.painter->legend(m_options.theme, figure.input));
    painter.restore();
}

void MovieFrame::paintLanes(LaneCanvas& canvas, const QRectF& area, const std::vector<Strip>& strips, SimTime at) {
    using namespace movie_frame;
    for (const Strip& strip : strips)
        m_labels = std::max(
            m_labels, laneLabelWidth(strip.figure, m_options.theme, canvas.font, QSizeF(area.width(), strip.height)));
    QPainter& painter = canvas.painter;
    double y = area.top();
    for (const Strip& strip : strips) {
        const bool last = &strip == &strips.back();
        paintStripTitle(canvas, strip.figure, QRectF(area.left(), y, area.width(), laneTitle));
        const QRectF lane(area.left(), y + laneTitle, area.width() - 2, strip.height);
        painter.fillRect(lane.adjusted(m_labels, 0, 0, 0), m_options.theme.surface);
        const QRectF plot = paintLane(canvas, strip.figure, lane, m_labels, last);
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (strip.figure.painter->horizontalTitle(strip.figure.input).isEmpty())
            painter.fillRect(QRectF(std::round(canvas.time.x(at.toSeconds())) - 0.75, plot.top(), 1.5, plot.height()),
                             m_options.theme.accent);
        y = lane.bottom() + laneGap;
        if (!last) continue;
        painter.setFont(canvas.font);
        painter.setPen(m_options.theme.text);
        painter.drawText(
            QRectF(plot.left(), plot.bottom() + canvas.lineHeight() + 6, plot.width(), canvas.lineHeight() + 2),
            Qt::AlignHCenter | Qt::AlignTop, laneTexts(strip.figure).horizontal);
    }
}

QImage MovieFrame::raster(const QPicture& shapes) const {
    QImage image(m_options.size, QImage::Format_RGB32);
    if (image.isNull()) return image;
    QPainter painter(&image);
    painter.scale(m_scale, m_scale);
    drawShapes(painter, shapes);
    return image;
}

} // namespace trainyard
