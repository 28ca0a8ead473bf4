// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the updates of a job take that has its machines and links to itself, measured by letting a clone of
// its synchronization run: tasks of drawn times, transfers that share links max-min fairly, and nothing else
// (no gradients, no log). For policies and laws without a closed form, and where transfers of one job hinder
// each other. Draws come from tables of equally likely values of fixed shuffles, so that the answer is a
// function of its arguments and means of draws are exact; the mean update is good to about half a percent,
// less where the law has no variance.
#include "model/Routes.h"
#include "planning/UpdateTimes.h"
#include "policy/Synchronization.h"

#include <memory>
#include <stop_token>
#include <vector>

namespace trainyard {

struct LoneJob {
    /// Of parameters between a worker and one of their owners.
    struct Leg {
        std::vector<DirectedLink> links = {}; ///< that it shares; empty: it takes `seconds`
        double share = 1;                     ///< of the parameters, that this owner has
        double before = 0;                    ///< seconds of the request, of a pull
        double seconds = 0;                   ///< after it has shared: latency; or all of it
        std::uint32_t owner = 0;              ///< by number
        friend auto operator<=>(const Leg&, const Leg&) = default;
    };
    struct Worker {
        const StragglerLaw* straggler = nullptr;
        double secondsPerSample = 0;
        std::vector<Leg> pulls, pushes; ///< by owner; none: it has all parameters itself
    };
    const Job* spec = nullptr;
    JobId id;
    int batch = 1;
    double serverSeconds = 0;
    double pulledBytes = 0, pushedBytes = 0; ///< of all parameters, and of a message
    std::vector<Worker> workers;
    std::vector<double> capacities; ///< bytes per second, by directed link as the legs number them
    /// Owners are the workers: messages from one to another, be they requests, parameters or gradients, arrive in the order in
    /// which they were begun, and one whose upload is delayed holds up those behind it.
    bool inOrder = false;
    double evaluationSeconds = 0; ///< after every `evaluationPeriod` updates; workers that compute go on meanwhile
    std::int64_t evaluationPeriod = 0;
    std::stop_token stop; ///< ends the measurement: Stopped is thrown
};

UpdateTime measuredUpdateTime(const LoneJob& job, const Synchronization& policy);

} // namespace trainyard
