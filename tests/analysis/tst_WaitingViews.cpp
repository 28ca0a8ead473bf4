// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The numbers of the views of waiting, against the log event by event, closed forms, or the explanations of
// the run; and what all views promise.
#include "analysis/RateChoices.h"
#include "analysis/View.h"
#include "support/IndexedRun.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace trainyard;

class tst_WaitingViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void iterationIsTheLogs();
    void rowsMayBeInOrderOfWorkers();
    void ratesAreTheExplanationsOwn();
    void kAndLoadAreTheLogs();
    void tradeOffsBeginAtTheFastest();
    void responseTimesOfAlikeWorkersAreHarmonic();
    void bestKOfParetoTimes();
    void stalenessIsTheLogs();
    void participationIsTheLogs();
    void everyViewIsTheSameHoweverTheLogCame();
    void everyViewKeepsThePromises();
    void optionsAreRead();

private:
    const RunIndex& adaptive();
    std::unique_ptr<RunIndex> m_adaptive;
};

namespace waiting_views_test {

const JobId first{std::size_t{0}};

std::unique_ptr<RunIndex> indexed(RunSource source) {
    auto index = std::make_unique<RunIndex>(std::move(source));
    index->update();
    return index;
}

Chart chartOf(const char* view, const RunIndex& run, SimTime at, ParamValues options = {}) {
    return std::get<Chart>(
        wholePicture(*findView(view), {.run = run, .job = first, .at = at, .options = std::move(options)}));
}

const Series& seriesOf(const Plot& plot, const std::string& key) {
    const auto it = std::find_if(plot.series.begin(), plot.series.end(), [&](const Series& s) { return s.key == key; });
    if (it == plot.series.end()) qFatal("there is no series %s", key.c_str());
    return *it;
}

std::optional<double> legendValue(const Chart& chart, const std::string& label) {
    for (const LegendItem& item : chart.legend)
        if (item.label.pattern == label && item.value) return item.value->value;
    return std::nullopt;
}

/// Six workers of exponential times without communication, waiting for the fastest three.
Scenario sixWorkers(const Choice& synchronization) {
    Scenario s = test::starScenario(6);
    for (auto& machine : s.cluster.machines) machine.straggler.factor = {.law = Law::exponential, .mean = 1};
    Job job = test::trainedJob();
    job.workers = {6, 6};
    job.servers = {0, 0};
    job.stop.iterations = 200;
    s.jobs = {job};
    s.policies.synchronization = synchronization;
    return s;
}

const Choice fastestThree{"fastest-k", {{"k", std::int64_t{3}}}};

/// Of one job: by update, the positions of its gradients in the log.
struct Update {
    SimTime at;
    std::vector<Event> used;
};
std::vector<Update> updatesOf(const EventLog& log) {
    std::vector<Update> out(1);
    log.walk(0, log.size(), [&](const Event& e) {
        if (e.type == EventType::gradientUsed) out.back().used.push_back(e);
        if (e.type != EventType::updateApplied) return;
        out.back().at = e.time;
        out.emplace_back();
    });
    out.pop_back();
    return out;
}

} // namespace waiting_views_test

using namespace waiting_views_test;

const RunIndex& tst_WaitingViews::adaptive() {
    if (!m_adaptive) m_adaptive = indexed(test::stragglerSource("adaptive-load-exact", 12));
    return *m_adaptive;
}

