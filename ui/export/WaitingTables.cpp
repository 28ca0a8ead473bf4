#include "export/WaitingTables.h"

#include "analysis/ResponseTimes.h"
#include "analysis/IterationBars.h"
#include "waiting/TailMapPainter.h"
#include "waiting/TradeOffPainter.h"
#include "waiting/WaitingValues.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace waiting_tables {

std::string whole(std::size_t value) {
    return std::to_string(value);
}

const std::string& keyOf(const RunFold& run, JobId job) {
    return run.workload().job(job).key;
}

std::string workerKey(std::uint32_t worker) {
    return "w" + std::to_string(worker + 1);
}

void head(CsvRows& rows, std::initializer_list<const char*> names) {
    for (const char* name : names) rows << name;
    rows.end();
}

/// Empty where it never came to it.
void instant(CsvRows& rows, SimTime t) {
    if (t == SimTime::never())
        rows << "";
    else
        rows << t;
}

void iterationRows(CsvRows& rows, const RunFold& run, JobId job, SimTime at) {
    static const char* const fates[] = {"under way", "used", "dropped", "cancelled"};
    const IterationBars iteration = iterationAt(run, job, at);
    for (const TaskBar& bar : iteration.bars) {
        rows << keyOf(run, job) << whole(iteration.update + 1) << workerKey(bar.worker)
             << std::to_string(bar.task);
        instant(rows, bar.pull);
        instant(rows, bar.compute);
        instant(rows, bar.push);
        rows << bar.end << fates[static_cast<std::size_t>(bar.fate)]
             << (bar.place > 0 ? std::to_string(bar.place) : std::string());
        rows.end();
    }
}

void rateRows(CsvRows& rows, const RunFold& run, JobId job, SimTime at) {
    const ChoiceNow now = choiceAt(run, job, at);
    if (!now.choice) return;
    for (std::size_t i = 0; i < now.choice->options.size(); ++i) {
        const RateOption& option = now.choice->options[i];
        const auto step = std::find_if(now.choice->envelope.begin(), now.choice->envelope.end(),
                                       [&](const EnvelopeStep& s) { return s.line == i; });
        rows << keyOf(run, job) << now.choice->at << now.error << std::to_string(option.waitFor)
             << option.load << option.line.slope << option.floor << option.cost << option.line.at(now.error)
             << (i == now.choice->chosen ? "1" : "0");
        if (step == now.choice->envelope.end())
            rows << "";
        else
            rows << step->downTo;
        rows.end();
    }
}

void choiceRows(CsvRows& rows, const RunFold& run, JobId job, const TimeSpan& span) {
    const UpdateLog& updates = run.jobs()[job.index()].updates;
    for (std::size_t u = 0; u < updates.size() && rows.going(); ++u) {
        const SimTime t = timeOfUpdate(run, job, u);
        if (t < span.from || t > span.to) continue;
        (rows << keyOf(run, job) << whole(u + 1) << t << whole(updates.gradientsOf(u)) << updates.samples(u)
              << loadOfUpdate(run, job, u))
            .end();
    }
}

void tradeOffRows(CsvRows& rows, const RunFold& run, JobId job, SimTime at) {
    const auto offs = tradeOffsAt(run, job, at);
    if (!offs) return;
    const auto row = [&](const char* which, const Trajectory& course) {
        (rows << keyOf(run, job) << which << course.prices.sample << course.prices.message << course.seconds
              << course.samples << course.messages << course.updates)
            .end();
    };
    row("now", offs->now);
    for (const Trajectory& course : offs->sample) row("price on samples", course);
    for (const Trajectory& course : offs->message) row("price on messages", course);
}

void bestWaitRows(CsvRows& rows, const RunFold& run, JobId job, SimTime at) {
    const TailMap map = tailMap(static_cast<int>(run.jobs()[job.index()].workers.size()));
    const auto now = errorNowAt(run, job, at);
    for (std::size_t share = 0; share < map.shares.size(); ++share)
        for (std::size_t tail = 0; tail < map.tails.size(); ++tail) {
            const auto& means = map.cell(tail, share);
            const int k = bestWait(means, now);
            rows << keyOf(run, job) << std::to_string(map.workers) << map.tails[tail] << map.shares[share]
                 << std::to_string(k);
            if (k > 0)
                rows << means[static_cast<std::size_t>(k) - 1];
            else
                rows << "";
            rows.end();
        }
}

