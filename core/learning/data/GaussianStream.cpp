// The canonical endless regression problem of the straggler literature (isotropic features), whose excess
// risk is known in closed form: E[½(⟨w,x⟩ + b − y)²] = ½(‖w − w*‖² + b² + σ²).
#include "learning/data/DataEntry.h"

namespace trainyard {

namespace gaussian_stream {

struct Params {
    int features = 100;
    double noise = 1, distance = 10;
};

class GaussianStream final : public DataSet {
public:
    explicit GaussianStream(const Params& p)
        : m_noise(p.noise), m_true(static_cast<std::size_t>(p.features), -p.distance) {}

    std::size_t rows() const override { return 0; }
    std::size_t features() const override { return m_true.size(); }
    int classes() const override { return 0; }
    void gather(std::span<const std::uint32_t>, Batch&) const override {
        throw InvariantError("stored rows were asked of a stream");
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
    std::vector<double> m_true; ///< w*: models start at 0, so w − w* is `distance` in every coordinate
};

} // namespace gaussian_stream

DataEntry gaussianStreamEntry() {
    using namespace gaussian_stream;
    return dataEntry<Params>(
        {.id = "gaussian-stream",
         .label = "Gaussian stream (regression)",
         .summary = "Fresh rows without end: x ~ N(0, I), y = ⟨w*, x⟩ + σ ε. Its loss is reported exactly.",
         .licence = "generated",
         .provenance = "Generated from the seed."},
        [](const Params& p, std::uint64_t, const ResourcePaths&) -> std::shared_ptr<const DataSet> {
            return std::make_shared<const GaussianStream>(p);
        },
        field(&Params::features, "features", "Features d", {1, 100000}, "", "Length of a row.").logarithmic(),
        field(&Params::noise, "noise", "Noise σ", {0, 1e6}, "", "Standard deviation of the noise on y."),
        field(&Params::distance, "distance", "Distance", {-1e6, 1e6}, "",
              "How far the start lies from the optimum, in every coordinate."));
}

} // namespace trainyard
