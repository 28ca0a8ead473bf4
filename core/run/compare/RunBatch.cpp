// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/RunBatch.h"

#include "base/Parallel.h"
#include "engine/UpdateTimeMemo.h"
#include "run/RunVerdict.h"
#include "scenario/agents/PolicyFileReading.h"

#include <mutex>
#include <utility>

namespace trainyard {

RunBatch::RunBatch(BatchSettings settings)
    : m_settings(std::move(settings)), m_updateTimes(std::make_shared<UpdateTimeMemo>()) {}

Problems RunBatch::run(std::size_t from, std::size_t to) {
    Problems ofStore = numberScenarios(from, to);
    std::mutex mutex;
    std::size_t done = from;
    const auto one = [&](std::size_t number) {
        EndedRun over = runOne(number);
        const bool stopped = over.how == EndedRun::How::stopped;
        const std::scoped_lock lock(mutex);
        ++done;
        ended(over);
        if (m_settings.progress && !stopped) m_settings.progress(done, to);
    };
    if (m_settings.mode == RunMode::execute)
        for (std::size_t number = from; number < to; ++number) one(number);
    else
        Parallel(m_settings.threads).forEach(to - from, [&](std::size_t i) { one(from + i); });
    return ofStore;
}

/// What policies read from files tells a scenario from others.
Problems RunBatch::numberScenarios(std::size_t from, std::size_t to) {
    Problems problems;
    if (!m_settings.kept.keeps()) return problems;
    for (std::size_t i = from; i < to; ++i)
        if (const Scenario* scenario = runs[i].scenario.get(); scenario && !m_numbers.contains(scenario))
            m_numbers[scenario] = m_settings.kept.numberOf(
                withFileDigests(*scenario, *m_settings.registry, m_settings.resources), problems);
    return problems;
}

std::optional<std::vector<std::string>> RunBatch::found(ResultKey key) const {
    std::vector<std::string> texts;
    for (const std::string& kind : kinds) {
        key.what = kind;
        auto text = m_settings.kept.found(key);
        if (!text) return std::nullopt;
        texts.push_back(std::move(*text));
    }
    return texts;
}

EndedRun RunBatch::runOne(std::size_t number) {
    const BatchRun& asked = runs[number];
    EndedRun out{.number = number, .how = EndedRun::How::failed};
    if (!asked.scenario) return out;
    const auto known = m_numbers.find(asked.scenario.get());
    ResultKey key{
        .scenario = known == m_numbers.end() ? 0 : known->second, .mode = m_settings.mode, .seed = asked.seed};
    if (const auto texts = found(key); texts && read(number, *texts)) {
        out.how = EndedRun::How::value;
        return out;
    }
    if (number % m_settings.shards != m_settings.shard) {
        out.how = EndedRun::How::ofOtherShard;
        return out;
    }
    SimulationOptions options{.scenario = asked.scenario,
                              .registry = m_settings.registry,
                              .resources = m_settings.resources,
                              .seed = asked.seed,
                              .threads = 1,
                              .commands = {},
                              .updateTimes = m_updateTimes};
    auto outcome = m_settings.mode == RunMode::execute ? executeOnce(std::move(options), m_settings.stop)
                                                       : simulateOnce(std::move(options), m_settings.stop);
    if (!outcome) {
        out.problems = outcome.problems();
        if (out.problems.front().code == "stopped") out.how = EndedRun::How::stopped;
        return out;
    }
    out.how = EndedRun::How::value;
    take(number, outcome.value());
    if (key.scenario == 0) return out; // nothing is kept
    const std::vector<std::string> texts = write(number);
    for (std::size_t k = 0; k < kinds.size() && out.unkept.empty(); ++k) {
        key.what = kinds[k];
        out.unkept = m_settings.kept.keep(key, texts[k]);
    }
    return out;
}

KeptMetrics keptMetrics(RunOutcome& outcome) {
    KeptMetrics out{.digest = std::move(outcome.digest),
                    .warnings = jobWarnings(*outcome.workload, outcome.metrics),
                    .losses = outcome.metrics.losses};
    out.metrics = std::move(outcome.metrics.values);
    return out;
}

} // namespace trainyard
