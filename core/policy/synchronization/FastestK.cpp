// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// fastest-k: an update averages the k gradients that come first; the other tasks are cancelled and everybody
// begins anew. K-sync SGD: Dutta et al., Slow and stale gradients can win the race, AISTATS 2018, eq. (2) and
// section 2.3; each worker may compute a share β of the batch, as in Egger et al., ISIT 2023. Reweighted by
// inverse probabilities (Horvitz and Thompson, JASA 1952), no worker counts more than another in the mean.
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/RoundSync.h"

#include <algorithm>

namespace trainyard {

namespace {

/// Before it is known who comes how often, everybody counts as if it had come so many times, as often as all
/// others.
constexpr double usesTakenForGranted = 5;
/// No gradient weighs more than so many times what it would without reweighting: the step stays bounded.
constexpr double heaviest = 10;

struct FastestKParams {
    int k = 2;
    double load = 1, timeout = 0;
    bool reweight = false;
};

class FastestK final : public RoundSync {
public:
    explicit FastestK(FastestKParams params) : RoundSync("fastest-k", params.timeout), m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<FastestK>(*this); }
    IterationShape shape(int workers) const override {
        IterationShape out = RoundSync::shape(workers);
        out.load = m_params.load;
        return out;
    }
    bool isUnbiased(int workers) const override { return m_params.reweight || RoundSync::isUnbiased(workers); }

protected:
    int wanted(int) const override { return m_params.k; }
    void starting(const PolicyContext&, const TrainingView& view) override {
        m_seen.assign(view.workers.size(), Seen{});
    }
    void roundOver(const PolicyContext&, const TrainingView& view, std::span<const HeldGradient> fresh) override {
        if (!m_params.reweight) return;
        m_seen.resize(view.workers.size());
        for (std::size_t w = 0; w < m_seen.size(); ++w) m_seen[w].rounds += view.workers[w].busy;
        for (const auto& gradient : fresh) {
            ++m_seen[gradient.worker].rounds;
            ++m_seen[gradient.worker].used;
        }
    }
    /// 1/(n π): the mean of Σ g/(n π) over those who come, each with its probability π, is the mean of all n.
    /// The weights of one update need not add up to 1; made to, they would no longer undo anything where k
    /// = 1.
    double weightOf(std::uint32_t worker, int gradients) const override {
        if (!m_params.reweight) return RoundSync::weightOf(worker, gradients);
        return std::min(1 / (launched() * shareOf(worker)), heaviest / gradients);
    }
    std::vector<NamedNumber> weightNumbers(std::uint32_t worker, int gradients) const override {
        if (!m_params.reweight) return {};
        return {{"share of updates", shareOf(worker)}, {"weight", weightOf(worker, gradients)}};
    }
    Assignment work(const TrainingView& view, std::uint32_t) const override {
        return {.samples = samplesOfLoad(view.batch, m_params.load)};
    }

private:
    struct Seen {
        double rounds = 0, used = 0; ///< it took part in, and of these its gradient was used in
    };
    /// In how many of the rounds so far an update used this worker, before the present one: it is not to
    /// weigh on itself.
    double shareOf(std::uint32_t worker) const {
        const double alike = std::min(1.0, static_cast<double>(m_params.k) / std::max(1, launched()));
        const Seen seen = worker < m_seen.size() ? m_seen[worker] : Seen{};
        return (seen.used + usesTakenForGranted) / (seen.rounds + usesTakenForGranted / alike);
    }

    FastestKParams m_params;
    std::vector<Seen> m_seen; ///< by worker; where reweighting
};

} // namespace

SynchronizationEntry builtin::fastestK() {
    using P = FastestKParams;
    return policyEntry<Synchronization, FastestK, P>(
        {.id = "fastest-k",
         .label = "Fastest k",
         .summary = "Every update averages the first k gradients and cancels the rest.",
         .source = "Dutta et al., AISTATS 2018 (K-sync)",
         .compatibilityWarning =
             [](const Job& job, const ParamValues& given) {
                 auto why = compatibility::waitsForTooMany(job, given, "k");
                 const double k = compatibility::numberOf(given, "k", P{}.k);
                 return why ? why : compatibility::unstableStep(job, given, std::min<double>(k, job.workers.maximum));
             }},
        field(&P::k, "k", "Gradients per update", {1, 100000}, "",
              "How many gradients an update waits for; with fewer workers it waits for all of them.")
            .effect("Iterations take longer, but each update is less noisy.")
            .amongWorkers(),
        field(&P::load, "load", "Load β", {1e-6, 1}, "",
              "Share of the job's batch that each worker computes; it must leave at least one sample.")
            .effect("Tasks take longer, but each gradient is less noisy."),
        timeoutField<P>(),
        flag(&P::reweight, "reweight", "Reweight",
             "Whether gradients of workers that are rarely among the first k get more weight, so that "
             "all data count equally although some machines are always slow and data differ between "
             "workers."));
}

} // namespace trainyard
