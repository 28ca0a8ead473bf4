#pragma once
// What training would cost in time, computation and communication if each were given another price: the
// course along the upper envelope of all options (k, β) from one error to another, with the model of the
// error that the run's own choice told. For the charts of the window, which do not see planning/.
#include "model/Placement.h"
#include "model/Workload.h"
#include "run/RateChoices.h"

#include <memory>
#include <optional>
#include <vector>

namespace trainyard {

/// Seconds that are given for one sample assigned (λ₁) and for one message (λ₂): k uploads and n downloads an
/// update.
struct Prices {
    double sample = 0, message = 0;
};

/// A whole course at some prices, expected.
struct Course {
    Prices prices;
    double seconds = 0, samples = 0, messages = 0, updates = 0;
};

struct TradeOffs {
    double from = 0, to = 0; ///< errors: as the run began, and its target or what is near the least reachable
    bool ownTarget = true;   ///< `to` is the job's stopping loss less the least
    Course fastest, now;     ///< without prices; with those of the policy
    std::vector<Course> sample;  ///< λ₁ rising from 0, λ₂ = 0
    std::vector<Course> message; ///< λ₂ rising from 0, λ₁ = 0
};

/// The model behind a choice: its options tell how an update of B samples moves the error. Nothing where they
/// tell too little. `batch`: samples of load 1.
std::optional<ErrorModel> modelOf(const RateChoice& choice, double batch);

/// `first`: the first choice of the run, whose error it begins from; `choice`: the one whose model counts.
/// `policy`: of the job, whose prices, loads and least loss are read. Nothing where there is no such course.
/// Tens of milliseconds: not on the window's thread.
std::optional<TradeOffs> tradeOffs(const std::shared_ptr<const Workload>& workload, JobId job,
                                   const Placement& placement, double messageBytes, const Choice& policy,
                                   const RateChoice& first, const RateChoice& choice);

} // namespace trainyard