// The line lies where the third gradient had come, rows are in the order of arrival, and each row is a
// gapless sequence of what its worker did until the update.
void tst_WaitingViews::iterationIsTheLogs() {
    const auto run = indexed(test::sourceOfRun(sixWorkers(fastestThree)));
    const EventLog& log = *run->source().log;
    const auto updates = updatesOf(log);
    QCOMPARE(updates.size(), std::size_t{200});
    for (const std::size_t u : {1u, 57u, 199u}) {
        const Chart chart = chartOf("iteration", *run, updates[u].at);
        const Plot& plot = chart.plots.at(0);
        std::map<std::uint32_t, SimTime> arrived; // by worker, within the iteration
        log.walk(0, log.size(), [&](const Event& e) {
            if (e.type == EventType::gradientArrived && e.time > updates[u - 1].at && e.time <= updates[u].at)
                arrived[e.a] = e.time;
        });
        QCOMPARE(updates[u].used.size(), std::size_t{3});
        SimTime last;
        for (const Event& e : updates[u].used) last = std::max(last, arrived.at(e.a));
        QCOMPARE(plot.lines.back().value, (last - updates[u - 1].at).toSeconds());
        QCOMPARE(legendValue(chart, "k-th response").value(), 3.0);
        QCOMPARE(legendValue(chart, "discarded").value(), 3.0); // the other half
        QCOMPARE(plot.y.categories.size(), std::size_t{6});
        for (std::size_t r = 1; r < 3; ++r)
            QVERIFY(arrived.at(*plot.y.categories[r - 1].ref.worker) <= arrived.at(*plot.y.categories[r].ref.worker));
        std::map<std::uint32_t, double> ends;
        const double length = (updates[u].at - updates[u - 1].at).toSeconds();
        for (const Span& span : plot.series.at(0).spans) {
            QVERIFY(span.to > span.from && span.to <= length + 1e-12);
            if (const auto it = ends.find(span.row); it != ends.end()) QVERIFY(std::abs(it->second - span.from) < 1e-9);
            ends[span.row] = span.to;
        }
        QCOMPARE(ends.size(), std::size_t{6});
        for (const auto& [row, end] : ends) QVERIFY(std::abs(end - length) < 1e-9);
        QCOMPARE(chart.stops->number, u + 1);
        QCOMPARE(chart.stops->previous.ns, updates[u - 1].at.ns);
        QCOMPARE(chart.stops->next.ns, (u + 1 < updates.size() ? updates[u + 1].at : SimTime::never()).ns);
        // A click in the middle belongs to this iteration again.
        const SimTime middle = *instantAt(plot.x, length / 2);
        QVERIFY(middle > updates[u - 1].at && middle < updates[u].at);
        QCOMPARE(chartOf("iteration", *run, middle).stops->number, u + 1);
        QCOMPARE(chartOf("iteration", *run, *instantAt(plot.x, -1)).stops->number, u + 1);
    }
}

void tst_WaitingViews::rowsMayBeInOrderOfWorkers() {
    const auto run = indexed(test::sourceOfRun(sixWorkers(fastestThree)));
    const Chart chart = chartOf("iteration", *run, run->head(), {{"by_worker", true}});
    for (std::uint32_t w = 0; w < 6; ++w) QCOMPARE(*chart.plots[0].y.categories.at(w).ref.worker, w);
}

// Every line is that of an explained option, the envelope lies on the highest of them, and the marker on the
// chosen one.
void tst_WaitingViews::ratesAreTheExplanationsOwn() {
    const RunIndex& run = adaptive();
    const auto& choices = run.fold<RateChoices>().of(first);
    QVERIFY(choices.size() > 5);
    const auto choice = choices[choices.size() / 2].choice;
    for (const bool straight : {false, true}) {
        const Chart chart = chartOf("rates", run, choice->at, {{"straight", straight}});
        const Plot& plot = chart.plots.at(0);
        const auto shown = [&](const RateOption& option, double e) {
            return straight ? option.line.at(e) : option.line.at(e) / e;
        };
        QCOMPARE(plot.series.size(), choice->options.size() + 2);
        const Series& envelope = seriesOf(plot, "envelope");
        QVERIFY(envelope.x.size() >= choice->envelope.size());
        for (std::size_t i = 0; i < envelope.x.size(); ++i) {
            if (envelope.x[i] <= 0) continue;
            double best = -std::numeric_limits<double>::infinity();
            for (const RateOption& option : choice->options) best = std::max(best, shown(option, envelope.x[i]));
            if (!straight)
                best = std::max(best,
                                1e-3 * *plot.y.from); // where no option lowers the error, the line leaves at the bottom
            QVERIFY(std::abs(envelope.y[i] - best) <= 1e-6 * std::max(std::abs(best), 1e-3 * *plot.y.to));
        }
        const Series& marker = seriesOf(plot, "now");
        QCOMPARE(marker.x.at(0), legendValue(chart, "current error").value());
        QVERIFY(std::abs(marker.x[0] / choice->error - 1) < 1e-9);
        QCOMPARE(marker.y.at(0), shown(choice->options[choice->chosen], marker.x[0]));
    }
    const auto sync = indexed(test::sourceOfRun(sixWorkers(fastestThree)));
    QVERIFY(!findView("rates")->concerns(*sync, first));
    QVERIFY(findView("rates")->concerns(run, first));
    QVERIFY(chartOf("rates", *sync, sync->head()).empty.english().find("does not choose by rates") !=
            std::string::npos);
}

