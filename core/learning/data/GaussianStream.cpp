// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The canonical endless regression problem of the straggler literature (isotropic features), whose excess
// risk is known in closed form: E[½(⟨w,x⟩ + b − y)²] = ½(‖w − w*‖² + b² + σ²).
#include "learning/data/DataEntry.h"

#include <cmath>

namespace trainyard {

namespace gaussian_stream {

struct Params {
    int features = 100;
    double noise = 1, distance = 10;
    std::string gradients = "rows";
};

class GaussianStream final : public DataSet {
public:
    explicit GaussianStream(const Params& p)
        : m_noise(p.noise), m_byLaw(p.gradients == "law"), m_true(static_cast<std::size_t>(p.features), -p.distance) {}

    std::size_t rows() const override { return 0; }
    std::size_t features() const override { return m_true.size(); }
    int classes() const override { return 0; }
    void gather(std::span<const std::uint32_t>, Batch&) const override {
        throw InvariantError("stored rows were requested from a stream");
    }
    void draw(RandomStream& random, std::size_t n, Batch& out) const override {
        out.features = m_true.size();
        out.rows += n;
        out.x.reserve(out.rows * m_true.size());
        out.y.reserve(out.rows);
        for (std::size_t i = 0; i < n; ++i) {
            double y = m_noise * random.normal();
            for (double w : m_true) {
                const double x = random.normal();
                out.x.push_back(x);
                y += w * x;
            }
            out.y.push_back(y);
        }
    }
    // With δ = w − w*, u = δ/‖δ‖ and r_i = ⟨δ, x_i⟩ − σε_i, the mean gradient is mean(r_i x_i). Along u it
    // needs z_i = ⟨u, x_i⟩ alone; across u the x_i are independent of the r_i, so that the rest is Gaussian
    // with variance mean(r²)/B in every direction: the same law as that of B rows from B + d draws instead of
    // B·d.
    std::optional<double> drawGradient(RandomStream& random, std::span<const double> w, std::size_t n,
                                       std::span<double> gradient) const override {
        const std::size_t d = m_true.size();
        if (!m_byLaw || w.size() != d) return std::nullopt; // an intercept is no isotropic feature
        double length = 0;
        for (std::size_t j = 0; j < d; ++j) length += (w[j] - m_true[j]) * (w[j] - m_true[j]);
        length = std::sqrt(length);
        // Across first: then batches of different sizes meet the same noise there.
        for (std::size_t j = 0; j < d; ++j) gradient[j] = random.normal();
        double along = 0, squares = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double z = random.normal(), r = length * z - m_noise * random.normal();
            along += z * r;
            squares += r * r;
        }
        const double rows = static_cast<double>(n), across = std::sqrt(squares / rows / rows);
        const auto unit = [&](std::size_t j) { return length > 0 ? (w[j] - m_true[j]) / length : j == 0 ? 1.0 : 0.0; };
        double projection = 0;
        for (std::size_t j = 0; j < d; ++j) projection += unit(j) * gradient[j];
        for (std::size_t j = 0; j < d; ++j)
            gradient[j] = unit(j) * along / rows + across * (gradient[j] - unit(j) * projection);
        return 0.5 * squares / rows;
    }
    std::span<const double> trueParameters() const override { return m_true; }
    std::optional<double> exactRisk(std::span<const double> parameters) const override {
        const std::size_t d = m_true.size();
        if (parameters.size() != d && parameters.size() != d + 1) return std::nullopt;
        double sum = m_noise * m_noise;
        for (std::size_t j = 0; j < d; ++j) sum += (parameters[j] - m_true[j]) * (parameters[j] - m_true[j]);
        if (parameters.size() > d) sum += parameters[d] * parameters[d];
        return 0.5 * sum;
    }

private:
    double m_noise;
    bool m_byLaw;
    std::vector<double> m_true; ///< w*: models start at 0, so w − w* is `distance` in every coordinate
};

} // namespace gaussian_stream

DataEntry gaussianStreamEntry() {
    using namespace gaussian_stream;
    return dataEntry<Params>(
        {.id = "gaussian-stream",
         .label = "Gaussian stream (regression)",
         .summary = "An endless stream of rows: x ~ N(0, I), y = ⟨w*, x⟩ + σ ε. Its loss is reported exactly.",
         .licence = "generated",
         .provenance = "Generated from the seed.",
         .schema = {},
         .endless = true},
        [](const Params& p, std::uint64_t, const ResourcePaths&) -> std::shared_ptr<const DataSet> {
            return std::make_shared<const GaussianStream>(p);
        },
        field(&Params::features, "features", "Features d", {1, 100000}, "", "Length of a row.").logarithmic(),
        field(&Params::noise, "noise", "Noise σ", {0, 1e6}, "", "Standard deviation of the noise on y."),
        field(&Params::distance, "distance", "Distance", {-1e6, 1e6}, "",
              "Distance from the start to the optimum in every coordinate."),
        choice(&Params::gradients, "gradients", "Gradients", {"rows", "law"},
               "rows: of fresh rows; law: drawn at once from their exact law, without the rows (for linear "
               "regression without "
               "an intercept), which costs n + d draws instead of n·d."));
}

} // namespace trainyard
