// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The Gantt lane of a cluster with more machines than have rows: a row per rack or per stretch of machines, a cell's colour
// the mean share of their scarcest resource that is allocated; of a selected job, what it has of it. Used by GanttPainter.
#include "lanes/LanePainter.h"
#include "session/ShownIndex.h"

namespace trainyard {

class GanttMap {
public:
    /// Machines of the run are too many for a row each.
    static bool isFor(const LaneInput& input);

    struct Row {
        std::size_t first = 0, last = 0; ///< machines, last excluded
        QString name;                    ///< in full
        QString label;                   ///< without what the names of all machines have in common
    };
    static std::vector<Row> rowsOf(const ShownIndex& run);
    std::size_t rows(const ShownIndex& run) const { return known(run).rows.size(); }
    /// Of which the jobs together ask for the greatest share of the cluster; the first if they ask for nothing.
    static std::size_t scarcestResource(const Workload& workload);

    void paint(LaneCanvas& canvas, const LaneInput& input) const;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const;
    std::optional<std::size_t> rowInView(const LaneInput& input) const;
    double grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun& before) const;
    /// Of a resource, by column of four pixels from `left` on, 0 … 1. Cost: the stays seen and the columns.
    static std::vector<double> shares(const LaneInput& input, const Row& row, std::size_t resource,
                                      const TimeScale& time, double left, double right);
    /// The step of colour of a share, 0 … `steps`; −1: nothing is allocated.
    static int stepOf(double share);
    static constexpr int steps = 64;
    static constexpr double column = 4; ///< pixels

private:
    /// What the same workload has in every frame.
    struct Known {
        std::shared_ptr<const Workload> workload;
        std::vector<Row> rows;
        std::size_t resource = 0; ///< scarcestResource()
    };
    const Known& known(const ShownIndex& run) const;
    mutable Known m_known;
};

} // namespace trainyard