void tst_WaitingViews::kAndLoadAreTheLogs() {
    const RunIndex& run = adaptive();
    const auto updates = updatesOf(*run.source().log);
    const Chart chart = chartOf("k-and-load", run, run.head());
    QCOMPARE(chart.plots.size(), std::size_t{6});
    for (const bool byUpdate : {false, true}) {
        const Series& ks = chart.plots[byUpdate ? 4 : 1].series.at(0);
        QCOMPARE(ks.key, std::string("k"));
        QCOMPARE(ks.x.size(), ks.y.size() + 1);
        for (std::size_t u = 0; u < updates.size(); ++u) {
            // An update begins where the one before has ended.
            const double at = byUpdate ? static_cast<double>(u) + 0.5
                              : u == 0 ? updates[0].at.toSeconds() / 2
                                       : (updates[u - 1].at.toSeconds() + updates[u].at.toSeconds()) / 2;
            const auto i = static_cast<std::size_t>(std::upper_bound(ks.x.begin(), ks.x.end(), at) - ks.x.begin()) - 1;
            QCOMPARE(ks.y.at(i), static_cast<double>(updates[u].used.size()));
        }
    }
    QCOMPARE(legendValue(chart, "updates").value(), static_cast<double>(updates.size()));
    const Axis& across = chart.plots[3].x;
    QCOMPARE(instantAt(across, 10)->ns, updates[9].at.ns);
    QCOMPARE(valueAt(across, updates[9].at).value(), 10.0);
    // The losses are all there, and where the log has them.
    const auto losses = test::eventsOf(*run.source().log, EventType::lossEvaluated);
    const Series& loss = chart.plots[0].series.at(0);
    QCOMPARE(loss.x.size(), losses.size());
    QCOMPARE(loss.y.back(), losses.back().value);
}

// Without prices nothing is faster than the fastest; as samples become dear fewer are assigned, as messages
// do fewer are sent.
void tst_WaitingViews::tradeOffsBeginAtTheFastest() {
    const Chart chart = chartOf("trade-off", adaptive(), SimTime::seconds(9));
    QCOMPARE(chart.empty.english(), std::string());
    const Plot& plot = chart.plots.at(0);
    const Series& now = seriesOf(plot, "samples, now");
    for (const auto& [key, own] : {std::pair{"samples, price on samples", true},
                                   {"messages, price on messages", true},
                                   {"messages, price on samples", false},
                                   {"samples, price on messages", false}}) {
        const Series& line = seriesOf(plot, key);
        QVERIFY(line.x.size() > 3);
        QVERIFY(std::abs(line.y[0] - 100) < 1e-9); // of the fastest
        QVERIFY(std::abs(line.x[0] - now.x[0]) < 1e-9);
        for (std::size_t i = 1; i < line.x.size(); ++i) {
            QVERIFY(line.x[i] >= line.x[i - 1] * (1 - 1e-9));
            if (own) QVERIFY(line.y[i] <= line.y[i - 1] * (1 + 1e-9));
        }
    }
    QVERIFY(std::abs(now.y[0] - 100) < 1e-9); // the scenario has no prices
}

// E[k-th of n exponential times of mean m] = m (1/n + 1/(n − 1) + … + 1/(n − k + 1)), and the same few
// microseconds of transfer for each worker.
void tst_WaitingViews::responseTimesOfAlikeWorkersAreHarmonic() {
    const auto run = indexed(test::sourceOfRun(sixWorkers(fastestThree)));
    const Chart chart = chartOf("response-times", *run, run->head());
    const Series& placed = seriesOf(chart.plots.at(0), "as placed, load 1");
    QCOMPARE(placed.y.size(), std::size_t{6});
    const double transfer = placed.y[0] - 16e-3 / 6; // 16 samples of 1 ms
    QVERIFY2(transfer >= 0 && transfer < 1e-4, qPrintable(QString::number(transfer)));
    double harmonic = 0;
    for (int k = 1; k <= 6; ++k) {
        harmonic += 1.0 / (6 - k + 1);
        const double mean = transfer + 16e-3 * harmonic;
        QVERIFY2(std::abs(placed.y[static_cast<std::size_t>(k - 1)] / mean - 1) < 1e-6, qPrintable(QString::number(k)));
    }
    QVERIFY(std::abs(seriesOf(chart.plots[0], "same mean, constant").y[2] - transfer - 16e-3) < 1e-9);
    QCOMPARE(chart.plots[0].lines.at(0).value, 3.0);
    // Measured: 199 rounds of a time with this mean and a coefficient of variation below 0.6; five standard
    // errors are 21 %.
    const Series& measured = seriesOf(chart.plots[0], "measured");
    QCOMPARE(measured.x, std::vector<double>{3});
    QVERIFY(std::abs(measured.y[0] / placed.y[2] - 1) < 0.21);
}

