#pragma once
// What the views of waiting read from the fold of a run: how far a job had come at an instant, what its
// synchronization had chosen and why, and who had taken part. Pure functions of the fold, any thread that
// may read it.
#include "model/Placement.h"
#include "plots/RunFold.h"
#include "run/RateChoices.h"

namespace trainyard {

/// Updates of the job applied by then.
std::size_t updatesUntil(const RunFold& run, JobId job, SimTime at);
/// When an update was applied.
SimTime timeOfUpdate(const RunFold& run, JobId job, std::size_t update);
/// β of an update: samples per gradient, as a share of the job's batch.
double loadOfUpdate(const RunFold& run, JobId job, std::size_t update);

/// What the rates said when the synchronization last chose, and how far its model has come since.
struct ChoiceNow {
    std::shared_ptr<const RateChoice> choice; ///< null: none yet, or it does not choose by rates
    std::uint64_t updatesSince = 0;
    double error = 0; ///< the policy's own at the choice, carried on by the model of the chosen option
};
ChoiceNow choiceAt(const RunFold& run, JobId job, SimTime at);

/// Adds the gradients used in the updates [from, to), by worker; as many entries as the job has had workers.
void addUsedByWorker(std::vector<std::size_t>& counts, const RunFold& run, JobId job, std::size_t from,
                     std::size_t to);

struct StalenessCounts {
    std::vector<std::size_t> gradients; ///< by staleness
    std::size_t total = 0;
    double mean = 0;
};
/// Of the gradients used in the updates [from, to).
StalenessCounts stalenessOf(const RunFold& run, JobId job, std::size_t from, std::size_t to);

/// Where the job was placed when its first gradient was sent, and how large that message was.
struct PlacedJob {
    Placement placement;
    double messageBytes = 0;
};
PlacedJob placedJob(const RunFold& run, JobId job);

/// Measured: the mean time between two updates, of those that waited for as many answers of the same load.
struct MeanTime {
    std::size_t k = 0, updates = 0;
    double load = 1, seconds = 0;
};
/// Of the first so many updates; nothing where gradients were stale, since then no update waits for its own.
std::vector<MeanTime> meanTimes(const RunFold& run, JobId job, std::size_t updates);

/// "m3 · w7"
QString workerName(const RunFold& run, JobId job, std::uint32_t worker);
/// "fastest-k", or nothing where the scenario is not known.
std::string synchronizationId(const RunFold& run, JobId job);

} // namespace trainyard
