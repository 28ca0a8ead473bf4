#include "waiting/WaitingValues.h"

#include "run/AnswerTimes.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>

namespace trainyard {

namespace waiting_values {

const UpdateLog& updatesOf(const RunFold& run, JobId job) {
    return run.jobs()[job.index()].updates;
}

} // namespace waiting_values

using namespace waiting_values;

std::size_t updatesUntil(const RunFold& run, JobId job, SimTime at) {
    return updatesOf(run, job).before(std::min(run.run().log->positionAfter(at), run.position()));
}

SimTime timeOfUpdate(const RunFold& run, JobId job, std::size_t update) {
    return (*run.run().log)[updatesOf(run, job).position(update)].time;
}

double loadOfUpdate(const RunFold& run, JobId job, std::size_t update) {
    const UpdateLog& updates = updatesOf(run, job);
    const auto gradients = static_cast<double>(updates.gradientsOf(update));
    return gradients > 0 ? updates.samples(update) / (gradients * batchOf(run.workload().job(job))) : 0;
}

ChoiceNow choiceAt(const RunFold& run, JobId job, SimTime at) {
    ChoiceNow now;
    if (!run.run().choices) return now;
    const UpdateLog& updates = updatesOf(run, job);
    const std::size_t position = std::min(run.run().log->positionAfter(at), run.position());
    const auto& choices = updates.choices();
    for (const ExplainedChoice* it = updates.choiceBefore(position); it;
         it = it == choices.data() ? nullptr : it - 1) {
        now.choice = run.run().choices->of(it->explanation);
        if (!now.choice) continue; // of another kind, or not handed over yet
        const std::size_t since = updates.before(position) - it->updates;
        now.updatesSince = since - (it->inRound && since > 0 ? 1 : 0);
        now.error = now.choice->errorAfter(now.updatesSince);
        break;
    }
    return now;
}

void addUsedByWorker(std::vector<std::size_t>& counts, const RunFold& run, JobId job, std::size_t from,
                     std::size_t to) {
    const UpdateLog& updates = updatesOf(run, job);
    counts.resize(run.jobs()[job.index()].workers.size(), 0);
    for (std::size_t i = updates.usedBefore(from); i < updates.usedBefore(to); ++i)
        if (const std::uint32_t worker = updates.gradients()[i].worker; worker < counts.size())
            ++counts[worker];
}

StalenessCounts stalenessOf(const RunFold& run, JobId job, std::size_t from, std::size_t to) {
    const UpdateLog& updates = updatesOf(run, job);
    StalenessCounts out;
    for (std::size_t i = updates.usedBefore(from); i < updates.usedBefore(to); ++i) {
        const std::size_t staleness = std::min<std::size_t>(updates.gradients()[i].staleness, 1 << 20);
        if (out.gradients.size() <= staleness) out.gradients.resize(staleness + 1, 0);
        ++out.gradients[staleness];
        ++out.total;
        out.mean += static_cast<double>(staleness);
    }
    if (out.total > 0) out.mean /= static_cast<double>(out.total);
    return out;
}

PlacedJob placedJob(const RunFold& run, JobId job) {
    PlacedJob out;
    const EventLog& log = *run.run().log;
    for (std::size_t i = 0; i < run.position(); ++i) {
        const Event& e = log[i];
        if (e.job != job.value) continue;
        if (e.type == EventType::taskPlaced && e.a < (1u << 20)) {
            auto& machines = e.aux == static_cast<std::uint16_t>(TaskRole::worker) ? out.placement.workers
                                                                                   : out.placement.servers;
            if (machines.size() <= e.a) machines.resize(e.a + 1);
            machines[e.a] = MachineId(e.b);
        } else if (e.type == EventType::pushStarted) {
            out.messageBytes = e.value;
            break;
        }
    }
    for (auto* machines : {&out.placement.workers, &out.placement.servers})
        std::erase_if(*machines, [&](MachineId m) {
            return !m.valid() || m.index() >= run.workload().cluster.machines.size();
        });
    return out;
}

std::vector<MeanTime> meanTimes(const RunFold& run, JobId job, std::size_t until) {
    const UpdateLog& updates = updatesOf(run, job);
    std::map<std::pair<std::size_t, double>, MeanTime> means;
    const auto& steps = updates.steps();
    for (std::size_t i = 0; i < steps.size() && steps[i].update < until; ++i) {
        const std::size_t first =
            std::max<std::size_t>(steps[i].update, 1); // the first has no update before it
        const std::size_t last = std::min(until, i + 1 < steps.size() ? steps[i + 1].update : updates.size());
        if (last <= first || steps[i].gradients == 0) continue;
        MeanTime& mean = means[{steps[i].gradients, steps[i].samplesOfEach}];
        mean.k = steps[i].gradients;
        mean.load = loadOfUpdate(run, job, steps[i].update);
        mean.updates += last - first;
        mean.seconds += (timeOfUpdate(run, job, last - 1) - timeOfUpdate(run, job, first - 1)).toSeconds();
    }
    const bool stale =
        std::any_of(updates.gradients().begin(),
                    updates.gradients().begin() +
                        static_cast<std::ptrdiff_t>(updates.usedBefore(std::min<std::size_t>(until, 64))),
                    [](const UsedGradient& g) { return g.staleness > 0; });
    std::vector<MeanTime> out;
    if (stale) return out;
    for (auto& [key, mean] : means) {
        mean.seconds /= static_cast<double>(mean.updates);
        out.push_back(mean);
    }
    return out;
}

QString workerName(const RunFold& run, JobId job, std::uint32_t worker) {
    const QString number = QCoreApplication::translate("Lane", "w%1").arg(worker + 1);
    const auto& workers = run.jobs()[job.index()].workers;
    if (worker >= workers.size() || !workers[worker].machine.valid()) return number;
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(run.machineName(workers[worker].machine)),
                                         number);
}

std::string synchronizationId(const RunFold& run, JobId job) {
    if (!run.run().scenario) return {};
    return synchronizationOf(*run.run().scenario, run.workload().job(job)).id;
}

} // namespace trainyard