// Two workers, no communication: E[min] = x 2α/(2α − 1) with x = (α − 1)/α, E[max] = 2 − E[min]; k = 1 is
// best where 1/E[min] > 2/E[max].
void tst_WaitingViews::bestKOfParetoTimes() {
    Scenario scenario = test::starScenario(3);
    Job job = test::trainedJob();
    job.workers = {2, 2};
    scenario.jobs = {job};
    const auto run = indexed(test::sourceOfRun(std::move(scenario)));
    const Chart chart = chartOf("best-k", *run, run->head());
    const Plot& plot = chart.plots.at(0);
    const Cells& cells = plot.series.at(0).cells;
    QCOMPARE(cells.values.size(), cells.columns * cells.rows);
    QCOMPARE(plot.y.categories.back().label.english(), std::string("0 %")); // the last row: no communication
    int ones = 0;
    for (std::size_t c = 0; c < cells.columns; ++c) {
        const double alpha = std::stod(plot.x.categories[c].label.english());
        const double least = (alpha - 1) / alpha * 2 * alpha / (2 * alpha - 1), most = 2 - least;
        const double k = 1 / least > 2 / most ? 1 : 2;
        QCOMPARE(cells.values[(cells.rows - 1) * cells.columns + c], k);
        ones += k == 1;
    }
    QVERIFY(ones > 0 && ones < static_cast<int>(cells.columns)); // both cases occur
    QCOMPARE(legendValue(chart, "workers").value(), 2.0);
}

void tst_WaitingViews::stalenessIsTheLogs() {
    const auto run = indexed(test::sourceOfRun(sixWorkers({"async", {}})));
    const EventLog& log = *run->source().log;
    const SimTime at = SimTime{run->head().ns / 2};
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> arrived;
    std::vector<std::pair<double, bool>> used; // staleness, and whether its update has been applied
    log.walk(0, log.positionAfter(at), [&](const Event& e) {
        if (e.type == EventType::gradientArrived) arrived[{e.a, e.b}] = e.value;
        if (e.type == EventType::gradientUsed) used.push_back({arrived.at({e.a, e.b}), false});
        if (e.type == EventType::updateApplied)
            for (auto& u : used) u.second = true;
    });
    std::map<double, double> counts;
    double total = 0, sum = 0;
    for (const auto& [staleness, applied] : used)
        if (applied) ++counts[staleness], ++total, sum += staleness;
    const Chart chart = chartOf("staleness", *run, at);
    const Series& bars = chart.plots.at(0).series.at(0);
    QCOMPARE(bars.x.size(), counts.size());
    for (std::size_t i = 0; i < bars.x.size(); ++i) QVERIFY(std::abs(bars.y[i] - counts.at(bars.x[i]) / total) < 1e-12);
    QVERIFY(std::abs(legendValue(chart, "mean, measured").value() - sum / total) < 1e-12);
    QCOMPARE(legendValue(chart, "mean, exact").value(), 5.0); // n − 1
    QCOMPARE(chart.plots[0].lines.at(1).value, 5.0);
    const auto rounds = indexed(test::sourceOfRun(sixWorkers(fastestThree)));
    QCOMPARE(legendValue(chartOf("staleness", *rounds, rounds->head()), "mean, exact").value(), 0.0);
}

void tst_WaitingViews::participationIsTheLogs() {
    const auto run = indexed(test::sourceOfRun(sixWorkers(fastestThree)));
    std::vector<double> counts(6, 0);
    for (const Update& update : updatesOf(*run->source().log))
        for (const Event& e : update.used) ++counts[e.a];
    const Chart chart = chartOf("participation", *run, run->head());
    QCOMPARE(chart.plots.at(0).series.at(0).y, counts);
    QCOMPARE(chart.plots[0].lines.at(0).value, 100.0); // 200 updates of 3, six workers
    QCOMPARE(legendValue(chart, "largest share").value(), *std::max_element(counts.begin(), counts.end()));
    QVERIFY(chart.caution.empty()); // rows are shuffled: nothing to be biased towards
    for (std::uint32_t w = 0; w < 6; ++w) QCOMPARE(*chart.plots[0].series[0].refOf(w).worker, w);
}

