// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Adam (Kingma and Ba, Adam: a method for stochastic optimization, ICLR 2015), with the gradient's norm clipped before.
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace trainyard::nets {

struct AdamSettings {
    double rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
    double mostNorm = 0; ///< above 0: a gradient's norm is at most this
};

/// State of an optimization: moments of each parameter, and how many steps. A plain value, so that it can be saved.
template <class S>
struct Adam {
    explicit Adam(std::size_t parameters = 0) : first(parameters), second(parameters) {}
    std::vector<S> first, second;
    std::uint64_t steps = 0;

    /// Against the gradient. The gradient is overwritten where it is clipped.
    void step(const AdamSettings& settings, std::span<S> parameters, std::span<S> gradient) {
        if (settings.mostNorm > 0) {
            double sum = 0;
            for (const S g : gradient) sum += double(g) * double(g);
            if (const double norm = std::sqrt(sum); norm > settings.mostNorm)
                for (S& g : gradient) g = static_cast<S>(g * (settings.mostNorm / norm));
        }
        ++steps;
        const double t = static_cast<double>(steps);
        const S pace = static_cast<S>(settings.rate * std::sqrt(1 - std::pow(settings.beta2, t)) /
                                      (1 - std::pow(settings.beta1, t)));
        const S b1 = static_cast<S>(settings.beta1), b2 = static_cast<S>(settings.beta2),
                e = static_cast<S>(settings.epsilon);
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            first[i] = b1 * first[i] + (1 - b1) * gradient[i];
            second[i] = b2 * second[i] + (1 - b2) * gradient[i] * gradient[i];
            parameters[i] -= pace * first[i] / (std::sqrt(second[i]) + e);
        }
    }
};

} // namespace trainyard::nets
