// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartLane.h"

#include "base/RoundSteps.h"
#include "charts/ChartAxes.h"
#include "charts/ChartSeries.h"
#include "charts/ViewChoice.h"
#include "session/RunFold.h"
#include "theme/CoreText.h"

#include <QCoreApplication>
#include <QPicture>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace chart_lane {

/// The plots that lie above each other, if time is the axis of all of them.
std::vector<const Plot*> plotsOf(const Chart& chart) {
    std::vector<const Plot*> plots;
    for (const Plot& plot : chart.plots)
        if (plot.column == 0) plots.push_back(&plot);
    const bool timed = std::ranges::all_of(plots, [](const Plot* p) { return p->x.kind == Axis::Kind::time; });
    return timed ? plots : std::vector<const Plot*>{};
}

/// One plot in a part of the lane: how values become pixels.
struct Band {
    const Plot& plot;
    QRectF rect;
    AxisRange range;

    bool isLogarithmic() const {
        return plot.y.kind == Axis::Kind::logarithmic && range.from > 0 && range.to > range.from;
    }
    double y(double value) const {
        const double share = isLogarithmic() ? std::log(value / range.from) / std::log(range.to / range.from)
                                             : (value - range.from) / (range.to - range.from);
        return rect.bottom() - share * rect.height();
    }
    std::vector<double> ticks(double line) const {
        const double low = std::min(range.from, range.to), high = std::max(range.from, range.to);
        std::vector<double> out;
        if (rect.height() < 1.5 * line) return out; // they would lie on each other
        if (plot.y.kind == Axis::Kind::categories) {
            if (rect.height() / std::max(1.0, high - low) >= line)
                for (std::size_t i = 0; i < plot.y.categories.size(); ++i) out.push_back(static_cast<double>(i));
        } else if (isLogarithmic()) {
            for (double power = std::pow(10, std::ceil(std::log10(low) - 1e-9)); power <= high; power *= 10)
                out.push_back(power);
        } else {
            double step = roundStep((high - low) / std::max(2.0, std::floor(rect.height() / (2.2 * line))));
            if (plot.y.whole) step = std::max(1.0, step);
            for (const double tick : multiplesWithin(low, high, step)) out.push_back(tick);
        }
        return out;
    }
};

/// What a subject stands for.
struct Resolved {
    const View* view = nullptr;
    ParamValues options;
    QString job; ///< key; empty: the selected one
    Text problem;
};

Resolved resolve(const HistorySubject& subject) {
    const std::string id = subject.view().toStdString();
    Resolved out{.view = findView(id), .options = {}, .job = {}, .problem = {}};
    if (!out.view) {
        out.problem = {TRAINYARD_TEXT("There is no view \"{0}\" in this version."), {id}};
        return out;
    }
    std::vector<std::string> words;
    for (const auto& [name, value] : subject.options())
        if (name == QLatin1String("job"))
            out.job = value;
        else
            words.push_back((name + u'=' + value).toStdString());
    if (auto options = optionsFrom(*out.view, words))
        out.options = std::move(options).value();
    else
        out.problem = options.problems().front().message;
    return out;
}

class ChartLane final : public LanePainter {
public:
    explicit ChartLane(HistorySubject subject) : m_subject(std::move(subject)), m_is(resolve(m_subject)) {
        m_plot.setBackground(QBrush(Qt::NoBrush));
        m_plot.setLocale(QLocale::c());
        m_plot.setPlottingHint(QCP::phFastPolylines, true);
        m_plot.setAntialiasedElements(QCP::aePlottables | QCP::aeScatters);
        m_plot.plotLayout()->setMargins(QMargins());
        m_plot.axisRect()->setAutoMargins(QCP::msNone);
        m_plot.axisRect()->setMargins(QMargins());
        m_plot.axisRect()->setMinimumMargins(QMargins());
        m_plot.axisRect()->setMinimumSize(1, 1);
    }

    QString id() const override { return m_subject.id(); }
    const HistorySubject* subject() const override { return &m_subject; }
    QString title() const override {
        if (!m_is.view) return m_subject.view();
        const Text own = m_is.view->name ? m_is.view->name(m_is.options) : Text{};
        const QString title = coreText(own.english().empty() ? m_is.view->title : own);
        return m_is.job.isEmpty() ? title : QStringLiteral("%1, %2").arg(title, m_is.job);
    }

