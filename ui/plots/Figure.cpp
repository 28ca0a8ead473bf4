#include "plots/Figure.h"

#include "plots/GanttPainter.h"
#include "plots/Legend.h"
#include "plots/LossPlot.h"
#include "plots/RunFold.h"
#include "plots/StragglerPainter.h"
#include "plots/UtilizationPainter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace figure_drawing {

QFont figureFont(double pixels, bool strong = false) {
    QFont font = Theme::print().tabular();
    font.setPixelSize(static_cast<int>(pixels));
    font.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return font;
}

/// The wanted width of the column of labels left of the plot.
double labelWidth(const LaneInput& input, FigureKind kind, const QFont& font) {
    const QFontMetricsF metrics(font);
    double widest = metrics.horizontalAdvance(QStringLiteral("0.0000"));
    const RunFold& run = *input.run;
    if (kind == FigureKind::gantt)
        for (std::size_t m = 0; m < run.machines().size(); ++m)
            widest = std::max(
                widest, metrics.horizontalAdvance(QString::fromStdString(run.machineName(MachineId(m)))));
    if (kind == FigureKind::stragglers)
        for (std::size_t j = 0; j < run.jobs().size(); ++j)
            widest =
                std::max(widest, metrics.horizontalAdvance(QString::fromStdString(run.jobName(JobId(j))) +
                                                           QStringLiteral(" w00")));
    return std::min(widest + 12, 180.0);
}

struct TimeUnit {
    QString name;
    double seconds = 1;
};

TimeUnit timeUnit(double span) {
    if (span >= 3 * 86400) return {QCoreApplication::translate("Figure", "days"), 86400};
    if (span >= 3 * 3600) return {QCoreApplication::translate("Figure", "h"), 3600};
    if (span >= 600) return {QCoreApplication::translate("Figure", "min"), 60};
    if (span >= 0.5) return {QCoreApplication::translate("Figure", "s"), 1};
    if (span >= 0.5e-3) return {QCoreApplication::translate("Figure", "ms"), 1e-3};
    return {QCoreApplication::translate("Figure", "µs"), 1e-6};
}

void paintTimeAxis(LaneCanvas& canvas, double top) {
    QPainter& p = canvas.painter;
    const TimeUnit unit = timeUnit(canvas.time.to - canvas.time.from);
    p.setFont(canvas.font);
    p.setPen(QPen(canvas.theme.hairline, 1));
    p.drawLine(QPointF(canvas.plot.left(), canvas.plot.bottom()), canvas.plot.bottomRight());
    for (const double t : canvas.time.ticks(canvas.time.tickStep(84))) {
        const double x = canvas.time.x(t);
        p.setPen(QPen(canvas.theme.hairline, 1));
        p.drawLine(QPointF(x, canvas.plot.bottom()), QPointF(x, canvas.plot.bottom() + 4));
        p.setPen(canvas.theme.muted);
        p.drawText(QRectF(x - 60, top + 4, 120, canvas.lineHeight()), Qt::AlignHCenter | Qt::AlignTop,
                   numberText(t / unit.seconds, 6));
    }
    p.setPen(canvas.theme.text);
    p.drawText(QRectF(canvas.plot.left(), top + 6 + canvas.lineHeight(), canvas.plot.width(),
                      canvas.lineHeight() + 2),
               Qt::AlignHCenter | Qt::AlignTop,
               QCoreApplication::translate("Figure", "Time (%1)").arg(unit.name));
}

QString verticalTitle(FigureKind kind) {
    switch (kind) {
    case FigureKind::loss:
        return QCoreApplication::translate("Figure", "Loss");
    case FigureKind::stragglers:
        return QCoreApplication::translate("Figure", "Worker");
    case FigureKind::gantt:
        return QCoreApplication::translate("Figure", "Machine");
    case FigureKind::utilization:
        return QCoreApplication::translate("Figure", "Allocated (% of capacity)");
    }
    return {};
}

} // namespace figure_drawing

using namespace figure_drawing;

std::vector<FigureSpec> figureSpecs() {
    return {{FigureKind::loss, QStringLiteral("loss"), QCoreApplication::translate("Figure", "Loss curves")},
            {FigureKind::stragglers, QStringLiteral("stragglers"),
             QCoreApplication::translate("Figure", "Straggler strip")},
            {FigureKind::gantt, QStringLiteral("gantt"),
             QCoreApplication::translate("Figure", "Gantt chart by machine")},
            {FigureKind::utilization, QStringLiteral("utilization"),
             QCoreApplication::translate("Figure", "Utilization")}};
}

