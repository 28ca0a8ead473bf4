// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ChartLane.h"

#include "charts/ChartGrowth.h"
#include "charts/ChartMarks.h"
#include "charts/ChartSeries.h"
#include "charts/LaneBand.h"
#include "charts/LaneCharts.h"
#include "charts/ManyLines.h"
#include "session/ShownIndex.h"
#include "theme/CoreText.h"

#include <QCoreApplication>
#include <QPicture>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <span>

namespace trainyard {

namespace chart_lane {

constexpr std::size_t mostCorners = 200'000; // of all lines together
constexpr std::size_t mostDots = 24;         // at the instant

class ChartLane final : public LanePainter {
public:
    explicit ChartLane(const HistorySubject& subject) : m_id(subject.id()), m_charts(subject) {
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

    QString id() const override { return m_id; }
    const HistorySubject* subject() const override { return &m_charts.subject(); }
    void setSubject(const HistorySubject& subject) override { m_charts.setSubject(subject); }
    bool comparesRuns() const override { return true; }
    bool shows(const LaneInput& input, const ViewSwitch& declared) const override {
        return declared.shownBy(m_charts.chart(input));
    }

    QString title() const override {
        const SubjectView& is = m_charts.is();
        if (!is.view) return m_charts.subject().view();
        const Text own = is.view->name ? is.view->name(is.options) : Text{};
        const QString title = coreText(own.english().empty() ? is.view->title : own);
        return is.job.isEmpty() ? title : QStringLiteral("%1, %2").arg(title, is.job);
    }

    QString axisTitle(const LaneInput& input) const override {
        const auto plots = lanePlots(m_charts.shape(input));
        return plots.size() == 1 ? scaled(trainyard::axisTitle(plots.front()->y), plots.front()->y) : QString();
    }

    QString horizontalTitle(const LaneInput& input) const override {
        const auto plots = lanePlots(m_charts.shape(input));
        if (plots.empty() || plots.front()->x.kind == Axis::Kind::time) return {};
        const Axis& axis = plots.front()->x;
        const QString title = coreText(axis.title);
        return scaled(axis.unit.empty() ? title : QStringLiteral("%1 (%2)").arg(title, coreText(axis.unit)), axis);
    }

    QString emptyText(const LaneInput& input) const override {
        if (!m_charts.is().problem.empty()) return coreText(m_charts.is().problem);
        if (!input.run) return QCoreApplication::translate("Lane", "Press play to see it over time.");
        const Chart& chart = m_charts.shape(input);
        if (!chart.empty.pattern.empty()) return coreText(chart.empty);
        return lanePlots(chart).empty()
                   ? QCoreApplication::translate("Lane", "Its horizontal axis is not time: see it under Views.")
                   : QString();
    }

    void paint(LaneCanvas& canvas, const LaneInput& input) override {
        m_charts.see({.from = canvas.time.from,
                      .to = canvas.time.to,
                      .points = static_cast<std::size_t>(std::max(16.0, 2 * canvas.plot.width())),
                      .pointsOfAll = mostCorners});
        m_unfinished = false;
        if (canvas.gradual) m_painted.clear();
        if (!canvas.gradual) m_charts.hold(false);
        if (canvas.gradual && isMany(m_charts.chart(input)))
            paintMany(canvas, input);
        else
            paintAtOnce(canvas, input);
        if (canvas.gradual) writeName(canvas, input);
    }

    bool unfinished() const override { return m_unfinished; }

    double grownFrom(const LaneCanvas& canvas, const LaneInput& input, const PaintedRun&) const override {
        constexpr double around = 4; // pixels beside a line that it may have coloured
        if (isMany(m_charts.shape(input))) {
            const LaneBand band = laneBands(m_charts.shape(input), canvas).front();
            return m_many.isSettled(lookOf(canvas, input, band)) ? canvas.plot.right() : canvas.plot.left();
        }
        const auto until = sameUntil(m_painted, m_charts.chart(input).plots);
        if (!until || m_painted.empty()) return canvas.plot.left();
        return std::min(canvas.plot.right(), canvas.time.x(std::min(*until, canvas.time.to)) - around);
    }

    std::vector<LegendEntry> legend(const Theme& theme, const LaneInput& input) const override {
        Chart readings;
        readings.legend = m_charts.legend(input);
        for (const Plot& plot : m_charts.read(input).plots) // colours of cells are on their scale
            for (const Series& series : plot.series)
                if (series.kind == Series::Kind::cells && readings.plots.empty())
                    readings.plot().series.push_back({.kind = series.kind, .cells = {.scale = series.cells.scale}});
        std::vector<LegendEntry> entries = legendEntries(theme, Picture(std::move(readings)));
        for (LegendEntry& entry : entries) {
            if (entry.label.isEmpty()) continue;
            if (entry.ghost) entry.label = ghostLabel(entry.label, input);
            entry.dimmed = input.job.valid() && entry.job.valid() && entry.job != input.job;
        }
        return entries;
    }

    std::size_t plots(const LaneInput& input) const override { return lanePlots(m_charts.shape(input)).size(); }

    double wantedHeight(const LaneInput& input, double line) const override {
        const std::size_t count = plots(input);
        return count > 1 ? 3.5 * line * static_cast<double>(count) : LanePainter::wantedHeight(input, line);
    }

    LaneHit hit(const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const override {
        LaneHit result{.text = {}, .job = {}, .machine = {}, .row = nameOf(input)};
        if (!input.run) return result;
        const double seconds = secondsAt(canvas, input, pointer.x());
        if (m_charts.is().view && m_charts.is().view->notes) {
            tellNotes(result, canvas, input, pointer);
            return result;
        }
        LaneInput there = input;
        there.at = SimTime::seconds(std::clamp(seconds, 0.0, input.end.toSeconds()));
        there.wholeRun = false;
        Chart readings;
        readings.legend = m_charts.legend(there);
        for (const LegendItem& item : readings.legend) {
            if (item.ghost) continue;
            if (item.ref.job.valid()) result.job = item.ref.job;
            if (item.ref.machine.valid())
                result.machine =
                    QString::fromStdString(input.run->workload().cluster.machines[item.ref.machine.index()].key);
        }
        if (m_charts.chart(there).title.empty()) result.job = {}; // of several
        std::erase_if(readings.legend, &LegendItem::ghost);
        readings.empty = m_charts.chart(there).empty;
        if (seconds >= 0 && seconds <= input.end.toSeconds()) result.text = readingsOf(Picture(std::move(readings)));
        return result;
    }

    double secondsAt(const LaneCanvas& canvas, const LaneInput& input, double x) const override {
        const auto bands = laneBands(m_charts.chart(input), canvas);
        if (bands.empty() || bands.front().isTimed()) return canvas.time.seconds(x);
        return instantAt(bands.front().plot.x, bands.front().valueAt(x)).value_or(SimTime::zero()).toSeconds();
    }

    std::optional<double> pixelAt(const LaneCanvas& canvas, const LaneInput& input, SimTime at) const override {
        const auto bands = laneBands(m_charts.chart(input), canvas);
        if (bands.empty() || bands.front().isTimed()) return canvas.time.x(at.toSeconds());
        const auto value = trainyard::valueAt(bands.front().plot.x, at);
        return value ? std::optional(bands.front().px(*value)) : std::nullopt;
    }

    std::vector<std::pair<QPointF, QColor>> markers(const LaneCanvas& canvas, const LaneInput& input) const override {
        std::vector<std::pair<QPointF, QColor>> dots;
        const Chart& chart = m_charts.chart(input);
        const PictureStyle look = styleOf(canvas, input);
        for (const LaneBand& band : laneBands(chart, canvas)) {
            if (band.plot.series.size() > 2 * mostDots) continue;
            const auto now = trainyard::valueAt(band.plot.x, input.at);
            const bool selected = showsSelected(band.plot, look);
            for (const Series& series : band.plot.series) {
                if (!now || series.kind != Series::Kind::line || series.ghost || series.strength < 1) continue;
                const JobId job = series.refOf(0).job;
                if (input.job.valid() && job.valid() && job != input.job) continue;
                const auto point = band.lastPoint(series, *now);
                if (point && canvas.plot.contains(*point))
                    dots.emplace_back(*point, seriesPen(series, look, selected).color());
            }
        }
        return dots.size() <= mostDots ? dots : std::vector<std::pair<QPointF, QColor>>{};
    }

private:
    static QString scaled(const QString& title, const Axis& axis) {
        return axis.kind == Axis::Kind::logarithmic ? QCoreApplication::translate("Lane", "%1, log scale").arg(title)
                                                    : title;
    }

    static QString ghostLabel(const QString& label, const LaneInput& input) {
        return QStringLiteral("%1, %2").arg(
            label, input.ghostName.isEmpty() ? QCoreApplication::translate("Lane", "previous run") : input.ghostName);
    }

    /// What it is of: "gpu-3"; or what the view is called.
    QString nameOf(const LaneInput& input) const {
        const Text& own = m_charts.chart(input).title;
        return own.empty() ? title() : coreText(own);
    }

    /// A figure has its title above; the column of titles in the window is too narrow for what views are called.
    void writeName(LaneCanvas& canvas, const LaneInput& input) const {
        constexpr qsizetype shortEnough = 12;
        const QString name = nameOf(input);
        const SubjectView& is = m_charts.is();
        const bool fits = title().size() <= shortEnough && is.job.isEmpty() &&
                          (!is.view || !is.view->name || is.options.empty()); // else these name it
        if (name == title() && fits) return;
        canvas.painter.setFont(canvas.font);
        canvas.painter.setPen(canvas.theme.muted);
        canvas.painter.drawText(canvas.plot.adjusted(6, 0, -6, -2), Qt::AlignRight | Qt::AlignBottom, name);
    }

    static PictureStyle styleOf(const LaneCanvas& canvas, const LaneInput& input) {
        return {.theme = canvas.theme,
                .font = canvas.font,
                .lineWidth = canvas.lineWidth,
                .vector = canvas.vector,
                .pieces = canvas.gradual,
                .job = input.job};
    }

    /// The line nearest to the pointer in words, and the job it is of.
    void tellNotes(LaneHit& hit, const LaneCanvas& canvas, const LaneInput& input, QPointF pointer) const {
        const double seconds = secondsAt(canvas, input, pointer.x());
        const Series* nearest = nullptr;
        const auto bands = laneBands(m_charts.chart(input), canvas);
        for (const LaneBand& band : bands)
            if (pointer.y() >= band.rect.top() - 4 && pointer.y() <= band.rect.bottom() + 4)
                nearest = band.nearestLine(pointer);
        if (!nearest && (seconds < 0 || seconds > input.end.toSeconds())) return;
        const bool ofGhost = nearest && nearest->ghost;
        const ElementRef ref = nearest ? nearest->refOf(0) : ElementRef{};
        QStringList words;
        for (const Text& note : m_charts.notes(input, SimTime::seconds(std::max(0.0, seconds)), ref, ofGhost))
            words << coreText(note);
        if (ofGhost && !words.isEmpty()) words[0] = ghostLabel(words[0], input);
        hit.text = words.join(QStringLiteral(" · "));
        if (!ofGhost) hit.job = ref.job;
    }

    static bool isMany(const Chart& chart) {
        const auto plots = lanePlots(chart);
        return plots.size() == 1 && areManyLines(*plots.front());
    }

    ManyLines::Look lookOf(const LaneCanvas& canvas, const LaneInput& input, const LaneBand& band) const {
        return {.run = input.run->run().id,
                .ghost = input.ghost ? input.ghost->run().id : 0,
                .subject = m_charts.subject().key,
                .dark = canvas.theme.dark,
                .logarithmicX = band.logarithmicX(),
                .logarithmicY = band.logarithmicY(),
                .position = input.run->position() + (input.ghost ? input.ghost->position() : 0),
                .job = input.job,
                .x = band.x,
                .plot = band.rect,
                .pixelRatio = canvas.painter.device()->devicePixelRatioF(),
                .lineWidth = canvas.lineWidth};
    }

    void paintMany(LaneCanvas& canvas, const LaneInput& input) {
        m_charts.hold(true);
        ManyLines::Look look = lookOf(canvas, input, laneBands(m_charts.chart(input), canvas).front());
        if (m_many.wants(look)) {
            if (m_charts.begin(input)) m_begun = look;
            if (m_charts.advance(input)) {
                const std::shared_ptr<const Chart> chart = m_charts.shared(input);
                if (!isMany(*chart)) return paintAtOnce(canvas, input);
                LaneBand band = laneBands(*chart, canvas).front();
                look = lookOf(canvas, input, band);
                band.x = m_begun.x; // it is of what was seen then
                ManyLines::Look begun = lookOf(canvas, input, band);
                begun.position = m_begun.position;
                m_many.begin(begun, bundleOf(chart, band.plot, band.x, band.y, styleOf(canvas, input)));
            }
        }
        m_unfinished = !m_many.shows(look);
        LaneBand band = laneBands(m_charts.chart(input), canvas).front();
        band.y = m_many.vertical().value_or(band.y);
        band.paintTicks(canvas);
        m_many.paint(canvas.painter, look, band.y);
        canvas.items += band.plot.series.size();
        // Until the first picture is there, which may take long on a busy machine.
        const bool atOnce = !m_many.vertical() && band.plot.series.size() <= mostLinesAtOnce;
        draw(canvas, input, band, atOnce ? std::span<const Series>(band.plot.series) : std::span<const Series>());
    }

    void paintAtOnce(LaneCanvas& canvas, const LaneInput& input) {
        if (canvas.gradual) m_many.clear(); // an export leaves the window's picture as it is
        m_charts.hold(false);
        const Chart& chart = m_charts.chart(input);
        for (const LaneBand& band : laneBands(chart, canvas)) {
            band.paintTicks(canvas);
            draw(canvas, input, band, band.plot.series);
        }
        if (canvas.gradual) m_painted = chart.plots;
    }

    /// These of the band's series, and its marks.
    void draw(LaneCanvas& canvas, const LaneInput& input, const LaneBand& band, std::span<const Series> shown) {
        PictureStyle look = styleOf(canvas, input);
        if (canvas.from > band.rect.left()) look.from = band.valueAt(canvas.from);
        QCPAxis &x = *m_plot.xAxis, &y = *m_plot.yAxis;
        setUpAxis(y, band.plot.y, look, band.rect.height(), 0);
        x.setScaleType(band.logarithmicX() ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        setRange(x, band.x);
        setRange(y, band.y);
        for (QCPAxis* axis : {&x, &y}) {
            axis->setVisible(false);
            axis->grid()->setVisible(false);
        }
        for (const Series& series : shown) addSeries(x, y, band.plot, series, look, canvas.items);
        canvas.painter.save();
        if (canvas.gradual)
            drawPixels(canvas, band.rect);
        else
            drawShapes(canvas, band.rect);
        canvas.painter.translate(band.rect.topLeft());
        drawMarks(canvas, *m_plot.axisRect(), band.plot, look);
        canvas.painter.restore();
        m_plot.clearPlottables();
    }

    // QCustomPlot draws with a painter of its own only.

    /// In the window: shapes would be written down and read again in every frame.
    void drawPixels(LaneCanvas& canvas, const QRectF& place) {
        const double ratio = canvas.painter.device()->devicePixelRatioF();
        QPixmap pixels((place.size() * ratio).toSize());
        if (pixels.isNull()) return;
        pixels.setDevicePixelRatio(ratio);
        pixels.fill(Qt::transparent);
        QCPPainter painter(&pixels);
        m_plot.toPainter(&painter, static_cast<int>(place.width()), static_cast<int>(place.height()));
        painter.end();
        canvas.painter.drawPixmap(place.topLeft().toPoint(), pixels);
    }

    /// In figures, whose devices keep shapes.
    void drawShapes(LaneCanvas& canvas, const QRectF& place) {
        QPicture shapes;
        QCPPainter painter(&shapes);
        if (canvas.vector) painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
        m_plot.toPainter(&painter, static_cast<int>(place.width()), static_cast<int>(place.height()));
        painter.end();
        canvas.painter.drawPicture(place.topLeft(), shapes);
    }

    const QString m_id; ///< whatever options it gets
    LaneCharts m_charts;
    ManyLines m_many;
    ManyLines::Look m_begun; ///< when the chart that is worked out in parts was begun
    bool m_unfinished = false;
    std::vector<Plot> m_painted; ///< in the window, in one go
    QCustomPlot m_plot;          ///< never shown: it draws onto the lane
};

} // namespace chart_lane

Computation pictureNow(const HistorySubject& subject, ViewRequest request) {
    return pictureNow(viewOf(subject), std::move(request));
}

QString whyNoLane(const Picture& picture, bool takesLong) {
    if (takesLong)
        return QCoreApplication::translate("Lane",
                                           "It takes too long to be worked out for every frame of the timeline");
    const auto* chart = std::get_if<Chart>(&picture);
    if (chart && !chart->empty.pattern.empty()) return coreText(chart->empty);
    return !chart || lanePlots(*chart).empty() ? QCoreApplication::translate("Lane", "Its horizontal axis is not time")
                                               : QString();
}

std::unique_ptr<LanePainter> makeChartLane(const HistorySubject& subject) {
    return std::make_unique<chart_lane::ChartLane>(subject);
}

} // namespace trainyard