    QString axisTitle(const LaneInput& input) const override {
        const auto plots = plotsOf(chartOf(input));
        return plots.size() == 1 ? trainyard::axisTitle(plots.front()->y) : QString();
    }

    QString emptyText(const LaneInput& input) const override {
        if (!m_is.problem.empty()) return coreText(m_is.problem);
        if (!input.run) return QCoreApplication::translate("Lane", "Press play to see it over time.");
        const Chart& chart = chartOf(input);
        if (!chart.empty.pattern.empty()) return coreText(chart.empty);
        return plotsOf(chart).empty()
                   ? QCoreApplication::translate("Lane", "Its horizontal axis is not time: see it under Views.")
                   : QString();
    }

    void paint(LaneCanvas& canvas, const LaneInput& input) override {
        m_from = canvas.time.from;
        m_to = canvas.time.to;
        m_points = static_cast<std::size_t>(std::max(16.0, 2 * canvas.plot.width()));
        for (const Band& band : bandsOf(chartOf(input), canvas)) paintBand(canvas, input, band);
        const QString name = nameOf(input);
        // A figure has its title above; the column of titles in the window is too narrow for what views are called.
        constexpr qsizetype shortEnough = 12;
        const bool fits = title().size() <= shortEnough && m_subject.options().empty();
        if (!canvas.gradual || (name == title() && fits)) return;
        canvas.painter.setFont(canvas.font);
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.drawText(canvas.plot.adjusted(6, 0, -6, -2), Qt::AlignRight | Qt::AlignBottom, name);
    }

    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override {
        return legendEntries(theme, Picture(chartOf(input)));
    }

    double wantedHeight(const LaneInput& input, double line) const override {
        const std::size_t plots = plotsOf(chartOf(input)).size();
        return plots > 1 ? 3.5 * line * static_cast<double>(plots) : LanePainter::wantedHeight(input, line);
    }

    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override {
        LaneHit result{.text = {}, .job = {}, .machine = {}, .row = nameOf(input)};
        const double seconds = canvas.time.seconds(pointer.x());
        if (!input.run) return result;
        LaneInput there = input;
        there.at = SimTime::seconds(std::clamp(seconds, 0.0, input.end.toSeconds()));
        there.wholeRun = false;
        const Chart& chart = chartOf(there);
        for (const LegendItem& item : chart.legend) {
            if (item.ref.job.valid()) result.job = item.ref.job;
            if (item.ref.machine.valid())
                result.machine =
                    QString::fromStdString(input.run->workload().cluster.machines[item.ref.machine.index()].key);
        }
        if (chart.title.empty()) result.job = {}; // of several
        if (seconds >= 0 && seconds <= input.end.toSeconds()) result.text = readingsOf(Picture(chart));
        return result;
    }

private:
    struct Key {
        RunId run = 0;
        std::size_t position = 0, points = 0;
        JobId job;
        SimTime at;
        bool wholeRun = false;
        double from = 0, to = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };

    /// What it is of: "gpu-3"; or what the view is called.
    QString nameOf(const LaneInput& input) const {
        const Text& own = chartOf(input).title;
        return own.empty() ? title() : coreText(own);
    }

    /// What the view shows of the part of the time that was painted last.
    const Chart& chartOf(const LaneInput& input) const {
        static const Chart nothing;
        if (!input.run) return nothing;
        const Key key{
            input.run->run().id, input.run->position(), m_points, input.job, input.at, input.wholeRun, m_from, m_to};
        if (m_key == key && !input.run->areFoldsBehind()) return m_chart;
        m_key = key;
        Computation computation = pictureNow(m_subject, {.run = *input.run,
                                                         .job = input.job,
                                                         .at = input.at,
                                                         .mostPoints = m_points,
                                                         .from = m_from,
                                                         .to = m_to,
                                                         .wholeRun = input.wholeRun});
        auto* chart = std::get_if<Chart>(&computation.picture);
        m_chart = chart && !computation.finish ? std::move(*chart) : Chart{};
        return m_chart;
    }

