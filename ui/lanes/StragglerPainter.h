// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The straggler strip: what each worker does, iteration by iteration: of the selected job, or of all jobs where their
// workers fit, else of the first. Zoomed out, a row shows the share of each activity as a stack, so that waiting never
// hides behind computing.
#include "lanes/LanePainter.h"
#include "session/ShownIndex.h"

namespace trainyard {

class RowNames;
struct LaneRun;

class StragglerPainter final : public LanePainter {
public:
    QString id() const override { return QStringLiteral("stragglers"); }
    QString title() const override;
    QString axisTitle(const LaneInput& input) const override;
    QString emptyText(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
    std::size_t rows(const LaneInput& input) const override;
    double grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun& before) const override;

private:
    struct Row {
        JobId job;
        std::uint32_t worker = 0;
    };
    /// The jobs whose workers are shown, in order.
    static std::vector<JobId> shownJobs(const LaneInput& input);
    std::vector<Row> rowList(const LaneInput& input) const;
    QString rowName(const LaneInput& input, const Row& row) const;
    QString rowLabel(const LaneInput& input, const Row& row, bool oneJob, RowNames& names) const;
    void paintRow(LaneCanvas& canvas, const LaneInput& input, const IntervalTrack& track, const QRectF& bar) const;
    void paintStack(LaneCanvas& canvas, const std::vector<LaneRun>& runs, std::size_t from, std::size_t to,
                    const QRectF& bar) const;
    bool showsUpdates(const LaneCanvas& canvas, const LaneInput& input, JobId job, SimTime until) const;
    void paintUpdates(LaneCanvas& canvas, const LaneInput& input, JobId job, double bottom) const;
};

} // namespace trainyard
