// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The loss lane: evaluated losses (or gradient norms) of all jobs against time or against updates, smoothed or
// not, an earlier run beneath as a ghost, and what waiting cost one job. QCustomPlot (LossPlot.cpp) lays out axis and curves and draws them on the lane's canvas, so that window and
// figures show the same. More curves than one frame can hold are
// painted beside the window's thread (LossBundle).
#include "plots/LanePainter.h"
#include "session/RunFold.h"

#include <memory>

namespace trainyard {

struct LossRange;
struct Job;

class LossPlot final : public LanePainter {
public:
    LossPlot();
    ~LossPlot() override;

    QString id() const override { return QStringLiteral("loss"); }
    QString title() const override;
    QString axisTitle(const LaneInput& input) const override;
    QString emptyText(const LaneInput& input) const override;
    bool comparesRuns() const override { return true; }
    QString horizontalTitle(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    bool unfinished() const override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
    double secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const override;
    std::vector<std::pair<QPointF, QColor>> markers(const LaneCanvas& canvas, const LaneInput& input) const override;

private:
    void addWaitingCost(LaneHit& hit, const LaneInput& input, double seconds) const;
    const LossRange& shown() const; ///< the axes as last painted
    const std::vector<double>& valuesOf(const RunFold& run, std::size_t job, const LaneInput& input) const;
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Of keyed jobs only those that train a model have a loss, of graph jobs none.
bool mayHaveLosses(const Job& job);

} // namespace trainyard
