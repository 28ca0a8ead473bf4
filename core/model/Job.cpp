#include "model/Job.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

double LossCurve::at(double updates) const {
    return family == Family::power ? c + a / std::pow(b * updates + 1, p) : c + a * std::pow(b, updates);
}

int Job::taskSamples(std::size_t among) const {
    const auto of = [&](int batch, BatchOf whose) {
        if (whose == BatchOf::worker || among < 2) return batch;
        return std::max(1, static_cast<int>(std::lround(static_cast<double>(batch) / static_cast<double>(among))));
    };
    if (const auto* w = std::get_if<TrainedWork>(&work)) return of(w->batch, w->batchOf);
    if (const auto* w = std::get_if<AnalyticWork>(&work)) return of(w->batch, w->batchOf);
    return 1;
}

int Job::serversFor(int count, const Bounds& within) const {
    if (workersPerServer) return static_cast<int>((count + *workersPerServer - 1) / *workersPerServer);
    const std::int64_t range = within.maximum - within.minimum;
    if (range <= 0) return servers.maximum;
    const std::int64_t at = std::clamp(count, within.minimum, within.maximum) - within.minimum;
    return servers.minimum + static_cast<int>(((servers.maximum - servers.minimum) * at + range / 2) / range);
}

double Utility::at(double seconds) const { return theta1 / (1 + std::exp(theta2 * (seconds - theta3))); }

} // namespace trainyard
