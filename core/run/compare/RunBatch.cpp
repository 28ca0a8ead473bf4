// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/RunBatch.h"

#include "base/Parallel.h"
#include "engine/UpdateTimeMemo.h"
#include "run/RunVerdict.h"
#include "scenario/RunSize.h"
#include "scenario/agents/PolicyFileReading.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace trainyard {

RunBatch::RunBatch(BatchSettings settings)
    : m_settings(std::move(settings)), m_updateTimes(std::make_shared<UpdateTimeMemo>()) {}

Problems RunBatch::run(std::size_t from, std::size_t to) {
    if (isShared()) m_settings.processes->meet(identity(from, to));
    Problems ofStore = numberScenarios(from, to);
    m_done = from;
    m_all = to;
    if (isShared() && !m_settings.processes->isFirst()) {
        takePart();
        return ofStore;
    }
    plan(from, to);
    if (isShared() && m_settings.mode == RunMode::simulate)
        handOut();
    else
        computeHere();
    if (isShared()) tellOthers();
    return ofStore;
}

void RunBatch::plan(std::size_t from, std::size_t to) {
    m_order.resize(to - from);
    std::iota(m_order.begin(), m_order.end(), from);
    m_next = 0;
    if (m_settings.mode == RunMode::execute) return;
    std::unordered_map<const Scenario*, double> work{{nullptr, 0}};
    for (std::size_t i = from; i < to; ++i)
        if (const auto [it, isNew] = work.try_emplace(runs[i].scenario.get()); isNew)
            it->second = workAsked(*it->first);
    std::ranges::stable_sort(m_order, std::greater(),
                             [&](std::size_t number) { return work.at(runs[number].scenario.get()); });
}

std::optional<std::size_t> RunBatch::takeNext() {
    for (std::size_t place; (place = m_next++) < m_order.size();) {
        auto known = lookUp(m_order[place]);
        if (!known) return m_order[place];
        tell(*known);
    }
    return std::nullopt;
}

void RunBatch::computeHere() {
    const Parallel threads(m_settings.mode == RunMode::execute ? 1 : m_settings.threads);
    threads.forEach(static_cast<std::size_t>(threads.threads()), [this](std::size_t) {
        try {
            while (const auto number = takeNext()) {
                EndedRun run = compute(*number);
                tell(run);
            }
        } catch (...) {
            m_next = m_order.size(); // an error ends the batch
            throw;
        }
    });
}

void RunBatch::tell(EndedRun& run) {
    const bool stopped = run.how == EndedRun::How::stopped;
    const bool isFirst = !isShared() || m_settings.processes->isFirst();
    const std::scoped_lock lock(m_mutex);
    ++m_done;
    if (isShared() && isFirst && (m_settings.everywhere || stopped)) m_told.push_back(message(run));
    ended(run);
    if (m_settings.progress && isFirst && !stopped) m_settings.progress(m_done, m_all);
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

ResultKey RunBatch::keyOf(std::size_t number) const {
    const auto known = m_numbers.find(runs[number].scenario.get());
    return {
        .scenario = known == m_numbers.end() ? 0 : known->second, .mode = m_settings.mode, .seed = runs[number].seed};
}

std::optional<EndedRun> RunBatch::lookUp(std::size_t number) {
    if (!runs[number].scenario) return EndedRun{.number = number, .how = EndedRun::How::failed};
    if (const auto texts = found(keyOf(number)); texts && read(number, *texts))
        return EndedRun{.number = number, .found = true};
    if (number % m_settings.shards != m_settings.shard)
        return EndedRun{.number = number, .how = EndedRun::How::ofOtherShard};
    return std::nullopt;
}

EndedRun RunBatch::compute(std::size_t number) {
    EndedRun out{.number = number};
    SimulationOptions options{.scenario = runs[number].scenario,
                              .registry = m_settings.registry,
                              .resources = m_settings.resources,
                              .seed = runs[number].seed,
                              .threads = 1,
                              .commands = {},
                              .updateTimes = m_updateTimes};
    auto outcome = m_settings.mode == RunMode::execute ? executeOnce(std::move(options), m_settings.stop)
                                                       : simulateOnce(std::move(options), m_settings.stop);
    if (!outcome) {
        out.problems = outcome.problems();
        out.how = out.problems.front().code == "stopped" ? EndedRun::How::stopped : EndedRun::How::failed;
        return out;
    }
    take(number, outcome.value());
    keep(out);
    return out;
}

void RunBatch::keep(EndedRun& run) {
    ResultKey key = keyOf(run.number);
    if (key.scenario == 0 || run.how != EndedRun::How::value) return; // nothing is kept
    const std::vector<std::string> texts = write(run.number);
    for (std::size_t k = 0; k < kinds.size() && run.unkept.empty(); ++k) {
        key.what = kinds[k];
        run.unkept = m_settings.kept.keep(key, texts[k]);
    }
}

KeptMetrics keptMetrics(RunOutcome& outcome) {
    KeptMetrics out{.digest = std::move(outcome.digest),
                    .warnings = jobWarnings(*outcome.workload, outcome.metrics),
                    .losses = outcome.metrics.losses};
    out.metrics = std::move(outcome.metrics.values);
    return out;
}

} // namespace trainyard
