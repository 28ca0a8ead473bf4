// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartMap.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace chart_map {

/// A colour map that holds no more columns and rows than there are pixels to show them: averages of blocks, whose
/// size changes only with the zoom.
class Map final : public QCPColorMap {
public:
    Map(QCPAxis& x, QCPAxis& y, const QRectF& place, const Cells& cells, const Theme& theme)
        : QCPColorMap(&x, &y), m_place(place), m_cells(cells) {
        setInterpolate(false);
        setTightBoundary(true);
        QCPColorGradient colours;
        colours.clearColorStops();
        ColourScale plain = m_cells.scale;
        plain.logarithmic = false; // the data scale is
        plain.from = 0;
        plain.to = 1;
        for (int i = 0; i <= 64; ++i) colours.setColorStopAt(i / 64.0, scaleColour(theme, plain, i / 64.0));
        colours.setNanHandling(QCPColorGradient::nhNanColor);
        colours.setNanColor(theme.load(-1));
        colours.setLevelCount(256);
        setGradient(colours);
        setDataScaleType(m_cells.scale.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        setDataRange(QCPRange(m_cells.scale.from, m_cells.scale.to));
    }

protected:
    void draw(QCPPainter* painter) override {
        const auto cellsPerPixel = [](const QCPAxis& axis, double from, double to, std::size_t count) {
            const double pixels = std::abs(axis.coordToPixel(to) - axis.coordToPixel(from));
            return static_cast<double>(count) / std::max(1.0, pixels);
        };
        fill(blockOf(cellsPerPixel(*mKeyAxis, m_place.left(), m_place.right(), m_cells.columns)),
             blockOf(cellsPerPixel(*mValueAxis, m_place.top(), m_place.bottom(), m_cells.rows)));
        QCPColorMap::draw(painter);
    }

private:
    static std::size_t blockOf(double perPixel) {
        std::size_t block = 1;
        while (static_cast<double>(2 * block) <= perPixel) block *= 2;
        return block;
    }
    void fill(std::size_t wide, std::size_t high) {
        if (wide == m_wide && high == m_high) return;
        m_wide = wide;
        m_high = high;
        const std::size_t columns = (m_cells.columns + wide - 1) / wide, rows = (m_cells.rows + high - 1) / high;
        // A last block that is not full reaches beyond the map: so much wider is the data's range.
        const double dx = m_place.width() / static_cast<double>(m_cells.columns) * static_cast<double>(wide);
        const double dy = m_place.height() / static_cast<double>(m_cells.rows) * static_cast<double>(high);
        auto* data =
            new QCPColorMapData(static_cast<int>(columns), static_cast<int>(rows),
                                QCPRange(m_place.left() + dx / 2, m_place.left() + dx * (double(columns) - 0.5)),
                                QCPRange(m_place.top() + dy / 2, m_place.top() + dy * (double(rows) - 0.5)));
        std::vector<double> sums(columns);
        std::vector<std::uint32_t> counts(columns);
        for (std::size_t r = 0; r < rows; ++r) {
            std::fill(sums.begin(), sums.end(), 0.0);
            std::fill(counts.begin(), counts.end(), 0u);
            for (std::size_t y = r * high; y < std::min(m_cells.rows, (r + 1) * high); ++y) {
                const double* row = m_cells.values.data() + y * m_cells.columns;
                for (std::size_t c = 0, x = 0; c < columns; ++c)
                    for (const std::size_t end = std::min(m_cells.columns, (c + 1) * wide); x < end; ++x)
                        if (std::isfinite(row[x])) sums[c] += row[x], ++counts[c];
            }
            for (std::size_t c = 0; c < columns; ++c)
                data->setCell(static_cast<int>(c), static_cast<int>(r),
                              counts[c] > 0 ? sums[c] / counts[c] : std::numeric_limits<double>::quiet_NaN());
        }
        setData(data); // takes it
    }

    const QRectF m_place;
    const Cells& m_cells;
    std::size_t m_wide = 0, m_high = 0;
};

} // namespace chart_map

void addMap(QCPAxis& x, QCPAxis& y, const QRectF& place, const Cells& cells, const Theme& theme) {
    new chart_map::Map(x, y, place, cells, theme); // owned by the plot
}

} // namespace trainyard
