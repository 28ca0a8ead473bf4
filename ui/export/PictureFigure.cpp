// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/PictureFigure.h"

#include "charts/ChartAxes.h"
#include "charts/ChartPainter.h"
#include "charts/DiagramPainter.h"
#include "charts/TablePainter.h"
#include "drawing/Legend.h"
#include "theme/CoreText.h"

#include <QPainter>
#include <QPicture>

namespace trainyard {

namespace picture_figure {
constexpr double labelPixels = 12;
}

FigureTexts pictureTexts(const Picture& picture) {
    const auto* chart = std::get_if<Chart>(&picture);
    if (!chart || chart->plots.empty()) return {};
    return {
        .title = {}, .horizontal = axisTitle(chart->plots.front().x), .vertical = axisTitle(chart->plots.front().y)};
}

Chart withTexts(Chart chart, const FigureTexts& texts) {
    for (Plot& plot : chart.plots)
        for (auto [axis, given] : {std::pair(&plot.x, texts.horizontal), std::pair(&plot.y, texts.vertical)})
            if (!given.isEmpty()) axis->title = nameText(given.toStdString()), axis->unit.clear();
    return chart;
}

double tableFigureHeight(const Table& table, bool footer) {
    const double title = QFontMetricsF(figureFont(16, true)).height() + 8;
    return FigureFrame::margin * 1.5 + title + TablePainter::heightOf(table, figureFont(picture_figure::labelPixels)) +
           (footer ? 26 : 10);
}

void paintPicture(QPainter& painter, const QRectF& within, const Theme& theme, bool vector, const Picture& picture) {
    PictureStyle look{.theme = theme, .font = figureFont(picture_figure::labelPixels)};
    look.vector = vector;
    QRectF area = within;
    if (const Text& nothing = emptyOf(picture); !nothing.empty()) {
        painter.setFont(look.font);
        painter.setPen(theme.muted);
        painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, coreText(nothing));
        return;
    }
    LaneCanvas canvas(painter, look.theme, look.font);
    canvas.vector = vector;
    area.setTop(area.top() + paintLegendRow(canvas, area, legendEntries(theme, picture)) + 8);
    // The picture paints on a device of its own; its shapes are carried over.
    QPicture shapes;
    if (const auto* chart = std::get_if<Chart>(&picture)) {
        ChartPainter painting;
        painting.show(std::shared_ptr<const Chart>(std::shared_ptr<const Chart>(), chart));
        painting.paint(shapes, area, look);
    } else if (const auto* table = std::get_if<Table>(&picture)) {
        TablePainter painting;
        painting.show(std::shared_ptr<const Table>(std::shared_ptr<const Table>(), table));
        painting.paint(shapes, area, look);
    } else {
        DiagramPainter painting;
        painting.show(std::shared_ptr<const Diagram>(std::shared_ptr<const Diagram>(), std::get_if<Diagram>(&picture)));
        painting.paint(shapes, area, look);
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.drawPicture(QPointF(0, 0), shapes);
    painter.restore();
}

void paintPictureFigure(QPainter& painter, const FigureFrame& frame, const std::shared_ptr<const Picture>& picture,
                        const FigureTexts& texts) {
    const QRectF area = paintFigureFrame(painter, frame);
    const auto* chart = std::get_if<Chart>(picture.get());
    if (!chart || (texts.horizontal.isEmpty() && texts.vertical.isEmpty()))
        return paintPicture(painter, area, frame.theme, frame.vector, *picture);
    paintPicture(painter, area, frame.theme, frame.vector, withTexts(*chart, texts));
}

} // namespace trainyard
