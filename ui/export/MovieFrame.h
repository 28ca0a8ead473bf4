// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One frame of a movie: title and clock, the cluster, and the lanes of the timeline that are not folded away,
// on one time axis with a cursor. Laid out for 800 lines and scaled to the frame's size. Used by movies and by
// their preview.
#include "export/ClusterFigure.h"
#include "export/Movie.h"

class QPicture;

namespace trainyard {

class MovieFrame {
public:
    MovieFrame(const RunData& run, const MovieOptions& options, const MovieTimes& times, const LaneSource& lanes,
               const QString& footer);

    QString title() const { return m_title; }
    QSizeF size() const { return m_size; } ///< of the shapes
    /// Paints as shapes, on the window's thread.
    void record(QPicture& shapes, const ShownIndex& index, std::shared_ptr<const ClusterState> state, SimTime at);
    /// The shapes as pixels; any thread.
    QImage raster(const QPicture& shapes) const;

private:
    struct Strip {
        LaneFigure figure;
        double height = 0; ///< of the plot
    };
    void paintHead(QPainter& painter, SimTime at) const;
    /// The lanes that are not folded away, sharing a height.
    std::vector<Strip> strips(const ShownIndex& index, SimTime at, double height) const;
    void paintLanes(LaneCanvas& canvas, const QRectF& area, const std::vector<Strip>& strips, SimTime at);
    void paintStripTitle(LaneCanvas& canvas, const LaneFigure& figure, const QRectF& line) const;

    const MovieOptions& m_options;
    const MovieTimes& m_times;
    const LaneSource& m_lanes;
    QString m_title, m_footer;
    QSizeF m_size;       ///< layout, pixels at 96 per inch
    double m_scale = 1;  ///< pixels of the frame per pixel of the layout
    double m_labels = 0; ///< width of the labels so far: the plots do not jump
    CanvasContent m_content;
};

} // namespace trainyard
