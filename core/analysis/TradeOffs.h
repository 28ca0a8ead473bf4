// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What training would cost in time, computation and communication if each were given another price: the
// trajectory along the upper envelope of all options (k, β) from one error to another, with the model of the
// error that the run's own choice told. For views.
#include "analysis/RateChoices.h"
#include "analysis/ResponseTimes.h"
#include "policy/Synchronization.h"

#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

/// Seconds that are given for one sample assigned (λ₁) and for one message (λ₂): k uploads and n downloads an
/// update.
struct Prices {
    double sample = 0, message = 0;
};

/// A whole trajectory at some prices, expected.
struct Trajectory {
    Prices prices;
    double seconds = 0, samples = 0, messages = 0, updates = 0;
};

struct TradeOffs {
    double from = 0, to = 0;         ///< errors: as the run began, and its target or what is near the least reachable
    bool ownTarget = true;           ///< `to` is the job's stopping loss less the least
    Trajectory fastest, now;         ///< without prices; with those of the policy
    std::vector<Trajectory> sample;  ///< λ₁ rising from 0, λ₂ = 0
    std::vector<Trajectory> message; ///< λ₂ rising from 0, λ₁ = 0
};

/// The model behind a choice: its options tell how an update of B samples moves the error. Nothing where they
/// tell too little. `batch`: samples of load 1.
std::optional<ErrorModel> modelOf(const RateChoice& choice, double batch);

/// What trade-offs follow from.
struct TradeOffInputs {
    std::shared_ptr<const Workload> workload;
    JobId job;
    ResponseInputs responses;
    RateRule rule;                                   ///< of the job's synchronization
    std::shared_ptr<const RateChoice> first, choice; ///< whose error it begins from; whose model counts
};
/// Of the choice at an instant; nothing where none has been told by then.
std::optional<TradeOffInputs> tradeOffInputs(const RunIndex& run, JobId job, SimTime at);

/// Nothing where there is no such trajectory. Tens of milliseconds: not on the window's thread.
std::optional<TradeOffs> tradeOffs(const TradeOffInputs& inputs);

} // namespace trainyard
