#pragma once
// Files of the place Compare: a chart as PNG, SVG, PDF, CSV or LaTeX, and the whole page as one HTML file. Each carries the comparison, so that
// it can be repeated from it.
#include "compare/ComparisonChart.h"
#include "run/ComparisonFile.h"

#include <QByteArray>

namespace trainyard {

struct TitledChart {
    std::shared_ptr<const Chart> chart;
    QString title;
};

/// By the file's ending: png, svg, pdf, csv, tex. Problems: another ending, or it cannot be written.
Problems writeComparisonChart(const QString& path, const TitledChart& chart, const RunRecipe& recipe);
/// Charts as inline SVG, the table, the problems, the scenario, and the command that repeats it.
QByteArray comparisonHtml(const ComparisonReport& report, const std::vector<TitledChart>& charts, const QString& title,
                          const std::vector<std::string>& metrics);

} // namespace trainyard
