// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "plots/LossPlot.h"

#include "plots/GradualPicture.h"
#include "plots/LossBundle.h"
#include "plots/LossCurves.h"
#include "plots/LostToWaiting.h"
#include "plots/ValueTicks.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPicture>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace loss_plot {

constexpr std::size_t mostAtOnce = 24;     // curves painted in one go; more are painted beside the window's thread
constexpr double millisecondsPerFrame = 1; // for thinning those

/// whole: one path, for exports. pieces: in narrow parts, see linePieces().
enum class Stroke { whole, pieces };

class CurveGraph final : public QCPGraph {
public:
    using QCPGraph::QCPGraph;
    Stroke stroke = Stroke::whole;

protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override {
        painter->setMode(QCPPainter::pmNoCaching, stroke == Stroke::whole);
        if (stroke != Stroke::pieces) return QCPGraph::drawLinePlot(painter, lines);
        painter->setMode(QCPPainter::pmNoCaching, true); // else they fall apart into segments
        QPen pen = painter->pen();
        const bool dashed = pen.style() == Qt::CustomDashLine;
        double length = 0;
        for (const QPolygonF& piece : linePieces(lines, pieceWidth)) {
            if (dashed) { // the next piece continues the pattern
                pen.setDashOffset(length / pen.widthF());
                painter->setPen(pen);
                for (qsizetype i = 1; i < piece.size(); ++i) length += QLineF(piece[i - 1], piece[i]).length();
            }
            drawPolyline(painter, piece);
        }
    }
};

/// Labels at round values, never one alone.
class LossTicker final : public QCPAxisTicker {
public:
    /// `inset`: labels at the ends would be cut.
    LossTicker(bool logarithmic, double apart, bool inset)
        : m_logarithmic(logarithmic), m_inset(inset), m_apart(std::min(apart, 1.0)) {}

    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>* subTicks,
                  QVector<QString>* labels) override {
        // Half a label away from both ends, where it would be cut.
        const double share = std::min(0.4, m_apart / 2.3),
                     low = m_logarithmic ? range.lower * std::pow(range.upper / range.lower, share)
                                         : range.lower + share * range.size();
        const double high = m_logarithmic ? range.upper / std::pow(range.upper / range.lower, share)
                                          : range.upper - share * range.size();
        const std::vector<double> all = valueTicks(m_inset ? low : range.lower, m_inset ? high : range.upper,
                                                   m_logarithmic, m_apart / (m_inset ? 1 - 2 * share : 1));
        ticks = QVector<double>(all.begin(), all.end());
        if (subTicks) subTicks->clear();
        if (!labels) return;
        labels->clear();
        const bool powers = m_logarithmic && range.upper >= 10 * range.lower;
        const double step = powers || all.size() < 2 ? 0 : all[1] - all[0];
        for (const double tick : all) labels->append(tickText(tick, step));
    }

private:
    const bool m_logarithmic, m_inset;
    const double m_apart;
};

} // namespace loss_plot

using namespace loss_plot;

struct LossPlot::Impl {
    QCustomPlot plot; // never shown: a layout engine that draws on our canvas
    LossRange shown;  // as last drawn
    bool logarithmic = false;
    GradualPicture picture;
    LossBundlePainting bundle; // of the picture behind
    LossRange finishedRange, behindRange;
    std::vector<LossLine> curves; // that are thinned for the picture behind
    std::size_t thinned = 0;
    bool unfinished = false;
    std::vector<CurveGraph*> graphs; // of the plot
    LossValues values;

