// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A chart that stands alone, of a comparison, a study or a training, as one file with what it was made by.
#include "analysis/Chart.h"
#include "base/Problem.h"
#include "export/ExportSettings.h"
#include "export/FigureFiles.h"

namespace trainyard {

/// What a chart's file says it was made by.
struct ChartProvenance {
    std::string line;              ///< of ASCII
    std::string above, below = {}; ///< the same, as comments of a table
    std::string footer = {};       ///< in small print under the chart; UTF-8
};

struct TitledChart {
    std::shared_ptr<const Chart> chart;
    QString title;
};

/// How it looks there.
struct ChartFigure {
    QSizeF size = ExportSettings().chartSize; ///< pixels at 96 per inch
    int dotsPerInch = 300;                    ///< of a PNG
    PrintTheme theme = PrintTheme::print;
    FigureTexts texts = {}; ///< in place of its own
    bool footer = true;     ///< what it was made by, in small print
};

/// By the file's ending: png, svg, pdf as drawn, csv, tex. Problems: another ending, or it cannot be written.
Problems writeChartFile(const QString& path, const TitledChart& chart, const ChartProvenance& provenance, QSizeF size,
                        int dotsPerInch, const DrawFigure& draw);

} // namespace trainyard
