// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// gavel: max-min fair shares of the time on kinds of machines, kept to in rounds. After Narayanan et al., Gavel (heterogeneity-aware
// cluster scheduling), OSDI 2020: the linear program and the order of a round are those of its public code, as briefed; what was settled
// here is said in resources/help/gavel.md.
#include "policy/Builtin.h"
#include "policy/scheduler/timesharing/TimeSharing.h"

namespace trainyard {

namespace {

struct GavelParams : TimeSharingParams {
    bool weighted = true;
};

enum GavelSeries : std::uint16_t { gavelWorst, gavelUnsolved };

class Gavel final : public TimeSharing {
public:
    explicit Gavel(const GavelParams& params) : TimeSharing("gavel", params), m_weighted(params.weighted) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Gavel>(*this); }

protected:
    bool isSteady() const override { return true; }

    TimeShares divide(const PolicyContext& context, const SchedulerView& view,
                      const std::vector<Member>& members) override {
        std::vector<SharingJob> jobs; // jobs alike as one
        std::vector<double> worth;
        std::vector<std::size_t> which;
        std::map<std::vector<double>, std::size_t> alike;
        for (const Member& member : members) {
            const double weight = m_weighted ? view.workload().job(member.id).weight : 1;
            const double each = member.processors / proportionalRate(member.shape) / (weight > 0 ? weight : 1);
            const auto [entry, fresh] = alike.try_emplace(keyOf(member, each), jobs.size());
            which.push_back(entry->second);
            if (fresh) {
                jobs.push_back(member.shape);
                worth.push_back(each);
            } else {
                ++jobs[entry->second].copies;
            }
        }
        const Sharing sharing = maxMinShares(jobs, worth);
        context.note(gavelWorst, sharing.worst);
        context.note(gavelUnsolved, sharing.solved ? 0 : 1);
        TimeShares out;
        for (const std::size_t job : which) out.push_back(sharing.shares[job]);
        return out;
    }

private:
    static std::vector<double> keyOf(const Member& member, double worth) {
        std::vector<double> out{worth};
        for (const auto& option : member.shape.options) {
            out.insert(out.end(), {option.rate, static_cast<double>(option.uses.size())});
            for (const auto& [capacity, use] : option.uses) out.insert(out.end(), {static_cast<double>(capacity), use});
        }
        return out;
    }

    bool m_weighted;
};

} // namespace

SchedulerEntry builtin::gavel() {
    using P = GavelParams;
    PolicyInfo info{
        .id = "gavel",
        .label = "Max-min fair time on kinds of machines (Gavel)",
        .summary = "Rounds give each job its share of the time on each kind of machines, max-min fair in throughput.",
        .source = "After Narayanan et al., OSDI 2020"};
    info.series = {{"least_throughput", "Least throughput", "",
                    "The least normalised throughput, times processors and by weight, that the shares give to any job.",
                    "", ""},
                   {"unsolved", "Not solved", "",
                    "1 where the linear program failed numerically and equal shares were taken, else 0.", "", ""}};
    return std::apply(
        [&](auto... fields) {
            return policyEntry<Scheduler, Gavel, P>(
                std::move(info), std::move(fields)...,
                flag(&P::weighted, "weighted", "Use job weights", "Whether a job of weight 2 is due twice the share."));
        },
        timeSharingFields<P>());
}

} // namespace trainyard
