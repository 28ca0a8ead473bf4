// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/ShardBias.h"

#include "analysis/ResponseTimes.h"
#include "learning/TrainingProblem.h"
#include "policy/Registry.h"

#include <cmath>
#include <numeric>

namespace trainyard {

ShardWeights shardWeights(const Scenario& scenario, const Job& job, std::size_t workers) {
    const auto* work = std::get_if<TrainedWork>(&job.work);
    if (!work || work->shards != Shards::sorted || workers < 2) return ShardWeights::alike;
    static const Registry registry = Registry::builtin();
    const Choice& choice = synchronizationOf(scenario, job);
    if (!registry.find(PolicyFamily::synchronization, choice.id)) return ShardWeights::asCounted;
    const auto policy = registry.makeSynchronization(choice);
    const int n = static_cast<int>(workers);
    const IterationShape shape = policy->shape(n);
    const bool waitsForAll = !shape.asynchronous && shape.waitFor >= shape.launched;
    return policy->isUnbiased(n) && !waitsForAll ? ShardWeights::evenedOut : ShardWeights::asCounted;
}

std::vector<std::size_t> gradientsUsed(const EventLog& log, JobId job) {
    std::vector<std::size_t> used;
    log.walk(0, log.size(), [&](const Event& event) {
        if (event.job != job.value) return;
        const bool placed =
            event.type == EventType::taskPlaced && event.aux == static_cast<std::uint16_t>(TaskRole::worker);
        if (placed && used.size() <= event.a) used.resize(event.a + 1, 0);
        if (event.type == EventType::gradientUsed) ++used.at(event.a);
    });
    return used;
}

bool differBeyondChance(std::span<const std::size_t> counts) {
    if (counts.size() < 2) return false;
    const double n = static_cast<double>(counts.size());
    const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / n;
    if (!(mean > 0)) return false;
    double chi = 0;
    for (const std::size_t count : counts) {
        const double off = static_cast<double>(count) - mean;
        chi += off * off / mean;
    }
    return chi > n - 1 + 4 * std::sqrt(2 * (n - 1));
}

ShardBias::ShardBias(TrainedWork work, std::uint64_t seed, JobId job, ResourcePaths resources)
    : m_work(std::move(work)), m_seed(seed), m_job(job), m_resources(std::move(resources)) {}

std::shared_ptr<const TrainingProblem> ShardBias::problem() const {
    const std::scoped_lock lock(m_mutex);
    if (!m_tried) {
        m_tried = true;
        if (auto made = TrainingProblem::make(m_work, m_seed, m_job, m_resources)) m_problem = std::move(made).value();
    }
    return m_problem;
}

std::optional<ShardRisk> ShardBias::of(std::span<const std::size_t> used, const std::stop_token& stop) const {
    const auto made = problem();
    if (!made || made->data().rows() == 0 || used.empty()) return std::nullopt;
    std::vector<Shard> shards;
    for (std::uint32_t w = 0; w < used.size(); ++w)
        shards.push_back(made->share(w, static_cast<std::uint32_t>(used.size())));
    const std::vector<double> shares(used.begin(), used.end());
    return shardRisk(made->model(), made->data(), shards, shares, made->initialParameters(), stop);
}

} // namespace trainyard
