#include "plots/LossPlot.h"

#include <QCoreApplication>
#include <QPicture>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

struct LossPlot::Impl {
    QCustomPlot plot;                              // never shown: a layout engine that draws on our canvas
    double low = 0, high = 1, left = 0, right = 1; // ranges as last drawn
    bool logarithmic = false;

    Impl();
    void styleAxes(const LaneCanvas& canvas, const LaneInput& input, double margin);
    void addCurve(const LaneCanvas& canvas, const LaneInput& input, const RunFold& run, std::size_t job,
                  int buckets, bool ghost);
    void setRanges(const LaneCanvas& canvas, const LaneInput& input);
    double bottomMargin(const LaneCanvas& canvas, const LaneInput& input) const;
    QPointF place(const LaneCanvas& canvas, const LaneInput& input, double x, double loss) const;
    int used = 0; // graphs in use
};

LossPlot::Impl::Impl() {
    plot.setLocale(QLocale::c());
    plot.setBackground(QBrush(Qt::NoBrush));
    // Segments one by one: joined into one thick antialiased path, thousands of them take a tenth of a
    // second. Labels are not kept as pixmaps, which would be blurred where a pixel of ours is several of the
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

double LossPlot::Impl::bottomMargin(const LaneCanvas& canvas, const LaneInput& input) const {
    return input.byUpdate ? std::ceil(canvas.lineHeight()) + 2 : 0;
}

void LossPlot::Impl::styleAxes(const LaneCanvas& canvas, const LaneInput& input, double margin) {
    for (auto* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLabelColor(canvas.theme.muted);
        axis->setTickLabelFont(canvas.font);
        axis->setTickLabelPadding(axis == plot.yAxis ? 8 : 2);
        axis->grid()->setPen(QPen(canvas.theme.grid, 1));
        axis->setTickLength(0, 0);
        axis->setSubTicks(false);
    }
    plot.xAxis->grid()->setVisible(input.byUpdate); // the time grid is the canvas's, the same in every lane
    plot.xAxis->setTickLabels(input.byUpdate);
    plot.xAxis->ticker()->setTickCount(std::max(2, static_cast<int>(canvas.plot.width() / 110)));
    plot.axisRect()->setMargins(QMargins(static_cast<int>(canvas.plot.left() - canvas.gutter.left()), 0, 0,
                                         static_cast<int>(margin)));
}

void LossPlot::Impl::addCurve(const LaneCanvas& canvas, const LaneInput& input, const RunFold& run,
                              std::size_t job, int buckets, bool ghost) {
    const LossSeries& all = run.jobs()[job].losses;
    if (all.size() == 0) return;
    LinePoints points;
    if (input.byUpdate) {
        const LossSeries kept = keptUpdates(all);
        points = decimated(kept.update, kept.loss, left, right, buckets);
    } else {
        points = decimated(all.time, all.loss, left, right, buckets);
    }
    if (logarithmic) // a zero has no place on a logarithmic axis; QCustomPlot breaks the line at NaN
        for (double& y : points.y)
            if (!(y > 0)) y = std::numeric_limits<double>::quiet_NaN();
    if (used == plot.graphCount()) plot.addGraph();
    QCPGraph* graph = plot.graph(used++);
    const JobId id(job);
    const bool selected = input.job == id, dimmed = input.job.valid() && !selected;
    QColor colour = canvas.theme.job(id);
    if (ghost) colour = Theme::mix(colour, canvas.theme.surface, 0.55);
    if (dimmed) colour = Theme::mix(colour, canvas.theme.surface, 0.32);
    QPen pen(colour, selected ? canvas.lineWidth * 4 / 3 : canvas.lineWidth);
    pen.setJoinStyle(Qt::RoundJoin);
    if (ghost)
        pen.setDashPattern({4, 3});
    else if (canvas.theme.jobStriped(id))
        pen.setDashPattern({10, 2});
    graph->setPen(pen);
    graph->setAdaptiveSampling(true);
    // A single evaluation is a point, not a line.
    graph->setScatterStyle(points.x.size() == 1
                               ? QCPScatterStyle(QCPScatterStyle::ssDisc, pen, QBrush(colour), 4)
                               : QCPScatterStyle());
    for (std::size_t i = 0; i < points.y.size(); ++i)
        if (std::isfinite(points.y[i])) {
            low = std::min(low, points.y[i]);
            high = std::max(high, points.y[i]);
        }
    graph->setData(QVector<double>(points.x.begin(), points.x.end()),
                   QVector<double>(points.y.begin(), points.y.end()), true);
    graph->setVisible(true);
}

void LossPlot::Impl::setRanges(const LaneCanvas& canvas, const LaneInput& input) {
    if (!(low < high)) { // nothing, or one value
        const double middle = std::isfinite(low) && std::isfinite(high) ? low : 1;
        low = middle - std::max(0.1, std::abs(middle) * 0.1);
        high = middle + std::max(0.1, std::abs(middle) * 0.1);
        if (logarithmic) low = middle / 2, high = middle * 2;
    }
    if (logarithmic) {
        const double pad = std::pow(high / low, 0.06);
        low /= pad;
        high *= pad;
    } else {
        const double pad = (high - low) * 0.06;
        const bool nearZero = low >= 0 && low < 0.35 * high;
        low = nearZero ? 0 : low - pad;
        high += pad;
    }
    const int ticks = std::clamp(static_cast<int>(canvas.plot.height() / (2.2 * canvas.lineHeight())), 2, 7);
    QSharedPointer<QCPAxisTicker> ticker;
    if (logarithmic && high / low > 20)
        ticker.reset(new QCPAxisTickerLog);
    else
        ticker.reset(new QCPAxisTicker);
    ticker->setTickCount(ticks);
    plot.yAxis->setTicker(ticker);
    plot.yAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot.yAxis->setNumberFormat(QStringLiteral("gb"));
    plot.yAxis->setNumberPrecision(4);
    plot.yAxis->setRange(low, high);
    plot.xAxis->setRange(left, right);
    Q_UNUSED(input)
}

QPointF LossPlot::Impl::place(const LaneCanvas& canvas, const LaneInput& input, double x, double loss) const {
    const double bottom = canvas.plot.bottom() - bottomMargin(canvas, input);
    const double share = logarithmic ? std::log(std::max(loss, 1e-300) / low) / std::log(high / low)
                                     : (loss - low) / (high - low);
    return {canvas.plot.left() + (x - left) / (right - left) * canvas.plot.width(),
            bottom - share * (bottom - canvas.plot.top())};
}

LossPlot::LossPlot() : m_impl(std::make_unique<Impl>()) {}
LossPlot::~LossPlot() = default;

QString LossPlot::title() const {
    return QCoreApplication::translate("Lane", "Loss");
}

QString LossPlot::axisTitle(const LaneInput& input) const {
    return input.logarithmic ? QCoreApplication::translate("Lane", "loss, log scale")
                             : QCoreApplication::translate("Lane", "loss");
}

QString LossPlot::horizontalTitle(const LaneInput& input) const {
    return input.byUpdate ? QCoreApplication::translate("Lane", "parameter updates") : QString();
}

QString LossPlot::emptyText(const LaneInput& input) const {
    if (!input.run)
        return QCoreApplication::translate("Lane", "Press play to see the loss of every job fall.");
    for (const auto& job : input.run->jobs())
        if (job.losses.size() > 0) return {};
    return QCoreApplication::translate("Lane", "No job has evaluated its loss yet.");
}

void LossPlot::paint(LaneCanvas& canvas, const LaneInput& input) {
    Impl& d = *m_impl;
    d.used = 0;
    d.logarithmic = input.logarithmic;
    d.low = std::numeric_limits<double>::infinity();
    d.high = -d.low;
    d.left = input.byUpdate ? 0 : canvas.time.from;
    d.right = canvas.time.to;
    std::size_t curves = 0;
    if (input.byUpdate) d.right = 1;
    for (const RunFold* run : {input.ghost, input.run})
        if (run)
            for (const auto& job : run->jobs()) {
                curves += job.losses.size() > 0;
                if (input.byUpdate && job.losses.size() > 0)
                    d.right = std::max(d.right, job.losses.update.back());
            }
    // Thousands of curves share a budget of about 24,000 corners: each is then drawn more coarsely.
    const int budget = static_cast<int>(6000 / std::max<std::size_t>(curves, 1));
    // Two pixels to a bucket: a line is no narrower.
    const int buckets = std::clamp(static_cast<int>(canvas.plot.width() / 2), 4, std::max(4, budget));
    for (const RunFold* run : {input.ghost, input.run})
        if (run) {
            for (std::size_t j = 0; j < run->jobs().size(); ++j)
                if (JobId(j) != input.job) d.addCurve(canvas, input, *run, j, buckets, run == input.ghost);
            if (input.job.valid() && input.job.index() < run->jobs().size()) // the selected one on top
                d.addCurve(canvas, input, *run, input.job.index(), buckets, run == input.ghost);
        }
    for (int i = d.used; i < d.plot.graphCount(); ++i) {
        d.plot.graph(i)->data()->clear();
        d.plot.graph(i)->setVisible(false);
    }
    d.styleAxes(canvas, input, d.bottomMargin(canvas, input));
    d.setRanges(canvas, input);
    for (int i = 0; i < d.used; ++i)
        canvas.items += static_cast<std::size_t>(d.plot.graph(i)->dataCount()) / 2;

    // QCustomPlot paints with a painter of its own; a picture carries the shapes over to ours.
    QPicture picture;
    QCPPainter painter(&picture);
    if (canvas.vector) painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    d.plot.toPainter(&painter, static_cast<int>(canvas.plot.right() - canvas.gutter.left()),
                     static_cast<int>(canvas.plot.height()));
    painter.end();
    canvas.painter.save();
    canvas.painter.setRenderHint(QPainter::Antialiasing, true);
    canvas.painter.drawPicture(QPointF(canvas.gutter.left(), canvas.plot.top()), picture);
    canvas.painter.restore();
}

std::vector<LegendEntry> LossPlot::legend(const Theme& theme, const LaneInput& input) const {
    std::vector<LegendEntry> entries;
    const auto add = [&](const RunFold& run, std::size_t j, bool ghost) {
        const LossSeries& losses = run.jobs()[j].losses;
        if (losses.size() == 0) return;
        const std::size_t i = losses.indexAt(input.at.toSeconds());
        QString label = QString::fromStdString(run.jobName(JobId(j)));
        if (ghost) label = QCoreApplication::translate("Lane", "%1, before").arg(label);
        const QColor colour = theme.job(JobId(j));
        entries.push_back({.label = label,
                           .value = i < losses.size() ? numberText(losses.loss[i], 3) : QStringLiteral("–"),
                           .swatch = ghost ? LegendEntry::Swatch::dashes : LegendEntry::Swatch::line,
                           .colour = ghost ? Theme::mix(colour, theme.surface, 0.55) : colour,
                           .job = JobId(j),
                           .dimmed = input.job.valid() && input.job != JobId(j)});
    };
    if (input.run)
        for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
            add(*input.run, j, false);
            if (input.ghost && j < input.ghost->jobs().size()) add(*input.ghost, j, true);
        }
    return entries;
}