    Impl();
    void styleAxes(const LaneCanvas& canvas, const LaneInput& input);
    double widestLossLabel(const LaneCanvas& canvas) const;
    void setAxes(const LossRange& range, const LaneInput& input, double height, double lineHeight);
    void paintLost(LaneCanvas& canvas, const LaneInput& input);
    void setGraph(int index, const LossLine& curve, const LaneCanvas& canvas, JobId selected, Stroke stroke);
    void hideGraphs(int from);
    /// The axes, the first graphs, or both, onto a device whose origin is the canvas's area's.
    void draw(QCPPainter& painter, const LaneCanvas& canvas);
    void drawOn(LaneCanvas& canvas);
    void paintAtOnce(LaneCanvas& canvas, const LaneInput& input);
    void paintGradually(LaneCanvas& canvas, const LaneInput& input);
    void workOnPicture(const LaneCanvas& canvas, const LaneInput& input);
    void handOver(const LaneCanvas& canvas, const LaneInput& input);
    PictureLook lookOf(const LaneCanvas& canvas, const LaneInput& input) const;
};

LossPlot::Impl::Impl() {
    plot.setLocale(QLocale::c());
    plot.setBackground(QBrush(Qt::NoBrush));
    // Labels are not kept as pixmaps, which would be blurred where a pixel of ours is several of the
    // screen's.
    plot.setPlottingHint(QCP::phFastPolylines, true);
    plot.setPlottingHint(QCP::phCacheLabels, false);
    plot.setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid | QCP::aeLegend);
    plot.setAntialiasedElements(QCP::aePlottables);
    auto* rect = plot.axisRect();
    rect->setAutoMargins(QCP::msNone);
    rect->setMinimumSize(1, 1);
    rect->setMinimumMargins(QMargins());
    plot.plotLayout()->setMargins(QMargins());
    for (auto* axis : rect->axes()) {
        axis->setTickPen(QPen(Qt::transparent)); // no marks: setTicks(false) would take the labels too
        axis->setSubTickPen(QPen(Qt::transparent));
        axis->setBasePen(Qt::NoPen);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
}