void answerRows(CsvRows& rows, const RunFold& run, JobId job, SimTime at) {
    static const char* const kinds[] = {"as placed", "all like ", "same mean, "};
    const std::size_t until = updatesUntil(run, job, at);
    const double now = until > 0 ? loadOfUpdate(run, job, until - 1) : 1;
    const PlacedJob placed = responseInputs(run, job);
    const std::vector<double> loads =
        now > 0 && now < 1 ? std::vector<double>{1, now} : std::vector<double>{1};
    for (const ResponseTimeCurve& curve :
         responseTimeCurves(run.run().workload, job, placed.placement, placed.messageBytes, loads))
        for (std::size_t k = 0; k < curve.means.size() && rows.going(); ++k) {
            rows << keyOf(run, job) << kinds[static_cast<std::size_t>(curve.kind)] + curve.name << curve.load
                 << whole(k + 1);
            if (std::isfinite(curve.means[k]))
                rows << curve.means[k];
            else
                rows << "";
            rows.end();
        }
}

void stalenessRows(CsvRows& rows, const RunFold& run, JobId job, SimTime at) {
    const StalenessCounts counts = stalenessOf(run, job, 0, updatesUntil(run, job, at));
    for (std::size_t s = 0; s < counts.gradients.size() && rows.going(); ++s)
        (rows << keyOf(run, job) << whole(s) << whole(counts.gradients[s])
              << static_cast<double>(counts.gradients[s]) / static_cast<double>(counts.total))
            .end();
}

void participationRows(CsvRows& rows, const RunFold& run, JobId job, SimTime at) {
    std::vector<std::size_t> counts;
    addUsedByWorker(counts, run, job, 0, updatesUntil(run, job, at));
    double total = 0;
    for (const std::size_t count : counts) total += static_cast<double>(count);
    for (std::uint32_t w = 0; w < counts.size() && rows.going(); ++w) {
        const MachineId machine = run.jobs()[job.index()].workers[w].machine;
        (rows << keyOf(run, job) << workerKey(w)
              << (machine.valid() ? run.workload().machine(machine).key : std::string()) << whole(counts[w])
              << (total > 0 ? static_cast<double>(counts[w]) / total : 0.0))
            .end();
    }
}

} // namespace waiting_tables

bool writeWaitingTable(CsvRows& rows, const QString& view, const RunFold& run, const TimeSpan& span,
                       SimTime at) {
    using namespace waiting_tables;
    const auto each = [&](const auto& write) {
        for (std::size_t j = 0; j < run.jobs().size() && rows.going(); ++j)
            if (!run.jobs()[j].workers.empty()) write(JobId(j));
        return true;
    };
    if (view == QLatin1String("iteration")) {
        head(rows,
             {"job", "update", "worker", "task", "pull_s", "compute_s", "push_s", "end_s", "fate", "place"});
        return each([&](JobId job) { iterationRows(rows, run, job, at); });
    }
    if (view == QLatin1String("rates")) {
        head(rows, {"job", "chosen_at_s", "error", "k", "load", "slope", "floor", "cost_s", "rate", "chosen",
                    "best_down_to"});
        return each([&](JobId job) { rateRows(rows, run, job, at); });
    }
    if (view == QLatin1String("k-and-load")) {
        head(rows, {"job", "update", "time_s", "k", "samples", "load"});
        return each([&](JobId job) { choiceRows(rows, run, job, span); });
    }
    if (view == QLatin1String("trade-off")) {
        head(rows, {"job", "course", "sample_price_s", "message_price_s", "seconds", "samples", "messages",
                    "updates"});
        return each([&](JobId job) { tradeOffRows(rows, run, job, at); });
    }
    if (view == QLatin1String("best-k")) {
        head(rows, {"job", "workers", "tail_index", "communication_share", "best_k", "mean_answers"});
        return each([&](JobId job) { bestWaitRows(rows, run, job, at); });
    }
    if (view == QLatin1String("response-times")) {
        head(rows, {"job", "law", "load", "k", "mean_s"});
        return each([&](JobId job) { answerRows(rows, run, job, at); });
    }
    if (view == QLatin1String("staleness")) {
        head(rows, {"job", "staleness", "gradients", "share"});
        return each([&](JobId job) { stalenessRows(rows, run, job, at); });
    }
    if (view == QLatin1String("participation")) {
        head(rows, {"job", "worker", "machine", "gradients", "share"});
        return each([&](JobId job) { participationRows(rows, run, job, at); });
    }
    return false;
}

} // namespace trainyard
