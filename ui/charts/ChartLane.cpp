// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartLane.h"

#include "base/RoundSteps.h"
#include "charts/ChartAxes.h"
#include "charts/ChartSeries.h"
#include "plots/MetricPainter.h"
#include "plots/RunFold.h"
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

class ChartLane final : public LanePainter {
public:
    explicit ChartLane(HistorySubject subject) : m_subject(std::move(subject)) {
        const QStringList parts = m_subject.key.split(u'?');
        m_view = findView(parts.first().toStdString());
        std::vector<std::string> words;
        if (parts.size() > 1)
            for (const QString& word : parts[1].split(u'&', Qt::SkipEmptyParts)) words.push_back(word.toStdString());
        if (m_view)
            if (auto options = optionsFrom(*m_view, words)) m_options = std::move(options).value();
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
    QString title() const override { return m_view ? coreText(m_view->title) : m_subject.key; }

    QString axisTitle(const LaneInput& input) const override {
        const auto plots = plotsOf(chartOf(input));
        return plots.size() == 1 ? trainyard::axisTitle(plots.front()->y) : QString();
    }

    QString emptyText(const LaneInput& input) const override {
        if (!m_view)
            return QCoreApplication::translate("Lane", "There is no view \"%1\" in this version.").arg(m_subject.key);
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
        if (!canvas.gradual) return; // a figure has its title above
        // The column of titles in the window is too narrow for what views are called.
        canvas.painter.setFont(canvas.font);
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.drawText(canvas.plot.adjusted(6, 0, -6, -2), Qt::AlignRight | Qt::AlignBottom, title());
    }

    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override {
        return legendEntries(theme, Picture(chartOf(input)));
    }

    double wantedHeight(const LaneInput& input, double line) const override {
        const std::size_t plots = plotsOf(chartOf(input)).size();
        return plots > 1 ? 3.5 * line * static_cast<double>(plots) : LanePainter::wantedHeight(input, line);
    }

    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override {
        LaneHit result{.text = {}, .job = {}, .machine = {}, .row = title()};
        const double seconds = canvas.time.seconds(pointer.x());
        if (!m_view || !input.run || seconds < 0 || seconds > input.end.toSeconds()) return result;
        LaneInput there = input;
        there.at = SimTime::seconds(seconds);
        result.text = readingsOf(Picture(chartOf(there)));
        return result;
    }

private:
    struct Key {
        RunId run = 0;
        std::size_t position = 0, points = 0;
        JobId job;
        SimTime at;
        double from = 0, to = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };

    /// What the view shows of the part of the time that was painted last.
    const Chart& chartOf(const LaneInput& input) const {
        static const Chart nothing;
        if (!m_view || !input.run) return nothing;
        const Key key{input.run->run().id, input.run->position(), m_points, input.job, input.at, m_from, m_to};
        if (m_key == key) return m_chart;
        m_key = key;
        Computation computation = pictureNow(*m_view, {.run = *input.run,
                                                       .job = input.job,
                                                       .at = input.at,
                                                       .options = m_options,
                                                       .mostPoints = m_points,
                                                       .from = m_from,
                                                       .to = m_to});
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
    const View* m_view = nullptr;
    ParamValues m_options;
    double m_from = 0, m_to = std::numeric_limits<double>::infinity(); ///< seconds, as painted last
    std::size_t m_points = 2000;
    mutable std::optional<Key> m_key; ///< what m_chart is of
    mutable Chart m_chart;
    QCustomPlot m_plot; ///< never shown: it draws onto the lane
};

} // namespace chart_lane

HistorySubject viewSubject(const View& view, const ParamValues& options) {
    QString key = QString::fromStdString(view.id);
    QChar sign = u'?';
    for (const auto& [name, value] : options) {
        key += sign + QString::fromStdString(name + "=" + toString(value));
        sign = u'&';
    }
    return {HistorySubject::Kind::view, key};
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

std::unique_ptr<LanePainter> makeAddedPainter(const HistorySubject& subject) {
    if (subject.kind == HistorySubject::Kind::view) return std::make_unique<chart_lane::ChartLane>(subject);
    return makeHistoryPainter(subject);
}

} // namespace trainyard
