// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pdors/PdorsWorkload.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study {

namespace pdors_workload {

constexpr double remoteBytes = 1.25e9 * pdorsSlotSeconds, localBytes = 10 * remoteBytes; ///< per slot
constexpr int updates = 2000;

class Draws {
public:
    Draws(std::uint64_t seed, int job) : m_random(seed, Purpose::jobShape, static_cast<std::uint64_t>(job)) {}
    double real(double low, double high) { return low + (high - low) * m_random.unit(); }
    int whole(int low, int high) {
        return low + static_cast<int>(m_random.below(static_cast<std::uint64_t>(high - low + 1)));
    }

private:
    RandomStream m_random;
};

Utility utilityOf(Draws& draws, const PdorsWorkload& workload) {
    const double kind = draws.real(0, 1), worth = draws.real(1, 100), until = draws.real(1, 15);
    const double gentle = draws.real(0.01, 1), steep = draws.real(4, 6);
    const double falls = kind < workload.insensitive                        ? 0
                         : kind < workload.insensitive + workload.sensitive ? gentle
                                                                            : steep;
    return {worth, falls, until, pdorsSlotSeconds};
}

/// What decides how long a job takes.
struct Size {
    double epochs = 0, samples = 0, bytes = 0, slotsPerSample = 0;
    int ratio = 1, batch = 1;

    explicit Size(Draws& draws)
        : epochs(draws.whole(50, 200)), samples(draws.real(2e4, 5e5)), bytes(draws.real(30e6, 575e6)),
          slotsPerSample(draws.real(1e-5, 1e-4)), ratio(draws.whole(1, 10)), batch(draws.whole(1, 200)) {}
    /// Samples of a worker in a slot.
    double rate(double bytesPerSlot) const {
        return 1 / (slotsPerSample + 2.0 * ratio * bytes / (bytesPerSlot * batch));
    }
    /// With as many workers as it may have, apart from its servers.
    double slotsNeeded() const { return epochs * samples / (rate(remoteBytes) * batch); }
};

Job jobOf(Draws draws, const PdorsWorkload& workload, int number) {
    Job job{.key = "j" + std::to_string(number + 1)};
    Size size(draws);
    while (size.slotsNeeded() > workload.horizon / 2.0) size = Size(draws); // it could hardly end: 78 % of those drawn
    const double epochs = size.epochs, samples = size.samples;
    const int ratio = size.ratio, batch = size.batch;
    job.workersPerServer = ratio;
    job.workers = {1, batch};
    job.servers = {1, (batch + ratio - 1) / ratio};
    const auto cpu = [&] { return static_cast<double>(draws.whole(1, 10)); };
    const auto memory = [&] { return static_cast<double>(draws.whole(2, 32)); };
    const auto storage = [&] { return static_cast<double>(draws.whole(5, 10)); };
    const double gpus = draws.whole(0, 4), workerCpu = cpu(), workerMemory = memory(), workerStorage = storage();
    job.workerDemand = ResourceVector::of({gpus, workerCpu, workerMemory, workerStorage});
    const double serverCpu = cpu(), serverMemory = memory();
    job.serverDemand = ResourceVector::of({0, serverCpu, serverMemory, storage()});
    job.utility = utilityOf(draws, workload);
    const int slot = draws.real(0, 1) < 1.0 / 3 ? 1 + 2 * draws.whole(0, workload.horizon / 4)
                                                : 2 * draws.whole(0, workload.horizon / 4);
    job.arrival = SimTime::seconds(std::min(slot, workload.horizon / 2) * pdorsSlotSeconds);
    AnalyticWork work;
    work.samples = samples;
    work.parameterBytes = 1; // the exchange is in the rates
    work.batchOf = BatchOf::job;
    work.batch = std::max(batch, static_cast<int>(std::ceil(epochs * samples / updates)));
    job.stop.iterations = static_cast<std::int64_t>(std::ceil(epochs * samples / work.batch));
    work.rates = LocalityRates{size.rate(localBytes) / pdorsSlotSeconds, size.rate(remoteBytes) / pdorsSlotSeconds};
    work.evaluation.everyIterations = *job.stop.iterations;
    job.work = work;
    return job;
}

} // namespace pdors_workload

Scenario pdorsScenario(const PdorsWorkload& workload, std::uint64_t seed) {
    using namespace pdors_workload;
    Scenario scenario;
    scenario.title = "PD-ORS workload";
    scenario.seed = seed;
    scenario.network = NetworkModel::rate;
    scenario.explanations = WhyLevel::off;
    scenario.horizonSeconds = workload.horizon * pdorsSlotSeconds;
    scenario.cluster.resourceNames = {"gpu", "cpu", "memory_gb", "storage_gb"};
    scenario.cluster.switches.push_back({.key = "switch"});
    for (int m = 1; m <= workload.machines; ++m) {
        const std::string key = "m" + std::to_string(m);
        scenario.cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({36, 99, 306, 135})});
        scenario.cluster.links.push_back({.key = key + "--switch", .from = key, .to = "switch", .bandwidth = 1.25e9});
    }
    for (int j = 0; j < workload.jobs; ++j) scenario.jobs.push_back(jobOf(Draws(seed, j), workload, j));
    return scenario;
}

} // namespace trainyard::study
