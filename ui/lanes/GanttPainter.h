// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The Gantt lane: one row per task slot of each machine, filled with the colour of the job that sits there;
// where there is room, what a worker does shows as strength and texture of that colour, and failures of the
// machine lie over it. By job, it hands over to JobGanttPainter, of many machines to GanttMap.
#include "lanes/GanttMap.h"
#include "lanes/JobGanttPainter.h"
#include "lanes/LanePainter.h"
#include "session/ShownIndex.h"

namespace trainyard {

class GanttPainter final : public LanePainter {
public:
    QString id() const override { return QStringLiteral("gantt"); }
    QString title() const override;
    QString axisTitle(const LaneInput& input) const override;
    QString emptyText(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
    std::size_t rows(const LaneInput& input) const override;
    double leastRow(const LaneInput& input, double line) const override;
    double wantedHeight(const LaneInput& input, double line) const override;
    std::optional<std::size_t> rowInView(const LaneInput& input) const override;
    double grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun& before) const override;

private:
    void paintSlot(LaneCanvas& canvas, const LaneInput& input, const SlotHistory& slot, const QRectF& row) const;
    void paintStay(LaneCanvas& canvas, const LaneInput& input, const SlotHistory::Stay& stay, const QRectF& bar) const;
    void paintOutages(LaneCanvas& canvas, const LaneInput& input, const MachineHistory& machine,
                      const QRectF& band) const;

    JobGanttPainter m_byJob;
    GanttMap m_map;
};

} // namespace trainyard
