#include "model/Job.h"

#include <cmath>

namespace trainyard {

double LossCurve::at(double updates) const {
    return family == Family::power ? c + a / std::pow(b * updates + 1, p) : c + a * std::pow(b, updates);
}

double Utility::at(double seconds) const { return theta1 / (1 + std::exp(theta2 * (seconds - theta3))); }

} // namespace trainyard
