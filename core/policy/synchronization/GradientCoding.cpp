// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// gradient-coding: every worker computes the gradients of s + 1 parts of the data and sends one combination
// of them, so that the whole gradient can be decoded from any n − s messages. Tandon, Lei, Dimakis and
// Karampatziakis, Gradient coding: avoiding stragglers in distributed learning, ICML 2017. The codes are in
// planning/GradientCode.
#include "planning/GradientCode.h"
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/Averaging.h"

#include <algorithm>

namespace trainyard {

namespace {

struct GradientCodingParams {
    std::string code = "cyclic";
    int stragglers = 1;
};

class GradientCoding final : public Synchronization {
public:
    explicit GradientCoding(GradientCodingParams params) : m_params(std::move(params)) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<GradientCoding>(*this); }

    void onStart(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        dropHeld(view, actions);
        begin(context, view, actions);
    }

    void onArrival(const PolicyContext& context, const TrainingView& view, const HeldGradient&,
                   SyncActions& actions) override {
        settle(context, view, actions);
    }

    void onMembership(const PolicyContext& context, const TrainingView& view, SyncActions& actions) override {
        settle(context, view, actions);
    }

    IterationShape shape(int workers) const override {
        const int s = std::clamp(m_params.stragglers, 0, std::max(0, workers - 1));
        return {.launched = workers, .waitFor = std::max(1, workers - s), .partitions = s + 1};
    }
    std::optional<UpdateTime> updateTime(const JobTimes& job) const override {
        const int n = static_cast<int>(job.workers.size()), s = possibleStragglers(n);
        const RoundTask task{.samples = static_cast<double>(job.batch) * (s + 1)};
        return isCyclic() ? roundTime(job, n - s, task) : teamRoundTime(job, s + 1, task);
    }
    /// Whoever is slow is made up for: the whole gradient is decoded.
    bool isUnbiased(int) const override { return true; }
    std::optional<std::uint64_t> stalenessBound() const override { return 0; }

private:
    bool isCyclic() const { return m_params.code == "cyclic"; }

    /// Fewer than asked where workers are too few, and for fractional repetition where teams would not come
    /// out even.
    int possibleStragglers(int workers) const {
        int s = std::min(m_params.stragglers, workers - 1);
        while (!isCyclic() && workers % (s + 1) != 0) --s;
        return s;
    }

    /// A code for the workers that are there.
    void makeCode(const PolicyContext& context, const TrainingView& view) {
        const int workers = static_cast<int>(m_members.size());
        const auto kind = isCyclic() ? GradientCode::Kind::cyclic : GradientCode::Kind::fractionalRepetition;
        if (m_code && m_code->workers() == workers) return;
        const int s = possibleStragglers(workers);
        auto made = GradientCode::make(kind, workers, s);
        require(made.ok(), "a gradient code was rejected");
        m_code = std::move(made).value();
        if (s == m_params.stragglers || !context.explaining()) return;
        Explanation why{.family = PolicyFamily::synchronization, .policy = "gradient-coding", .job = view.job};
        why.summary = {TRAINYARD_TEXT("{0} {0:worker|workers} can make up for {1} {1:straggler|stragglers}, not {2}"),
                       {std::to_string(workers), std::to_string(s), std::to_string(m_params.stragglers)}};
        why.rule = Rule::minimum;
        why.criterion = "stragglers";
        why.candidates = {{.label = "requested", .numbers = {{"stragglers", static_cast<double>(m_params.stragglers)}}},
                          {.label = "possible", .numbers = {{"stragglers", static_cast<double>(s)}}}};
        why.chosen = {1};
        context.explain(std::move(why));
    }

    void begin(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
        m_members.clear();
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (view.workers[w].present) m_members.push_back(w);
        if (m_members.empty()) return;
        makeCode(context, view);
        const std::uint32_t draw = nextDraw(view);
        // The job's shares of the data are as many as it has places for workers; a group is a run of them.
        const std::uint64_t shares = m_shares = view.workers.size(), groups = m_members.size();
        for (std::size_t i = 0; i < m_members.size(); ++i) {
            Assignment assignment{.draw = draw, .cuts = static_cast<std::uint32_t>(shares)};
            for (const auto& [group, coefficient] : m_code->row(static_cast<int>(i)))
                for (std::uint64_t p = shares * group / groups; p < shares * (group + 1ull) / groups; ++p)
                    assignment.partitions.emplace_back(static_cast<std::uint32_t>(p), coefficient);
            actions.assign(m_members[i], std::move(assignment));
        }
    }

    /// A number that no round of the job has had: every round gives each of its workers a task, and numbers of tasks go on after a
    /// restart and after a failure.
    static std::uint32_t nextDraw(const TrainingView& view) {
        std::uint32_t last = 0;
        for (const WorkerView& worker : view.workers) last = std::max(last, worker.task);
        return (last + 1) & 0xffffff;
    }

    std::optional<int> memberOf(std::uint32_t worker) const {
        const auto it = std::lower_bound(m_members.begin(), m_members.end(), worker);
        if (it == m_members.end() || *it != worker) return std::nullopt;
        return static_cast<int>(it - m_members.begin());
    }