std::unique_ptr<LanePainter> figurePainter(FigureKind kind) {
    switch (kind) {
    case FigureKind::loss:
        return std::make_unique<LossPlot>();
    case FigureKind::stragglers:
        return std::make_unique<StragglerPainter>();
    case FigureKind::gantt:
        return std::make_unique<GanttPainter>();
    case FigureKind::utilization:
        return std::make_unique<UtilizationPainter>();
    }
    return nullptr;
}

void paintFigure(QPainter& painter, QSizeF size, const Theme& theme, const FigureSpec& spec,
                 const RunFold& run, const QString& title, const QString& footer, bool vector) {
    const std::unique_ptr<LanePainter> lane = figurePainter(spec.kind);
    LaneInput input{.run = &run, .at = run.head(), .end = run.head(), .everyJob = true};
    LaneCanvas canvas(painter, theme, figureFont(12));
    canvas.vector = vector;
    canvas.leastRow = 0;
    canvas.mostRow = 1e9; // rows fill the figure
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::TextAntialiasing, true);
    painter.fillRect(QRectF(QPointF(0, 0), size), theme.surface);

    const double margin = 20;
    double y = margin;
    painter.setFont(figureFont(16, true));
    painter.setPen(theme.text);
    const QFontMetricsF headingMetrics(painter.font());
    painter.drawText(QRectF(margin, y, size.width() - 2 * margin, headingMetrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     headingMetrics.elidedText(
                         title.isEmpty() ? spec.heading : QStringLiteral("%1: %2").arg(spec.heading, title),
                         Qt::ElideRight, size.width() - 2 * margin));
    y += headingMetrics.height() + 8;
    y += paintLegendRow(canvas, QRectF(margin, y, size.width() - 2 * margin, 0), lane->legend(theme, input)) +
         8;

    const double axisHeight = 2 * canvas.lineHeight() + 12, footerHeight = 16;
    const double left = margin + canvas.lineHeight() + 4 + labelWidth(input, spec.kind, canvas.font);
    canvas.plot = QRectF(QPointF(std::round(left), std::round(y)),
                         QPointF(std::round(size.width() - margin - 8),
                                 std::round(size.height() - footerHeight - axisHeight - margin / 2)));
    canvas.gutter = QRectF(margin + canvas.lineHeight() + 4, canvas.plot.top(),
                           canvas.plot.left() - margin - canvas.lineHeight() - 4, canvas.plot.height());
    const double end = run.head().toSeconds();
    canvas.time = {
        .from = 0, .to = end > 0 ? end : 1, .left = canvas.plot.left(), .right = canvas.plot.right()};

    if (const QString nothing = lane->emptyText(input); !nothing.isEmpty()) {
        painter.setFont(canvas.font);
        painter.setPen(theme.muted);
        painter.drawText(canvas.plot, Qt::AlignCenter, nothing);
    } else {
        canvas.timeGrid(run.head());
        painter.save();
        painter.setClipRect(
            canvas.plot.adjusted(canvas.gutter.left() - canvas.plot.left(), -canvas.lineHeight(), 1, 1));
        lane->paint(canvas, input);
        painter.restore();
    }
    paintTimeAxis(canvas, canvas.plot.bottom());
    painter.save();
    painter.translate(margin, canvas.plot.center().y());
    painter.rotate(-90);
    painter.setFont(canvas.font);
    painter.setPen(theme.text);
    painter.drawText(QRectF(-canvas.plot.height() / 2, 0, canvas.plot.height(), canvas.lineHeight() + 2),
                     Qt::AlignCenter, verticalTitle(spec.kind));
    painter.restore();
    painter.setFont(figureFont(9));
    painter.setPen(Theme::mix(theme.muted, theme.surface, 0.8));
    painter.drawText(
        QRectF(margin, size.height() - footerHeight - 4, size.width() - 2 * margin, footerHeight),
        Qt::AlignRight | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(footer, Qt::ElideMiddle, size.width() - 2 * margin));
}

} // namespace trainyard
