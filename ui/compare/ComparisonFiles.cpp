// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ComparisonFiles.h"

#include "compare/ClaimsModel.h"
#include "compare/ComparisonTable.h"
#include "export/PictureFigure.h"
#include "run/compare/ComparisonCharts.h"
#include "run/compare/Seeds.h"
#include "scenario/ScenarioFile.h"
#include "theme/CoreText.h"

#include <QPainter>

#include <algorithm>

namespace trainyard {

namespace comparison_files {

QString escaped(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

QString tableHtml(const ComparisonTable& table) {
    QString out = QStringLiteral("<table>\n<tr>");
    for (int c = 0; c < ComparisonTable::columns; ++c)
        out += QStringLiteral("<th>%1</th>")
                   .arg(table.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString().toHtmlEscaped());
    out += QStringLiteral("</tr>\n");
    for (int r = 0; r < table.rowCount(); ++r) {
        out += QStringLiteral("<tr>");
        for (int c = 0; c < ComparisonTable::columns; ++c)
            out += QStringLiteral("<td>%1</td>")
                       .arg(table.data(table.index(r, c), Qt::DisplayRole).toString().toHtmlEscaped());
        out += QStringLiteral("</tr>\n");
    }
    return out + QStringLiteral("</table>\n");
}

/// Its own size, and only the element: it goes into a page.
QString inlineSvg(const QByteArray& file) {
    const QString text = QString::fromUtf8(file);
    return text.mid(std::max<qsizetype>(0, text.indexOf(QLatin1String("<svg"))));
}

QString pageHead(const QString& title) {
    return QStringLiteral(
               "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">\n<title>%1</title>\n<style>\n"
               "body { font: 15px/1.5 sans-serif; color: #1C1F23; max-width: 1180px; margin: 32px auto; padding: 0 24px; }\n"
               "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
               "th, td { text-align: right; padding: 4px 12px; border-bottom: 1px solid #D9DCE0; }\n"
               "th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }\n"
               ".charts { display: flex; flex-wrap: wrap; gap: 16px; } .charts svg { width: 560px; height: auto; }\n"
               "pre { background: #F5F6F7; padding: 12px; overflow: auto; max-height: 420px; }\n"
               ".claims th, .claims td { text-align: left; vertical-align: top; } "
               ".claims td:first-child, .claims td:nth-child(n+3):nth-child(-n+6) { white-space: nowrap; } .warning { color: #8A5A00; }\n</style></head><body>\n")
               .arg(title.toHtmlEscaped()) +
           QStringLiteral("<h1>%1</h1>\n").arg(title.toHtmlEscaped());
}

QString chartsHtml(const std::vector<TitledChart>& charts) {
    QString out = QStringLiteral("<div class=\"charts\">\n");
    for (const TitledChart& chart : charts)
        out += inlineSvg(svgFigure(ChartFigure().size, {chart.title, QByteArray()}, comparisonDrawing(chart, {}, {}))) +
               QLatin1Char('\n');
    return out + QStringLiteral("</div>\n");
}

} // namespace comparison_files

ChartProvenance chartProvenance(const RunProvenance& provenance, const std::vector<std::uint64_t>& seeds,
                                const std::string& done) {
    return {.line = provenanceText(provenance),
            .above = provenanceAbove(provenance),
            .below = provenanceBelow(provenance),
            .footer = "trainyard scenario=" + provenance.scenarioName + " seeds=" + seedsText(seeds) +
                      (done.empty() ? std::string() : " runs=" + done) +
                      " mode=" + std::string(modeName(provenance.mode)) + " version=" + provenance.version};
}

ChartProvenance chartProvenance(const MeasuredStudy& study) {
    const std::string line =
        "trainyard study=" + study.study + " version=" + study.version + " command=\"" + commandOf(study) + "\"";
    return {.line = line, .above = "# " + line + "\n", .footer = line};
}

DrawFigure comparisonDrawing(const TitledChart& chart, const ChartFigure& figure, const QString& footer) {
    const FigureFrame frame{.size = figure.size,
                            .theme = exportTheme(figure.theme),
                            .title = figure.texts.title.isEmpty() ? chart.title : figure.texts.title,
                            .footer = figure.footer ? footer : QString(),
                            .vector = true};
    auto shown = std::make_shared<const Chart>(withTexts(*chart.chart, figure.texts));
    return [frame, shown](QPainter& painter) {
        const QRectF area = paintFigureFrame(painter, frame);
        painter.translate(area.topLeft());
        ComparisonChart(shown, {.title = {}, .theme = frame.theme}, area.size()).draw(painter);
    };
}

Problems writeComparisonChart(const QString& path, const TitledChart& chart, const ChartProvenance& provenance,
                              const ChartFigure& figure) {
    const TitledChart named{std::make_shared<const Chart>(withTexts(*chart.chart, figure.texts)),
                            figure.texts.title.isEmpty() ? chart.title : figure.texts.title};
    return writeChartFile(path, named, provenance, figure.size, figure.dotsPerInch,
                          comparisonDrawing(chart, figure, QString::fromStdString(provenance.footer)));
}

QByteArray comparisonHtml(const ComparisonReport& report, const std::vector<TitledChart>& charts, const QString& title,
                          const QString& about, const std::vector<std::string>& metrics) {
    using namespace comparison_files;
    const RunProvenance provenance = comparisonProvenance(report.request, report.name);
    ComparisonTable table;
    table.show(std::make_shared<const ComparisonResult>(report.result), &report.request, metrics);
    QString out = pageHead(title);
    if (!about.isEmpty()) out += QStringLiteral("<p>%1</p>\n").arg(about.toHtmlEscaped());
    if (!isComplete(report))
        out += QStringLiteral("<p class=\"warning\">%1</p>\n")
                   .arg(ComparisonTable::tr("Partial: runs are missing.").toHtmlEscaped());
    out += chartsHtml(charts) + tableHtml(table);
    if (!report.result.problems.empty()) {
        out += QStringLiteral("<ul class=\"warning\">\n");
        for (const Problem& problem : report.result.problems)
            out += QStringLiteral("<li>%1</li>\n").arg(coreText(problem.message).toHtmlEscaped());
        out += QStringLiteral("</ul>\n");
    }
    out += QStringLiteral("<h2>%1</h2>\n<pre>%2</pre>\n")
               .arg(ComparisonTable::tr("The command that repeats it").toHtmlEscaped(),
                    escaped(comparisonCommand(report.request, report.name)));
    out += QStringLiteral("<h2>%1</h2>\n<pre>%2</pre>\n")
               .arg(escaped(report.name), escaped(writeScenario(*report.request.scenario)));
    out += QStringLiteral("<!-- %1 -->\n</body></html>\n").arg(escaped(provenanceText(provenance)));
    return out.toUtf8();
}

QByteArray claimsHtml(const MeasuredStudy& study, const std::vector<TitledChart>& charts) {
    using namespace comparison_files;
    const auto cell = [](const QString& text) { return QStringLiteral("<td>%1</td>").arg(text.toHtmlEscaped()); };
    const auto& claims = study.report.claims;
    QString out = pageHead(QString::fromStdString(study.title));
    out += QStringLiteral("<p>%1</p>\n").arg(ClaimsModel::summary(claims));
    if (study.report.stopped)
        out += QStringLiteral("<p class=\"warning\">%1</p>\n")
                   .arg(ClaimsModel::tr("Partial: the study was stopped before its end.").toHtmlEscaped());
    out += chartsHtml(charts) + QStringLiteral("<table class=\"claims\">\n<tr>");
    ClaimsModel model;
    model.show(std::make_shared<const MeasuredStudy>(study), false);
    for (int c = 0; c < ClaimsModel::columns; ++c)
        out += QStringLiteral("<th>%1</th>")
                   .arg(model.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString().toHtmlEscaped());
    out += QStringLiteral("<th>%1</th><th>%2</th></tr>\n").arg(ClaimsModel::tr("Said by"), ClaimsModel::tr("Why"));
    for (int r = 0; r < model.rowCount(); ++r) {
        out += QStringLiteral("<tr>");
        for (int c = 0; c < ClaimsModel::columns; ++c)
            out += cell(model.data(model.index(r, c), Qt::DisplayRole).toString());
        out += cell(QString::fromStdString(model.claimAt(r)->source)) +
               cell(QString::fromStdString(model.claimAt(r)->finding)) + QStringLiteral("</tr>\n");
    }
    out += QStringLiteral("</table>\n<h2>%1</h2>\n<pre>%2</pre>\n")
               .arg(ClaimsModel::tr("The command that repeats it").toHtmlEscaped(), escaped(commandOf(study)));
    out += QStringLiteral("<!-- study %1, version %2 -->\n</body></html>\n")
               .arg(escaped(study.study), escaped(study.version));
    return out.toUtf8();
}

} // namespace trainyard
