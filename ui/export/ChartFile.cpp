// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/ChartFile.h"

#include "run/compare/ComparisonCharts.h"
#include "run/files/AtomicFile.h"
#include "run/files/PictureFile.h"

#include <QFileInfo>
#include <QImage>

namespace trainyard {

namespace {

QByteArray bytesOf(const QString& ending, const TitledChart& chart, const ChartProvenance& provenance, QSizeF size,
                   int dotsPerInch, const DrawFigure& draw) {
    if (ending == QLatin1String("csv"))
        return QByteArray::fromStdString(provenance.above + pictureCsv(Picture(*chart.chart)) + provenance.below);
    if (ending == QLatin1String("tex")) return QByteArray::fromStdString(pgfplotsText(*chart.chart));
    const FigureText text{chart.title, QByteArray::fromStdString(provenance.line)};
    if (ending == QLatin1String("svg")) return svgFigure(size, text, draw);
    if (ending == QLatin1String("pdf")) return pdfFigure(size, text, draw);
    if (ending == QLatin1String("png")) return pngFile(rasterFigure(size, dotsPerInch, draw), text);
    return {};
}

} // namespace

Problems writeChartFile(const QString& path, const TitledChart& chart, const ChartProvenance& provenance, QSizeF size,
                        int dotsPerInch, const DrawFigure& draw) {
    const QByteArray bytes = bytesOf(QFileInfo(path).suffix().toLower(), chart, provenance, size, dotsPerInch, draw);
    if (bytes.isEmpty())
        return {{.code = "bad-usage",
                 .message = {TRAINYARD_TEXT("charts are written as .png, .svg, .pdf, .csv or .tex, not as {0}"),
                             {path.toStdString()}},
                 .file = path.toStdString()}};
    return replaceFile(path.toStdString(), bytes.toStdString());
}

} // namespace trainyard
