// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws charts with QCustomPlot: its layout, axes and plottables; over them reference lines, annotations and what
// the look says is selected. One per widget or figure; the values it shows may change at any time.
#include "charts/PicturePainter.h"

namespace trainyard {

class ChartPainter final : public PicturePainter {
public:
    ChartPainter();
    ~ChartPainter() override;

    /// What the next paint() draws. `goesOn`: of the same subject, further on; a picture of many lines may stand in for it for a moment.
    void show(std::shared_ptr<const Chart> chart, bool goesOn = false);

    void paint(QPaintDevice& device, const QRectF& area, const PictureStyle& look) override;
    bool unfinished() const override;
    std::optional<PictureHit> hitAt(QPointF at) const override;
    std::optional<PictureHit> neighbour(const PictureHit* from, int along, int across) const override;
    ElementRef labelAt(QPointF at) const override;
    std::optional<SimTime> instantAt(QPointF at) const override;
    std::vector<QLineF> cursorLines(SimTime at) const override;
    void zoom(QPointF about, double factor) override;
    void pan(QPointF by) override;
    void showAll() override;
    bool isZoomed() const override;
    std::size_t items() const override;
    /// What is seen of the time axis where the user has zoomed a chart of one plot; nothing: all of it.
    std::optional<std::pair<double, double>> seenSeconds() const;
    /// The plots' rectangles as last painted, in the order of the chart's; those left out are empty.
    std::vector<QRectF> plotRects() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace trainyard
