// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Traces what the workers of a keyed job do, and gives them numbers to add that KeyConsistency.h can tell apart. Keys have two values for
// each worker. Workers may be threads.
#include "engine/keyed/KeyedWorld.h"
#include "support/KeyConsistency.h"

namespace trainyard::test {

class KeyTracer final : public KeyObserver {
public:
    explicit KeyTracer(std::size_t workers) : m_workers(workers) {}
    const float* adding(std::uint32_t worker, std::uint32_t key, SimTime) override {
        OfWorker& mine = m_workers[worker];
        mine.delta.assign(2 * m_workers.size(), 0.0f);
        mine.delta[2 * worker] = 1;
        mine.delta[2 * worker + 1] = static_cast<float>(mine.counts[key]++);
        mine.trace.push_back({true, worker, key, {}});
        return mine.delta.data();
    }
    void read(std::uint32_t worker, std::uint32_t key, const float* values, SimTime) override {
        m_workers[worker].trace.push_back({false, worker, key, {values, values + 2 * m_workers.size()}});
    }
    /// Of each worker in its order, one worker after the other.
    std::vector<TracedOperation> trace() const {
        std::vector<TracedOperation> all;
        for (const OfWorker& worker : m_workers) all.insert(all.end(), worker.trace.begin(), worker.trace.end());
        return all;
    }

private:
    struct OfWorker {
        std::vector<TracedOperation> trace;
        std::map<std::uint32_t, std::uint32_t> counts;
        std::vector<float> delta;
    };
    std::vector<OfWorker> m_workers;
};

} // namespace trainyard::test
