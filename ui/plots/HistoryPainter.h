// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The lane of one machine, link or job that the user added to the timeline. Machine: the share of each
// resource that is taken, and how many of its tasks compute. Link: the load of both directions as a share of
// the bandwidth. Job: its workers, and how many of them compute and wait.
#include "plots/HistoryFold.h"
#include "plots/LanePainter.h"

namespace trainyard {

class HistoryPainter final : public LanePainter {
public:
    explicit HistoryPainter(HistorySubject subject) : m_subject(std::move(subject)) {}

    QString id() const override { return m_subject.id(); }
    QString title() const override { return m_subject.key; }
    QString axisTitle(const LaneInput& input) const override;
    QString emptyText(const LaneInput& input) const override;
    void paint(LaneCanvas& canvas, const LaneInput& input) override;
    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override;
    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override;

private:
    using Curve = HistoryFold::Curve;
    struct Style {
        QColor colour;
        LegendEntry::Swatch swatch = LegendEntry::Swatch::line;
    };
    static Style styleOf(const Theme& theme, const HistoryFold& fold, std::size_t curve);
    static QString nameOf(const HistoryFold& fold, const Curve& curve);
    /// The value at an instant, with its unit: "3 of 4", "112 MB/s".
    static QString valueOf(const HistoryFold& fold, const Curve& curve, double seconds);
    void paintOutages(LaneCanvas& canvas, const LaneInput& input) const;

    HistorySubject m_subject;
};

/// The name of a machine, link or job as people know it, or its key.
QString subjectName(const HistorySubject& subject, const Workload& workload);

} // namespace trainyard