// The log in pieces of any length, with views computed between them, gives the charts of the whole.
void tst_WaitingViews::everyViewIsTheSameHoweverTheLogCame() {
    const RunIndex& whole = adaptive();
    RunIndex pieces(whole.source());
    for (std::size_t i = 1; pieces.behind(); i = i * 3 % 10'007) {
        pieces.update(i);
        for (const View& view : views()) pictureNow(view, {.run = pieces, .job = first, .at = pieces.head()});
    }
    QCOMPARE(pieces.position(), whole.position());
    for (const View& view : views())
        for (const double share : {0.4, 1.0}) {
            if (view.concerns && !view.concerns(whole, first)) continue;
            const SimTime at{static_cast<std::int64_t>(share * static_cast<double>(whole.head().ns))};
            const Picture a = wholePicture(view, {.run = whole, .job = first, .at = at}),
                          b = wholePicture(view, {.run = pieces, .job = first, .at = at});
            QVERIFY2(emptyOf(a).empty(), view.id.c_str());
            if (view.isTable) QVERIFY2(a == b, view.id.c_str());
            if (view.isTable) continue;
            QVERIFY2(std::get<Chart>(a).legend == std::get<Chart>(b).legend, view.id.c_str());
            QCOMPARE(std::get<Chart>(a).plots.size(), std::get<Chart>(b).plots.size());
            for (std::size_t p = 0; p < std::get<Chart>(a).plots.size(); ++p)
                QVERIFY2(std::get<Chart>(a).plots[p].lines == std::get<Chart>(b).plots[p].lines, view.id.c_str());
        }
}

// Names are unique; whatever is known, a picture says what it means or why there is nothing; series are
// whole.
void tst_WaitingViews::everyViewKeepsThePromises() {
    std::set<std::string> ids;
    const auto fresh = std::make_unique<RunIndex>(adaptive().source()); // nothing folded yet
    for (const View& view : views()) {
        QVERIFY2(ids.insert(view.id).second, view.id.c_str());
        QVERIFY(!view.title.empty() && !view.group.empty() && view.summary.pattern.back() == '.');
        for (const ParamField& field : view.options.fields()) QVERIFY(!field.label.empty() && field.help.back() == '.');
        QVERIFY(!emptyOf(pictureNow(view, {.run = *fresh, .job = {}, .at = {}}).picture).empty());
        QVERIFY(!emptyOf(pictureOfNothing(view)).empty());
        const auto* chart = [&]() -> const Chart* {
            static Picture made;
            made = wholePicture(view, {.run = adaptive(), .job = {}, .at = adaptive().head()});
            return std::get_if<Chart>(&made);
        }();
        if (!chart || (view.concerns && !view.concerns(adaptive(), first))) continue;
        QVERIFY2(!chart->meaning.empty() && !chart->legend.empty(), view.id.c_str());
        for (const Plot& plot : chart->plots) {
            QVERIFY2(!plot.x.title.empty() && !plot.y.title.empty() && !plot.x.key.empty() && !plot.y.key.empty(),
                     view.id.c_str());
            std::set<std::string> keys;
            for (const Series& s : plot.series) {
                QVERIFY2(!s.key.empty() && keys.insert(s.key).second, (view.id + ": " + s.key).c_str());
                QVERIFY(s.refs.size() <= 1 || s.refs.size() == s.size());
                QVERIFY(s.notes.empty() || s.notes.size() == s.size());
                QVERIFY(s.labels.empty() || s.labels.size() == s.size());
                const bool xy = s.kind != Series::Kind::spans && s.kind != Series::Kind::cells;
                if (xy)
                    QVERIFY(s.x.size() == s.y.size() ||
                            (s.kind == Series::Kind::steps && s.x.size() == s.y.size() + 1));
            }
        }
    }
}

void tst_WaitingViews::optionsAreRead() {
    const View& view = *findView("iteration");
    const auto values = optionsFrom(view, {"by_worker=true"});
    QVERIFY(values.ok());
    QCOMPARE(std::get<bool>(values->at("by_worker")), true);
    QVERIFY(!optionsFrom(view, {"by_worker=maybe"}).ok());
    QVERIFY(!optionsFrom(view, {"nonesuch=1"}).ok());
    QVERIFY(!optionsFrom(view, {"by_worker"}).ok());
    QVERIFY(!findView("nonesuch"));
}

TRAINYARD_TEST(tst_WaitingViews)
#include "tst_WaitingViews.moc"
