// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Files of the place Compare: a chart as PNG, SVG, PDF, CSV or LaTeX, and a whole page as one HTML file. Each carries what
// it was made by, so that it can be repeated from it.
#include "compare/ComparisonChart.h"
#include "export/ChartFile.h"
#include "run/compare/ComparisonFile.h"
#include "studies/ClaimsFile.h"

#include <QByteArray>

namespace trainyard {

/// `seeds`: of all its runs. `done`: "12 of 40" runs, where some are missing.
ChartProvenance chartProvenance(const RunProvenance& provenance, const std::vector<std::uint64_t>& seeds,
                                const std::string& done = {});
ChartProvenance chartProvenance(const MeasuredStudy& study);

/// On the window's thread; the chart is drawn anew each time.
DrawFigure comparisonDrawing(const TitledChart& chart, const ChartFigure& figure, const QString& footer);
/// By the file's ending: png, svg, pdf, csv, tex. Problems: another ending, or it cannot be written.
Problems writeComparisonChart(const QString& path, const TitledChart& chart, const ChartProvenance& provenance,
                              const ChartFigure& figure = {});
/// What it is of in words, charts as inline SVG, the table, the problems, the scenario, and the command that repeats it.
QByteArray comparisonHtml(const ComparisonReport& report, const std::vector<TitledChart>& charts, const QString& title,
                          const QString& about, const std::vector<std::string>& metrics);

/// Charts as inline SVG, every claim with its verdict and why, and the command that repeats it.
QByteArray claimsHtml(const MeasuredStudy& study, const std::vector<TitledChart>& charts);

} // namespace trainyard
