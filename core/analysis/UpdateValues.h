// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What views ask of the updates of one job: how many there were at an instant, what its synchronization had
// chosen and why, who had taken part, and what its expected times follow from. Functions of the index, on its
// thread.
#include "analysis/RateChoices.h"
#include "analysis/ResponseTimes.h"
#include "analysis/RunIndex.h"
#include "policy/Registry.h"

namespace trainyard {

/// Updates of the job applied by then.
std::size_t updatesUntil(const RunIndex& run, JobId job, SimTime at);
/// When an update was applied.
SimTime timeOfUpdate(const RunIndex& run, JobId job, std::size_t update);
/// β of an update: samples per gradient, as a share of the job's batch.
double loadOfUpdate(const RunIndex& run, JobId job, std::size_t update);

/// What the rates said when the synchronization last chose, and how far its model has come since.
struct ChoiceNow {
    std::shared_ptr<const RateChoice> choice; ///< null: none yet, or it does not choose by rates
    std::uint64_t updatesSince = 0;
    double error = 0; ///< the policy's own at the choice, carried on by the model of the chosen option
};
ChoiceNow choiceAt(const RunIndex& run, JobId job, SimTime at);
/// Why nothing is known of the rates of a job's options at an instant, and what to do about it; empty if it
/// is.
Text whyNoRates(const RunIndex& run, JobId job, SimTime at);
/// Whether the job's synchronization chooses by rates at all.
bool choosesByRates(const RunIndex& run, JobId job);
/// "k = 3, β = 0.5"
std::string optionName(const RateOption& option);

/// Adds the gradients used in the updates [from, to), by worker; as many entries as the job has had workers.
void addUsedByWorker(std::vector<std::size_t>& counts, const RunIndex& run, JobId job, std::size_t from,
                     std::size_t to);

struct StalenessCounts {
    std::vector<std::size_t> gradients; ///< by staleness
    std::size_t total = 0;
    double mean = 0;
};
/// Of the gradients used in the updates [from, to).
StalenessCounts stalenessOf(const RunIndex& run, JobId job, std::size_t from, std::size_t to);

/// What the response times of the job follow from: where it was placed when its first gradient was sent, and
/// how large that message was.
ResponseInputs responseInputs(const RunIndex& run, JobId job);

/// Measured: the mean time between two updates, of those that waited for as many answers of the same load.
struct MeanTime {
    std::size_t k = 0, updates = 0;
    double load = 1, seconds = 0;
};
/// Of the first so many updates; nothing where gradients were stale, since then no update waits for its own.
std::vector<MeanTime> meanTimes(const RunIndex& run, JobId job, std::size_t updates);

/// "m3 · w7"
std::string workerName(const RunIndex& run, JobId job, std::uint32_t worker);
/// The job's own or the scenario's; null where the scenario is not known.
const Choice* synchronizationOf(const RunIndex& run, JobId job);
/// Made from that choice, to be asked what it knows of itself; null where it is not known.
std::unique_ptr<Synchronization> synchronizationPolicyOf(const RunIndex& run, JobId job);

} // namespace trainyard
