// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Runs one Synchronization without the engine: workers whose task times, comings and goings the test chooses,
// and no network. Every action is checked against the contract of policy/Synchronization.h; what is broken is
// kept as text.
#include "base/Random.h"
#include "policy/Synchronization.h"

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

namespace trainyard::test {

class SyncDriver {
public:
    struct UsedGradient {
        std::uint32_t worker, task;
        double weight;
        std::uint64_t staleness;
        std::int64_t samples;
    };
    struct Update {
        double time;
        std::vector<UsedGradient> gradients;
    };

    std::unique_ptr<Synchronization> policy;
    Job job;
    int batch = 8;
    /// Seconds of a task, from the assignment to the arrival of its gradient.
    std::function<double(std::uint32_t worker, std::uint32_t task, std::int64_t samples)> seconds =
        [](auto, auto, auto) { return 1.0; };
    /// Content of a message; empty for analytic jobs.
    std::function<std::vector<double>(std::uint32_t worker, std::uint32_t task)> message = [](auto, auto) {
        return std::vector<double>{};
    };
    /// Called after each update with Σ weight·gradient.
    std::function<void(const std::vector<double>&)> onUpdate = [](const auto&) {};

    /// What the view says besides the workers.
    std::vector<double> parameters;
    double learningRate = 0.1, lastLoss = std::nan("");
    std::vector<WorkerResponse> responses;

    double now = 0;
    std::vector<Assignment> assignments; ///< the last of each worker
    std::vector<Update> updates;
    std::vector<std::string> broken;
    std::vector<std::uint32_t> blockedNow;
    std::uint64_t cancelled = 0, dropped = 0, assignedSamples = 0, pulls = 0;
    ExplanationArena arena{WhyLevel::full};

    SyncDriver(std::unique_ptr<Synchronization> p, int workers) : policy(std::move(p)) {
        for (int w = 0; w < workers; ++w) m_workers.push_back({.present = true});
    }

    void start() {
        m_held.clear();
        call([&](const PolicyContext& c, const TrainingView& v, SyncActions& a) { policy->onStart(c, v, a); });
    }

    /// Delivers the next gradient; false if none is under way (and no timer pending).
    bool step() {
        while (!m_events.empty()) {
            const auto [key, event] = *m_events.begin();
            m_events.erase(m_events.begin());
            if (event.worker == timer) {
                now = key.first;
                call([&](const PolicyContext& c, const TrainingView& v, SyncActions& a) {
                    policy->onTimer(c, v, event.task, a);
                });
                return true;
            }
            WorkerView& worker = m_workers[event.worker];
            if (!worker.busy || worker.task != event.task) continue; // cancelled
            now = key.first;
            worker.busy = false;
            auto content = std::make_shared<std::vector<double>>(message(event.worker, event.task));
            m_held.push_back({{event.worker, event.task, worker.readVersion, worker.samples, *content}, content});
            const HeldGradient arrival = m_held.back().gradient;
            call([&](const PolicyContext& c, const TrainingView& v, SyncActions& a) {
                policy->onArrival(c, v, arrival, a);
            });
            return true;
        }
        return false;
    }

    /// Workers `gone` vanish with what they compute; workers `come` (also new numbers) appear idle.
    void membership(const std::vector<std::uint32_t>& gone, const std::vector<std::uint32_t>& come) {
        for (auto w : gone) {
            m_workers[w].present = m_workers[w].busy = false;
            std::erase_if(m_events, [&](const auto& e) { return e.second.worker == w; });
            m_blocked.erase(w);
        }
        for (auto w : come) {
            if (w >= m_workers.size()) m_workers.resize(w + 1);
            m_workers[w].present = true;
        }
        call([&](const PolicyContext& c, const TrainingView& v, SyncActions& a) { policy->onMembership(c, v, a); });
    }

    void run(std::size_t wanted) {
        while (updates.size() < wanted && step()) {}
    }

    const std::vector<WorkerView>& workers() const { return m_workers; }
    int present() const { return view().presentWorkers(); }

    double meanStaleness(std::size_t fromUpdate = 0) const {
        double sum = 0, n = 0;
        for (std::size_t u = fromUpdate; u < updates.size(); ++u)
            for (const auto& g : updates[u].gradients) {
                sum += static_cast<double>(g.staleness);
                ++n;
            }
        return sum / n;
    }

private:
    static constexpr std::uint32_t timer = 0xffffffff;
    struct Pending {
        std::uint32_t worker, task;
    };
    struct Held {
        HeldGradient gradient;
        std::shared_ptr<std::vector<double>> content;
    };

    TrainingView view() const {
        m_views.clear();
        int busy = 0;
        for (const auto& w : m_workers) busy += w.present && w.busy;
        for (const auto& h : m_held) m_views.push_back(h.gradient);
        return {.job = JobId(std::size_t{0}),
                .spec = &job,
                .batch = batch,
                .updates = updates.size(),
                .workers = m_workers,
                .busy = busy,
                .held = m_views,
                .lastLoss = lastLoss,
                .parameters = parameters,
                .lastGradient = m_last,
                .previousGradient = m_previous,
                .learningRate = learningRate,
                .responses = responses};
    }