    void settle(const PolicyContext& context, const TrainingView& view, SyncActions& actions) {
        const auto fresh = freshGradients(view, actions);
        std::vector<int> answered, possible;
        for (const auto& g : fresh)
            if (const auto member = memberOf(g.worker)) answered.push_back(*member);
        possible = answered;
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (const auto member = memberOf(w); member && view.workers[w].present && view.workers[w].busy)
                possible.push_back(*member);
        if (m_members.empty() || !canDecode(possible)) {
            // Too many of the round's workers are gone: it is begun anew with those that are left.
            for (const auto& g : fresh) actions.drop(g.worker, g.task);
            cancelBusy(view, actions);
            begin(context, view, actions);
            return;
        }
        const auto weights = m_code->decode(answered);
        if (!weights) {
            // Enough have answered, but the numbers do not solve, and nobody else can come: waiting has no
            // end.
            if (answered.size() == possible.size())
                throw InvariantError(
                    "gradient-coding cannot decode the round: " + weights.problems().front().message.english() +
                    "; choose fewer stragglers, or the code fractional-repetition");
            return;
        }
        std::vector<WeightedGradient> used;
        const double share = 1.0 / static_cast<double>(m_shares);
        for (std::size_t i = 0; i < fresh.size(); ++i) {
            if ((*weights)[i] == 0)
                actions.drop(fresh[i].worker, fresh[i].task); // a second of its team
            else
                used.push_back({fresh[i].worker, fresh[i].task, (*weights)[i] * share});
        }
        explain(context, view, used);
        cancelBusy(view, actions);
        actions.update(std::move(used));
        begin(context, view, actions);
    }

    /// Whether the answers of these will do once all have come. Any m − s of a cyclic code do.
    bool canDecode(std::span<const int> members) const {
        if (isCyclic()) return static_cast<int>(members.size()) >= m_code->workers() - m_code->stragglers();
        return m_code->decode(members).ok();
    }

    static void cancelBusy(const TrainingView& view, SyncActions& actions) {
        for (std::uint32_t w = 0; w < view.workers.size(); ++w)
            if (view.workers[w].present && view.workers[w].busy) actions.cancel(w);
    }

    void explain(const PolicyContext& context, const TrainingView& view, std::span<const WeightedGradient> used) const {
        if (!explainingFully(context)) return;
        Explanation why{.family = PolicyFamily::synchronization, .policy = "gradient-coding", .job = view.job};
        why.summary = {TRAINYARD_TEXT("the whole gradient is decoded from {0} of {1} messages"),
                       {std::to_string(used.size()), std::to_string(m_members.size())}};
        why.rule = Rule::everyFeasible;
        for (const auto& g : used) {
            why.chosen.push_back(why.candidates.size());
            why.candidates.push_back(
                {.label = "worker " + std::to_string(g.worker), .numbers = {{"weight", g.weight}}});
        }
        context.explain(std::move(why));
    }

    GradientCodingParams m_params;
    std::optional<GradientCode> m_code;
    std::vector<std::uint32_t> m_members; ///< of the round, ascending; position = row of the code
    std::uint64_t m_shares = 1;           ///< of the data, in the round
};

std::optional<Text> badCode(const Job& job, const ParamValues& given) {
    const int workers = job.workers.maximum,
              stragglers =
                  static_cast<int>(compatibility::numberOf(given, "stragglers", GradientCodingParams{}.stragglers));
    const auto code = given.find("code");
    const auto* word = code == given.end() ? nullptr : std::get_if<std::string>(&code->second);
    const bool isFractional = (word ? *word : GradientCodingParams{}.code) == "fractional-repetition";
    if (given.count("stragglers") > 0 && stragglers >= workers)
        return Text{
            TRAINYARD_TEXT(
                "a code of {0} {0:worker|workers} can make up for {1} {1:straggler|stragglers} at most, not {2}"),
            {std::to_string(workers), std::to_string(workers - 1), std::to_string(stragglers)}};
    if (isFractional && workers % (stragglers + 1) != 0)
        return Text{
            TRAINYARD_TEXT(
                "fractional repetition makes teams of {0} {0:worker|workers}, which do not divide the job's {1} evenly; "
                "choose a number of workers that is a multiple of {0}, or the cyclic code"),
            {std::to_string(stragglers + 1), std::to_string(workers)}};
    return std::nullopt;
}

} // namespace

SynchronizationEntry builtin::gradientCoding() {
    using P = GradientCodingParams;
    return policyEntry<Synchronization, GradientCoding, P>(
        {.id = "gradient-coding",
         .label = "Gradient coding",
         .summary = "Workers compute overlapping parts of the data, so that the full gradient tolerates s "
                    "stragglers.",
         .source = "Tandon et al., ICML 2017",
         .incompatible = badCode},
        choice(&P::code, "code", "Code", {"cyclic", "fractional-repetition"},
               "cyclic: any n − s messages suffice, for any n; fractional-repetition: teams of s + 1 "
               "with equal work, one message of each, where s + 1 divides n."),
        field(&P::stragglers, "stragglers", "Stragglers s", {0, 1000}, "",
              "Number of workers that an update can do without; every part of the data is computed s + 1 times.")
            .effect("More stragglers are tolerated, but every task takes longer."));
}

} // namespace trainyard
