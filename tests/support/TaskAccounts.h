// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Keeps the accounts of a run's tasks from its log alone: nothing is used twice, nothing that was lost is used, and what a
// worker was about when it was taken away is logged as lost. For runs that were simulated or executed.
#include "record/EventLog.h"

#include <map>
#include <string>
#include <vector>

namespace trainyard::test {

/// An update that was stopped on the way has left gradients before those of the next.
inline bool isSumOfLast(const std::vector<double>& samples, double sum) {
    for (std::size_t i = samples.size(); i-- > 0 && sum > 0;) sum -= samples[i];
    return sum == 0;
}

/// What does not add up, in words; empty: everything does.
inline std::vector<std::string> accountErrors(const EventLog& log) {
    enum class Fate { begun, arrived, used, lost };
    struct JobAccount {
        std::map<std::pair<std::uint32_t, std::uint32_t>, Fate> tasks;     ///< by worker and number
        std::map<std::uint32_t, std::uint32_t> now;                        ///< by worker: its task under way
        std::map<std::pair<std::uint32_t, std::uint32_t>, double> samples; ///< of these tasks
        std::uint64_t updates = 0;
        std::vector<double> usedSince; ///< samples of each gradient used since the last update
    };
    std::map<std::uint32_t, JobAccount> jobs;
    std::vector<std::string> errors;
    for (std::size_t i = 0; i < log.size(); ++i) {
        const Event& e = log[i];
        if (e.job == JobId::none) continue;
        JobAccount& job = jobs[e.job];
        const auto complain = [&](const std::string& what) {
            errors.push_back(what + ": job " + std::to_string(e.job) + ", worker " + std::to_string(e.a) + ", task " +
                             std::to_string(e.b) + ", at " + std::to_string(e.time.toSeconds()) + " s");
        };
        const std::pair key(e.a, e.b);
        const auto fate = job.tasks.find(key);
        const auto is = [&](Fate f) { return fate != job.tasks.end() && fate->second == f; };
        switch (e.type) {
        case EventType::pullStarted:
        case EventType::computeStarted:
            if (e.type == EventType::computeStarted) job.samples[key] = e.value;
            if (fate == job.tasks.end()) {
                job.tasks[key] = Fate::begun;
                job.now[e.a] = e.b;
            } else if (!is(Fate::begun)) {
                complain("a task goes on that is over");
            }
            break;
        case EventType::gradientArrived:
            if (!is(Fate::begun)) complain("a gradient arrives of a task that is not under way");
            job.tasks[key] = Fate::arrived;
            job.now.erase(e.a);
            break;
        case EventType::gradientUsed:
            if (!is(Fate::arrived)) complain("a gradient is used that has not arrived, or again");
            job.tasks[key] = Fate::used;
            job.usedSince.push_back(job.samples[key]);
            break;
        case EventType::gradientDropped:
            if (!is(Fate::arrived)) complain("a gradient is dropped that has not arrived, or was used");
            job.tasks[key] = Fate::lost;
            break;
        case EventType::taskCancelled:
            // A worker that computes again at what it has read begins without a sign.
            if (fate != job.tasks.end() && !is(Fate::begun)) complain("a task is cancelled that is over");
            job.tasks[key] = Fate::lost;
            job.now.erase(e.a);
            break;
        case EventType::taskRemoved:
            if (e.aux == static_cast<std::uint16_t>(TaskRole::worker) && job.now.contains(e.a))
                complain("a worker is taken away and its task is not counted as lost");
            break;
        case EventType::updateApplied:
            if (job.tasks.empty()) break; // it advances by a rate
            if (e.count() != job.updates + 1) complain("updates are not counted one by one");
            if (job.usedSince.empty()) complain("an update is made of nothing");
            if (!isSumOfLast(job.usedSince, e.value)) complain("an update counts other samples than its tasks");
            job.updates = e.count();
            job.usedSince.clear();
            break;
        case EventType::jobPreempted: job.updates = e.a; break;
        default: break;
        }
    }
    return errors;
}

} // namespace trainyard::test
