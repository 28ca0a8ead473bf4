// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The queue lane: how many jobs wait and how many run, over time.
#include "plots/LanePainter.h"
#include "plots/RunFold.h"

namespace trainyard {

class QueuePainter final : public LanePainter {
public:
    QString id() const override { return QStringLiteral("queue"); }
    QString title() const override;
    QString axisTitle(const LaneInput& input) const override;
    QString emptyText(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
};

} // namespace trainyard
