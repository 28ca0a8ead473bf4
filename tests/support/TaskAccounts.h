// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Keeps the accounts of a run's tasks from its log alone: nothing is used twice, nothing that was lost is used, what a
// worker was about when it was taken away is logged as lost, and what was computed was used or discarded, or is on its way when the
// log ends. For runs that were simulated or executed.
#include "record/EventLog.h"
#include "record/Metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace trainyard::test {

class TaskAccounts {
public:
    explicit TaskAccounts(const EventLog& log) {
        for (std::size_t i = 0; i < log.size(); ++i)
            if (log[i].job != JobId::none) apply(m_jobs[log[i].job], log[i]);
        for (const auto& [number, job] : m_jobs) close(number, job);
    }

    /// What does not add up, in words; empty: everything does.
    const std::vector<std::string>& errors() const { return m_errors; }
    /// Samples of a job; of one without tasks (it advances by a rate) 0.
    struct Samples {
        double executed = 0, used = 0, discarded = 0;
    };
    Samples samplesOf(std::uint32_t job) const {
        const auto it = m_jobs.find(job);
        return it == m_jobs.end() || it->second.tasks.empty() ? Samples{} : it->second.sum;
    }

private:
    enum class Fate { begun, pushed, arrived, used, lost };
    struct Task {
        Fate fate = Fate::begun;
        double samples = 0;
    };
    using Key = std::pair<std::uint32_t, std::uint32_t>; ///< worker and number
    struct Job {
        std::map<Key, Task> tasks;
        std::set<Key> open;                         ///< neither used nor lost
        std::map<std::uint32_t, std::uint32_t> now; ///< by worker: its task under way
        std::uint64_t updates = 0;
        double usedSince = 0; ///< samples of gradients used since the last update
        Samples sum;
    };

    void complain(const std::string& what, const Event& e, Key key) {
        m_errors.push_back(what + ": job " + std::to_string(e.job) + ", worker " + std::to_string(key.first) +
                           ", task " + std::to_string(key.second) + ", at " + std::to_string(e.time.toSeconds()) +
                           " s");
    }

    void lose(Job& job, Key key, double samples) {
        job.tasks[key].fate = Fate::lost;
        job.open.erase(key);
        job.sum.discarded += samples;
    }

    void apply(Job& job, const Event& e) {
        const Key key(e.a, e.b);
        const auto it = job.tasks.find(key);
        const auto is = [&](Fate f) { return it != job.tasks.end() && it->second.fate == f; };
        switch (e.type) {
        case EventType::pullStarted:
        case EventType::computeStarted: {
            if (it != job.tasks.end() && !is(Fate::begun)) complain("a task goes on that is over", e, key);
            if (it == job.tasks.end()) {
                job.now[e.a] = e.b;
                job.open.insert(key);
            }
            Task& task = job.tasks[key];
            if (e.type == EventType::computeStarted) task.samples = e.value;
            break;
        }
        case EventType::pushStarted:
            if (!is(Fate::begun)) return complain("a task is pushed that is not under way", e, key);
            it->second.fate = Fate::pushed;
            job.sum.executed += it->second.samples;
            break;
        case EventType::gradientArrived:
            if (!is(Fate::pushed)) return complain("a gradient arrives of a task that was not pushed", e, key);
            it->second.fate = Fate::arrived;
            job.now.erase(e.a);
            break;
        case EventType::gradientUsed:
            if (!is(Fate::arrived)) return complain("a gradient is used that has not arrived, or again", e, key);
            it->second.fate = Fate::used;
            job.open.erase(key);
            job.usedSince += it->second.samples;
            break;
        case EventType::gradientDropped:
            if (!is(Fate::arrived)) complain("a gradient is dropped that has not arrived, or was used", e, key);
            if (it != job.tasks.end() && e.value != it->second.samples)
                complain("a gradient is dropped with other samples than it has", e, key);
            lose(job, key, e.value);
            break;
        case EventType::taskCancelled: {
            // A worker that computes again at what it has read begins without a sign.
            const bool underWay = it == job.tasks.end() || is(Fate::begun) || is(Fate::pushed);
            if (!underWay) complain("a task is cancelled that is over", e, key);
            const double done = it == job.tasks.end() ? 0 : it->second.samples * e.value;
            if (!is(Fate::pushed)) job.sum.executed += done;
            lose(job, key, done);
            job.now.erase(e.a);
            break;
        }
        case EventType::taskRemoved:
            if (e.aux == static_cast<std::uint16_t>(TaskRole::worker) && job.now.contains(e.a))
                complain("a worker is taken away and its task is not counted as lost", e, {e.a, job.now[e.a]});
            break;
        case EventType::updateApplied:
            if (job.tasks.empty()) break; // it advances by a rate
            if (e.count() != job.updates + 1) complain("updates are not counted one by one", e, key);
            if (job.usedSince == 0) complain("an update is made of nothing", e, key);
            if (job.usedSince != e.value) complain("an update counts other samples than its tasks", e, key);
            job.updates = e.count();
            job.sum.used += e.value;
            job.usedSince = 0;
            break;
        case EventType::jobPreempted: job.updates = e.a; [[fallthrough]];
        case EventType::jobRejected:
        case EventType::jobFailed:
        case EventType::jobFinished:
            for (const Key& open : job.open)
                complain("a job stops and what a task of its computed is neither used nor lost", e, open);
            if (job.usedSince != 0) complain("a job stops and gradients were used in no update", e, key);
            break;
        default: break;
        }
    }

    void close(std::uint32_t number, const Job& job) {
        double underWay = job.usedSince;
        for (const Key& key : job.open)
            if (const Task& task = job.tasks.at(key); task.fate != Fate::begun) underWay += task.samples;
        const double sum = job.sum.used + job.sum.discarded + underWay;
        if (job.tasks.empty() || std::abs(job.sum.executed - sum) <= 1e-9 * job.sum.executed) return;
        m_errors.push_back("job " + std::to_string(number) + " has computed " + std::to_string(job.sum.executed) +
                           " samples, used " + std::to_string(job.sum.used) + ", discarded " +
                           std::to_string(job.sum.discarded) + " and has " + std::to_string(underWay) + " under way");
    }

    std::map<std::uint32_t, Job> m_jobs;
    std::vector<std::string> m_errors;
};

/// What does not add up, in words; empty: everything does.
inline std::vector<std::string> accountErrors(const EventLog& log) { return TaskAccounts(log).errors(); }

/// The same, and where the metrics of jobs with tasks say otherwise.
inline std::vector<std::string> accountErrors(const EventLog& log, const Workload& workload) {
    const TaskAccounts accounts(log);
    std::vector<std::string> errors = accounts.errors();
    const Metrics metrics = computeMetrics(workload, log, log.size() > 0 ? log[log.size() - 1].time : SimTime{});
    for (std::size_t j = 0; j < metrics.jobs.size(); ++j) {
        const auto samples = accounts.samplesOf(static_cast<std::uint32_t>(j));
        if (samples.executed == 0) continue;
        for (const auto& [name, value] :
             {std::pair("executed_samples", samples.executed), std::pair("used_samples", samples.used),
              std::pair("discarded_samples", samples.discarded)}) {
            const auto it = metrics.jobs[j].find(name);
            if (it == metrics.jobs[j].end() || std::abs(it->second - value) > 1e-9 * samples.executed)
                errors.push_back("job " + std::to_string(j) + ": " + name + " is not " + std::to_string(value));
        }
    }
    return errors;
}

} // namespace trainyard::test
