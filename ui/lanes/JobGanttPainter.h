// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The Gantt lane by job: one row per job. A hatched outline while it waits in the queue, a bar in its colour
// while it runs, as high as it has workers, and a mark for how it ended. Used by GanttPainter.
#include "lanes/LanePainter.h"
#include "session/ShownIndex.h"

namespace trainyard {

class JobGanttPainter final : public LanePainter {
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
    std::optional<std::size_t> rowInView(const LaneInput& input) const override;

private:
    struct Row {
        JobId id;
        const JobHistory& job;
        QRectF bar;
        QColor colour; ///< dimmed where another job is selected
        bool dimmed = false;
    };
    void paintWaits(LaneCanvas& canvas, const LaneInput& input, const Row& row) const;
    void paintWorkers(LaneCanvas& canvas, const LaneInput& input, const Row& row) const;
    void paintCounts(LaneCanvas& canvas, const LaneInput& input, const Row& row) const;
    void paintEnd(LaneCanvas& canvas, const LaneInput& input, const Row& row) const;
};

/// What a job does at an instant: in the queue, with so many workers, or over.
JobHistory::Phase jobPhaseAt(const JobHistory& job, SimTime at);

} // namespace trainyard