double LossPlot::secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const {
    if (!input.byUpdate || !input.run) return canvas.time.seconds(x);
    const double update =
        m_impl->left + (x - canvas.plot.left()) / canvas.plot.width() * (m_impl->right - m_impl->left);
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const std::size_t k = input.job.valid() ? input.job.index() : j;
        const LossSeries& all = input.run->jobs()[std::min(k, input.run->jobs().size() - 1)].losses;
        if (all.size() == 0) {
            if (input.job.valid()) break;
            continue;
        }
        const LossSeries kept = keptUpdates(all);
        const auto it = std::lower_bound(kept.update.begin(), kept.update.end(), update);
        return it == kept.update.end() ? kept.time.back()
                                       : kept.time[static_cast<std::size_t>(it - kept.update.begin())];
    }
    return 0;
}

std::vector<std::pair<QPointF, QColor>> LossPlot::markers(const LaneCanvas& canvas,
                                                          const LaneInput& input) const {
    std::vector<std::pair<QPointF, QColor>> result;
    if (!input.run || input.run->jobs().size() > 24) return result;
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const LossSeries& losses = input.run->jobs()[j].losses;
        const std::size_t i = losses.indexAt(input.at.toSeconds());
        if (i >= losses.size() || (input.job.valid() && input.job != JobId(j))) continue;
        const QPointF p =
            m_impl->place(canvas, input, input.byUpdate ? losses.update[i] : losses.time[i], losses.loss[i]);
        if (canvas.plot.contains(p)) result.emplace_back(p, canvas.theme.job(JobId(j)));
    }
    return result;
}

LaneHit LossPlot::hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
    LaneHit result;
    if (!input.run) return result;
    const double seconds = secondsAt(canvas, input, pointer.x());
    double nearest = 14; // pixels
    for (std::size_t j = 0; j < input.run->jobs().size(); ++j) {
        const LossSeries& losses = input.run->jobs()[j].losses;
        const std::size_t i = losses.indexAt(seconds);
        if (i >= losses.size()) continue;
        const QPointF p =
            m_impl->place(canvas, input, input.byUpdate ? losses.update[i] : losses.time[i], losses.loss[i]);
        if (std::abs(p.y() - pointer.y()) >= nearest) continue;
        nearest = std::abs(p.y() - pointer.y());
        result.job = JobId(j);
        result.text =
            QCoreApplication::translate("Lane", "%1 · loss %2 after %3 updates")
                .arg(QString::fromStdString(input.run->jobName(JobId(j))), numberText(losses.loss[i], 4),
                     countText(static_cast<qint64>(losses.update[i])));
    }
    return result;
}

} // namespace trainyard
