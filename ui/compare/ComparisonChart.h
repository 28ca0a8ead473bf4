// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws a chart of a comparison with Qt Charts, the same on screen, on paper and in files: title, thin axes, names at their rows or at
// the ends of their curves, and beneath it what is shown and what speaks against believing it. ChartCard is the widget around it.
#include "analysis/Chart.h"
#include "theme/Theme.h"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <memory>
#include <vector>

class QPainter;

namespace trainyard {

struct ComparisonLook {
    QString title;
    Theme theme;
    double pixels = 12; ///< of the type
    double line = 1.5;
    friend bool operator==(const ComparisonLook&, const ComparisonLook&) = default;
};

/// An element that can be pointed at: of points and cells.
struct ComparisonMark {
    std::size_t series = 0, element = 0;
    QPointF at;
};

/// One size, one look: made anew when either changes.
class ComparisonChart {
public:
    ComparisonChart(std::shared_ptr<const Chart> chart, const ComparisonLook& look, QSizeF size);
    ~ComparisonChart();
    ComparisonChart(const ComparisonChart&) = delete;
    ComparisonChart& operator=(const ComparisonChart&) = delete;

    /// From (0, 0) to its size, on a ground that is already there.
    void draw(QPainter& painter) const;
    const std::vector<ComparisonMark>& marks() const;
    QRectF plotRect() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// What stands under the picture; empty where there is nothing.
QString comparisonCaption(const Chart& chart);

} // namespace trainyard