    static std::vector<Band> bandsOf(const Chart& chart, const LaneCanvas& canvas) {
        constexpr double margin = 4, between = 6; // pixels
        std::vector<Band> bands;
        double shares = 0;
        const auto plots = plotsOf(chart);
        for (const Plot* plot : plots) shares += plot->share;
        double top = canvas.plot.top() + margin;
        const double room = canvas.plot.height() - 2 * margin - between * static_cast<double>(plots.size());
        for (const Plot* plot : plots) {
            const double height = std::max(1.0, room * plot->share / shares);
            bands.push_back({*plot, QRectF(canvas.plot.left(), top, canvas.plot.width(), height),
                             wholeRange(plot->y, *plot, false)});
            top += height + between;
        }
        return bands;
    }

    void paintBand(LaneCanvas& canvas, const LaneInput& input, const Band& band) {
        for (const double tick : band.ticks(canvas.lineHeight()))
            canvas.valueTick(band.y(tick), valueText(band.plot.y, tick));
        const PictureStyle look{.theme = canvas.theme,
                                .font = canvas.font,
                                .lineWidth = canvas.lineWidth,
                                .vector = canvas.vector,
                                .job = input.job};
        m_plot.clearPlottables();
        QCPAxis &x = *m_plot.xAxis, &y = *m_plot.yAxis;
        setUpAxis(y, band.plot.y, look, band.rect.height(), 0);
        setRange(x, {canvas.time.from, canvas.time.to});
        setRange(y, band.range);
        for (QCPAxis* axis : {&x, &y}) {
            axis->setVisible(false);
            axis->grid()->setVisible(false);
        }
        for (const Series& series : band.plot.series) addSeries(x, y, band.plot, series, look, canvas.items);
        QPicture carried;
        QCPPainter painter(&carried);
        if (canvas.vector) painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
        m_plot.toPainter(&painter, static_cast<int>(band.rect.width()), static_cast<int>(band.rect.height()));
        painter.end();
        canvas.painter.save();
        canvas.painter.translate(band.rect.topLeft());
        canvas.painter.drawPicture(0, 0, carried);
        canvas.painter.restore();
        m_plot.clearPlottables();
    }

    HistorySubject m_subject;
    Resolved m_is;
    double m_from = 0, m_to = std::numeric_limits<double>::infinity(); ///< seconds, as painted last
    std::size_t m_points = 2000;
    mutable std::optional<Key> m_key; ///< what m_chart is of
    mutable Chart m_chart;
    QCustomPlot m_plot; ///< never shown: it draws onto the lane
};

} // namespace chart_lane

HistorySubject viewSubject(const View& view, const ParamValues& options) {
    HistorySubject::Options words;
    for (const auto& [name, value] : options)
        words.emplace_back(QString::fromStdString(name), QString::fromStdString(toString(value)));
    return HistorySubject::of(QString::fromStdString(view.id), words);
}

Computation pictureNow(const HistorySubject& subject, ViewRequest request) {
    chart_lane::Resolved is = chart_lane::resolve(subject);
    if (!is.problem.empty()) return emptyChart(is.problem);
    if (!is.job.isEmpty()) {
        request.job = jobOfKey(request.run.workload(), is.job);
        if (!request.job.valid())
            return emptyChart({TRAINYARD_TEXT("There is no job \"{0}\" in this run."), {is.job.toStdString()}});
        if (is.view->scope == View::Scope::job && request.run.jobs()[request.job.index()].workers.empty())
            return emptyChart({TRAINYARD_TEXT("It has no workers yet."), {}});
    }
    request.options = std::move(is.options);
    return pictureNow(*is.view, std::move(request));
}

QString whyNoLane(const Picture& picture, bool takesLong) {
    if (takesLong)
        return QCoreApplication::translate("Lane",
                                           "It takes too long to be worked out for every frame of the timeline");
    const auto* chart = std::get_if<Chart>(&picture);
    if (chart && !chart->empty.pattern.empty()) return coreText(chart->empty);
    return !chart || chart_lane::plotsOf(*chart).empty()
               ? QCoreApplication::translate("Lane", "Its horizontal axis is not time")
               : QString();
}

std::unique_ptr<LanePainter> makeChartLane(const HistorySubject& subject) {
    return std::make_unique<chart_lane::ChartLane>(subject);
}

} // namespace trainyard