    template <class F>
    void call(F&& f) {
        RandomStream random(7, Purpose::policy, 0, m_calls++);
        std::vector<std::uint32_t> explained;
        SyncActions actions;
        f(PolicyContext{SimTime::seconds(now), random, &arena, &explained}, view(), actions);
        for (const auto& action : actions.list()) std::visit([&](const auto& a) { apply(a); }, action);
        for (auto i : explained)
            if (arena.all()[i].evaluate() != arena.all()[i].chosen) fail("an explanation does not give its choice");
        if (present() > 0 && m_events.empty()) fail("everybody waits for ever");
        blockedNow.assign(m_blocked.begin(), m_blocked.end());
    }

    void apply(const SyncActions::Assign& a) {
        if (a.worker >= m_workers.size() || !m_workers[a.worker].present) return fail("assigned an absent worker");
        WorkerView& w = m_workers[a.worker];
        if (w.busy) return fail("assigned a busy worker");
        w.busy = true;
        ++w.task;
        if (a.assignment.rereads || w.task == 1) {
            w.readVersion = updates.size();
            ++pulls;
        }
        w.samples = a.assignment.samples > 0 ? a.assignment.samples : batch;
        w.samples *= a.assignment.localSteps * std::max(1, static_cast<int>(a.assignment.partitions.size()));
        if (assignments.size() <= a.worker) assignments.resize(a.worker + 1);
        assignments[a.worker] = a.assignment;
        w.assigned = SimTime::seconds(now);
        assignedSamples += static_cast<std::uint64_t>(w.samples);
        m_blocked.erase(a.worker);
        m_events[{now + seconds(a.worker, w.task, w.samples), m_sequence++}] = {a.worker, w.task};
    }

    void apply(const SyncActions::Update& u) {
        if (u.gradients.empty()) return fail("an update without gradients");
        Update record{now, {}};
        std::vector<double> sum;
        for (const auto& g : u.gradients) {
            const auto it = std::find_if(m_held.begin(), m_held.end(), [&](const Held& h) {
                return h.gradient.worker == g.worker && h.gradient.task == g.task;
            });
            if (it == m_held.end()) return fail("used a gradient that is not held");
            if (!std::isfinite(g.weight)) fail("a weight is not finite");
            record.gradients.push_back(
                {g.worker, g.task, g.weight, updates.size() - it->gradient.readVersion, it->gradient.samples});
            sum.resize(it->content->size(), 0.0);
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += g.weight * (*it->content)[i];
            m_held.erase(it);
        }
        if (!u.remembered.empty() && u.remembered.size() != sum.size())
            return fail("remembered a gradient of the wrong length");
        for (std::size_t i = 0; i < u.remembered.size(); ++i) sum[i] += u.remembered[i];
        updates.push_back(std::move(record));
        m_previous = std::exchange(m_last, sum);
        onUpdate(sum);
    }

    void apply(const SyncActions::Drop& d) {
        const auto before = m_held.size();
        std::erase_if(m_held,
                      [&](const Held& h) { return h.gradient.worker == d.worker && h.gradient.task == d.task; });
        if (m_held.size() == before) fail("dropped a gradient that is not held");
        ++dropped;
    }

    void apply(const SyncActions::Cancel& c) {
        if (c.worker >= m_workers.size() || !m_workers[c.worker].busy) return fail("cancelled an idle worker");
        m_workers[c.worker].busy = false;
        std::erase_if(m_events, [&](const auto& e) {
            return e.second.worker == c.worker && e.second.task == m_workers[c.worker].task;
        });
        ++cancelled;
    }

    void apply(const SyncActions::Block& b) {
        if (b.worker >= m_workers.size() || !m_workers[b.worker].present || m_workers[b.worker].busy)
            return fail("blocked a worker that is absent or busy");
        m_blocked.insert(b.worker);
    }

    void apply(const SyncActions::Timer& t) { m_events[{now + t.after.toSeconds(), m_sequence++}] = {timer, t.tag}; }

    void fail(const std::string& what) { broken.push_back(what + " at " + std::to_string(now) + " s"); }

    std::vector<WorkerView> m_workers;
    std::vector<Held> m_held;
    mutable std::vector<HeldGradient> m_views;
    std::map<std::pair<double, std::uint64_t>, Pending> m_events;
    std::set<std::uint32_t> m_blocked;
    std::vector<double> m_last, m_previous;
    std::uint64_t m_sequence = 0;
    std::uint32_t m_calls = 0;
};

inline const char* firstBroken(const SyncDriver& driver) {
    return driver.broken.empty() ? "" : driver.broken.front().c_str();
}

} // namespace trainyard::test