void LossPlot::Impl::styleAxes(const LaneCanvas& canvas, const LaneInput& input) {
    for (auto* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLabelColor(canvas.theme.muted);
        axis->setTickLabelFont(canvas.font);
        axis->setTickLabelPadding(axis == plot.yAxis ? 8 : 2);
        axis->grid()->setPen(QPen(canvas.theme.grid, 1));
        axis->setTickLength(0, 0);
        axis->setSubTicks(false);
    }
    const bool own = hasOwnAxis(input); // else the grid is the canvas's, the same in every lane
    plot.xAxis->grid()->setVisible(own);
    plot.xAxis->setTickLabels(own);
    constexpr double labelWidth = 90; // pixels
    plot.xAxis->setTicker(QSharedPointer<QCPAxisTicker>(
        new LossTicker(input.logarithmicAcross, labelWidth / std::max(1.0, canvas.plot.width()), false)));
    plot.xAxis->setScaleType(input.logarithmicAcross ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot.axisRect()->setMargins(QMargins(static_cast<int>(canvas.plot.left() - canvas.gutter.left()), 0, 0,
                                         static_cast<int>(lossBottomMargin(canvas, input))));
}

void LossPlot::Impl::setGraph(int index, const LossLine& curve, const LaneCanvas& canvas, JobId job, Stroke stroke) {
    while (index >= static_cast<int>(graphs.size())) {
        graphs.push_back(new CurveGraph(plot.xAxis, plot.yAxis)); // owned by the plot
        graphs.back()->setAdaptiveSampling(true);
    }
    CurveGraph* graph = graphs[static_cast<std::size_t>(index)];
    graph->stroke = stroke;
    const QPen pen = lossPen(curve, canvas, job, true);
    graph->setPen(pen);
    // A single evaluation is a point, not a line.
    graph->setScatterStyle(curve.points.x.size() == 1
                               ? QCPScatterStyle(QCPScatterStyle::ssDisc, pen, QBrush(pen.color()), 4)
                               : QCPScatterStyle());
    graph->setData(QVector<double>(curve.points.x.begin(), curve.points.x.end()),
                   QVector<double>(curve.points.y.begin(), curve.points.y.end()), true);
    graph->setVisible(true);
}

void LossPlot::Impl::hideGraphs(int from) {
    for (int i = from; i < plot.graphCount(); ++i) {
        plot.graph(i)->data()->clear();
        plot.graph(i)->setVisible(false);
    }
}

void LossPlot::Impl::setAxes(const LossRange& range, const LaneInput& input, double height, double lineHeight) {
    const bool logarithmic = input.logarithmic;
    plot.yAxis->setTicker(
        QSharedPointer<QCPAxisTicker>(new LossTicker(logarithmic, 1.3 * lineHeight / std::max(1.0, height), true)));
    plot.yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot.yAxis->setRange(range.low, range.high);
    plot.xAxis->setRange(range.left, range.right);
}

void LossPlot::Impl::draw(QCPPainter& painter, const LaneCanvas& canvas) {
    plot.toPainter(&painter, static_cast<int>(canvas.plot.right() - canvas.gutter.left()),
                   static_cast<int>(canvas.plot.height()));
}

/// In pixels: an exported figure makes so much room.
double LossPlot::Impl::widestLossLabel(const LaneCanvas& canvas) const {
    QVector<double> ticks;
    QVector<QString> labels;
    plot.yAxis->ticker()->generate(plot.yAxis->range(), QLocale::c(), u'.', 0, ticks, nullptr, &labels);
    double widest = 0;
    for (const QString& label : labels) widest = std::max(widest, QFontMetricsF(canvas.font).horizontalAdvance(label));
    return widest;
}

/// QCustomPlot paints with a painter of its own; a picture carries the shapes over to ours.
void LossPlot::Impl::drawOn(LaneCanvas& canvas) {
    QPicture carried;
    QCPPainter painter(&carried);
    if (canvas.vector) painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    draw(painter, canvas);
    painter.end();
    canvas.painter.save();
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    canvas.painter.drawPicture(QPointF(canvas.gutter.left(), canvas.plot.top()), carried);
    canvas.painter.restore();
}

void LossPlot::Impl::paintAtOnce(LaneCanvas& canvas, const LaneInput& input) {
    std::vector<LossLine> all = lossLines(input, input.job);
    const int buckets = lossBuckets(canvas.plot.width(), all.size());
    const Stroke stroke = !canvas.gradual ? Stroke::whole : Stroke::pieces;
    int used = 0;
    for (LossLine& curve : all) {
        curve.points = thinnedLosses(curve, input, shown, buckets, values);
        shown.include(curve.points);
        setGraph(used++, curve, canvas, input.job, stroke);
    }
    hideGraphs(used);
    shown.pad(logarithmic);
    styleAxes(canvas, input);
    setAxes(shown, input, canvas.plot.height(), canvas.lineHeight());
    canvas.widestLabel = std::max(canvas.widestLabel, widestLossLabel(canvas));
    paintLost(canvas, input);
    for (int i = 0; i < used; ++i) canvas.items += static_cast<std::size_t>(plot.graph(i)->dataCount()) / 2;
    drawOn(canvas);
}

void LossPlot::Impl::paintLost(LaneCanvas& canvas, const LaneInput& input) {
    const JobId job = jobLostToWaiting(input);
    if (!job.valid()) return;
    canvas.painter.save();
    canvas.painter.setClipRect(canvas.plot, Qt::IntersectClip);
    paintWaitingCost(canvas, input, shown, input.run->jobs()[job.index()].losses,
                     values.of(*input.run, job.index(), input));
    canvas.painter.restore();
}

PictureLook LossPlot::Impl::lookOf(const LaneCanvas& canvas, const LaneInput& input) const {
    PictureLook look{.run = input.run ? input.run->run().id : 0,
                     .ghost = input.ghost ? input.ghost->run().id : 0,
                     .byUpdate = input.byUpdate,
                     .logarithmic = input.logarithmic,
                     .logarithmicAcross = input.logarithmicAcross,
                     .gradientNorm = input.gradientNorm,
                     .lostToWaiting = input.lostToWaiting,
                     .smoothing = input.smoothing,
                     .dark = canvas.theme.dark,
                     .job = input.job,
                     .from = input.logarithmicAcross ? std::log10(shown.left) : shown.left,
                     .to = input.logarithmicAcross ? std::log10(shown.right) : shown.right,
                     .plot = canvas.plot,
                     .pixelRatio = canvas.painter.device()->devicePixelRatioF(),
                     .lineWidth = canvas.lineWidth,
                     .font = canvas.font};
    look.area = QRectF(QPointF(canvas.gutter.left(), canvas.plot.top()), canvas.plot.bottomRight());
    for (const RunFold* run : {input.ghost, input.run})
        if (run)
            for (const auto& job : run->jobs()) look.points += job.losses.size();
    return look;
}

/// First all curves are thinned, some at a time, which tells the range of the axis.
void LossPlot::Impl::workOnPicture(const LaneCanvas& canvas, const LaneInput& input) {
    if (bundle.isUnderWay()) {
        if (auto done = bundle.take()) {
            picture.finish(std::move(*done));
            finishedRange = behindRange;
        }
        return;
    }
    QElapsedTimer spent;
    spent.start();
    const int buckets = lossBuckets(picture.behindLook().plot.width(), 1);
    for (; thinned < curves.size(); ++thinned) {
        if (static_cast<double>(spent.nsecsElapsed()) * 1e-6 > millisecondsPerFrame) return;
        curves[thinned].points = thinnedLosses(curves[thinned], input, behindRange, buckets, values);
        behindRange.include(curves[thinned].points);
    }
    behindRange.pad(logarithmic);
    handOver(canvas, input);
}

/// The axes are painted here, the curves over them elsewhere.
void LossPlot::Impl::handOver(const LaneCanvas& canvas, const LaneInput& input) {
    const PictureLook& look = picture.behindLook();
    LaneCanvas behind(canvas.painter, canvas.theme,
                      look.font); // for its measures: the picture's, not today's
    behind.plot = look.plot;
    behind.gutter = QRectF(look.area.topLeft(), QPointF(look.plot.left(), look.area.bottom()));
    behind.lineWidth = look.lineWidth;
    styleAxes(behind, input);
    setAxes(behindRange, input, look.plot.height(), behind.lineHeight());
    hideGraphs(0);
    QImage image = picture.blank();
    {
        QCPPainter painter(&image);
        painter.setRenderHint(QPainter::TextAntialiasing, true);
        draw(painter, behind);
    }
    LossBundle lines{.range = behindRange,
                     .logarithmic = input.logarithmic,
                     .logarithmicAcross = input.logarithmicAcross,
                     .plot = plot.axisRect()->rect()};
    lines.curves.reserve(curves.size());
    for (LossLine& curve : curves) // thousands of dashes would say nothing
        lines.curves.push_back({std::move(curve.points), lossPen(curve, behind, look.job, false)});
    bundle.start(std::move(image), std::move(lines));
}

void LossPlot::Impl::paintGradually(LaneCanvas& canvas, const LaneInput& input) {
    const PictureLook look = lookOf(canvas, input);
    if (picture.wants(look)) {
        picture.begin(look);
        bundle.drop();
        curves = lossLines(input, input.job);
        thinned = 0;
        behindRange = shown;
    }
    if (picture.underWay()) workOnPicture(canvas, input);
    unfinished = !picture.shows(look);
    picture.paint(canvas.painter, look);
    const LossRange& range = picture.hasFinished() ? finishedRange : behindRange;
    const bool known = range.low < range.high;
    shown.low = known ? range.low : 0;
    shown.high = known ? range.high : 1;
    canvas.items += curves.size();
    if (known) paintLost(canvas, input);
    if (!input.job.valid() || !input.run || !known) return;
    // The selected curve as of now, over all others.
    LossLine selected{.run = input.run, .job = input.job.index()};
    selected.points = thinnedLosses(selected, input, shown, lossBuckets(canvas.plot.width(), 1), values);
    setGraph(0, selected, canvas, input.job, Stroke::pieces);
    hideGraphs(1);
    styleAxes(canvas, input);
    setAxes(shown, input, canvas.plot.height(), canvas.lineHeight());
    plot.xAxis->setVisible(false);
    plot.yAxis->setVisible(false);
    drawOn(canvas);
    plot.xAxis->setVisible(true);
    plot.yAxis->setVisible(true);
}

bool mayHaveLosses(const Job& job) {
    if (const KeyedAccess* keyed = job.keyedAccess()) return keyed->task.has_value();
    return !std::holds_alternative<GraphWork>(job.work);
}

LossPlot::LossPlot() : m_impl(std::make_unique<Impl>()) {}
LossPlot::~LossPlot() = default;

QString LossPlot::title() const { return QCoreApplication::translate("Lane", "Loss"); }

QString LossPlot::axisTitle(const LaneInput& input) const {
    const QString shown = input.gradientNorm ? QCoreApplication::translate("Lane", "gradient norm")
                                             : QCoreApplication::translate("Lane", "loss");
    return input.logarithmic ? QCoreApplication::translate("Lane", "%1, log scale").arg(shown) : shown;
}

QString LossPlot::horizontalTitle(const LaneInput& input) const {
    if (!hasOwnAxis(input)) return {};
    const QString shown = input.byUpdate ? QCoreApplication::translate("Lane", "parameter updates")
                                         : QCoreApplication::translate("Lane", "seconds");
    return input.logarithmicAcross ? QCoreApplication::translate("Lane", "%1, log scale").arg(shown) : shown;
}

QString LossPlot::emptyText(const LaneInput& input) const {
    if (!input.run) return QCoreApplication::translate("Lane", "Press play to see the loss of every job fall.");
    for (const auto& job : input.run->jobs())
        if (job.losses.size() > 0 && (!input.gradientNorm || hasNorms(job.losses))) return {};
    if (std::ranges::none_of(input.run->workload().jobs, mayHaveLosses))
        return QCoreApplication::translate("Lane", "No job here has a loss: graph jobs and keyed jobs without a model "
                                                   "only take time.");
    return input.gradientNorm ? QCoreApplication::translate(
                                    "Lane", "No gradient has been evaluated yet. Only trained jobs have gradients.")
                              : QCoreApplication::translate("Lane", "No job has evaluated its loss yet.");
}

void LossPlot::paint(LaneCanvas& canvas, const LaneInput& input) {
    Impl& d = *m_impl;
    d.logarithmic = input.logarithmic;
    d.unfinished = false;
    d.values.keepOnly(input.run, input.ghost);
    setLossAxis(d.shown, canvas, input);
    setLossCeiling(d.shown, input, d.values);
    std::size_t count = 0;
    for (const RunFold* run : {input.ghost, input.run})
        if (run)
            for (const auto& job : run->jobs()) count += job.losses.size() > 0;
    if (canvas.gradual && count > mostAtOnce) {
        d.paintGradually(canvas, input);
        paintLeavingLosses(canvas, input, d.shown, d.values);
        return;
    }
    d.picture.clear();
    d.bundle.drop();
    d.paintAtOnce(canvas, input);
    paintLeavingLosses(canvas, input, d.shown, d.values);
}

bool LossPlot::unfinished() const { return m_impl->unfinished; }

const LossRange& LossPlot::shown() const { return m_impl->shown; }

const std::vector<double>& LossPlot::valuesOf(const RunFold& run, std::size_t job, const LaneInput& input) const {
    return m_impl->values.of(run, job, input);
}

} // namespace trainyard
