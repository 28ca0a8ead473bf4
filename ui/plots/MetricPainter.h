// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The lane of a metric that the user added to the timeline: its value so far, over time. See analysis/MetricHistory.h.
#include "plots/LanePainter.h"
#include "session/Histories.h"

#include <memory>

namespace trainyard {

class MetricHistory;

class MetricPainter final : public LanePainter {
public:
    explicit MetricPainter(HistorySubject subject);

    QString id() const override { return m_subject.id(); }
    QString title() const override { return m_title; }
    QString axisTitle(const LaneInput& input) const override;
    QString emptyText(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;
    std::vector<std::pair<QPointF, QColor>> markers(const LaneCanvas& canvas, const LaneInput& input) const override;

private:
    struct Scale {
        double low = 0, high = 1;
        double y(const QRectF& plot, double value) const;
    };
    static const MetricHistory* shown(const LaneInput& input); ///< null: nothing to draw
    static Scale scaleOf(const MetricHistory& metric);
    static QColor colourOf(const Theme& theme, const MetricHistory& metric);
    static QString whose(const MetricHistory& metric);

    HistorySubject m_subject;
    QString m_title;
};

/// The painter of what was added to the timeline.
std::unique_ptr<LanePainter> makeHistoryPainter(const HistorySubject& subject);

} // namespace trainyard
