// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The utilization lane: of each resource of the cluster (of many resources: their mean) the allocated share, and the share
// that computes, as an area;
// and the load of the busiest link. Zoomed out, each pixel column shows the exact mean over the few pixels around it.
#include "plots/LanePainter.h"
#include "plots/RunFold.h"

namespace trainyard {

class UtilizationPainter final : public LanePainter {
public:
    QString id() const override { return QStringLiteral("utilization"); }
    QString title() const override;
    QString axisTitle(const LaneInput& input) const override;
    QString emptyText(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;

private:
    struct Curve {
        const StepSeries* series = nullptr;
        QString name;
        QColor colour;
        LegendEntry::Swatch style = LegendEntry::Swatch::line;
    };
    std::vector<Curve> curves(const Theme& theme, const LaneInput& input) const;
};

/// The polyline of a step series between two pixels, `bottom` at 0 and `top` at 1; at most four corners per
/// pixel column.
QPolygonF stepLine(const StepSeries& series, const TimeScale& time, double fromX, double toX, double bottom,
                   double top);

} // namespace trainyard
