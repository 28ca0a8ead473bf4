// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pacml/PacmlArms.h"

#include <algorithm>
#include <chrono>

namespace trainyard::study {

namespace pacml_arms {

using Kind = DegreeRule::Kind;
constexpr std::uint64_t firstValidation = 1001; ///< of ten

class Measurement {
public:
    Measurement(const StudyRequest& request, const PacmlCell& cell) : m_request(request), m_cell(cell) {}

    std::vector<PacmlArm> arms() const {
        const DegreeRule constant = best(Kind::constant), floor = best(Kind::floor);
        std::vector<PacmlArm> out;
        out.push_back(arm("agent", m_cell.member.candidate, agentChooser(m_cell.member)));
        if (const AgentMember* other = m_cell.graphNetwork)
            out.push_back(arm("graph network", other->candidate, agentChooser(*other)));
        for (const auto& [name, rule] : {std::pair<std::string, DegreeRule>{"best constant", constant},
                                         {"best floor", floor},
                                         {"max", {Kind::max, 0}},
                                         {"acceptable-jct", {Kind::acceptableJct, 0}},
                                         {"random", {Kind::random, 0}},
                                         {"none", {Kind::constant, 1}},
                                         {"min", {Kind::constant, 2}}})
            out.push_back(
                arm(name, nameOf(rule), [&rule = rule](std::uint64_t seed) { return chooserOf(rule, seed); }));
        if (m_cell.rollout) {
            const bool floorIsBetter = validated(floor) <= validated(constant);
            out.push_back(arm("rollout", "over " + nameOf(floorIsBetter ? floor : constant),
                              rolloutChooser(floorIsBetter ? floor : constant)));
        }
        return out;
    }

private:
    using Chooser = std::function<PacmlChooser(std::uint64_t seed)>;

    double validated(const DegreeRule& rule) const {
        return meanBlocking(playedOver(m_request, m_cell.pricer, m_cell.workload, pacmlArrivals, firstValidation, 10,
                                       [&](std::uint64_t seed) { return chooserOf(rule, seed); }));
    }
    DegreeRule best(Kind kind) const {
        DegreeRule out;
        double least = 2;
        for (const int degree : m_cell.pricer.degrees()) {
            const double is = validated({kind, degree});
            if (is < least) {
                least = is;
                out = {kind, degree};
            }
        }
        return out;
    }
    PacmlArm arm(const std::string& name, const std::string& rule, const Chooser& chooser) const {
        const auto begin = std::chrono::steady_clock::now();
        const auto plays =
            playedOver(m_request, m_cell.pricer, m_cell.workload, pacmlArrivals, 1, m_cell.seeds, chooser);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        PacmlArm out{name, rule, {}, 0, 0};
        if (m_request.stop.stop_requested()) return out;
        for (const PacmlPlay& play : plays) out.blocking.push_back(play.blocking(true));
        out.withoutInFlight = meanBlocking(plays, false);
        out.seconds =
            seconds * Parallel(m_request.threads).threads() / static_cast<double>(m_cell.seeds * pacmlArrivals);
        return out;
    }
    Chooser agentChooser(const AgentMember& member) const {
        GraphPricer own = m_cell.pricer;
        const std::shared_ptr<const DegreeScorer> made = makeScorer(m_cell.states, member.net, own, m_cell.workload);
        return [made](std::uint64_t) -> PacmlChooser {
            return [scorer = made->clone(), options = std::vector<GraphOption>()](
                       GraphPricer& pricer, const LossSystem& system, const GraphArrival& job,
                       std::uint32_t) mutable -> std::optional<GraphOption> {
                pricer.priceAll(job.graph, job.beta * pricer.sequentialSeconds(job.graph), system.occupied(), options,
                                system.ending());
                const auto chosen = scorer->choose({system, job.seconds, job.graph, job.beta, options});
                return chosen ? std::optional(options[*chosen]) : std::nullopt;
            };
        };
    }
    Chooser rolloutChooser(const DegreeRule& base) const {
        return [this, base](std::uint64_t seed) -> PacmlChooser {
            return [this, base, seed, options = std::vector<GraphOption>()](
                       GraphPricer& pricer, const LossSystem& system, const GraphArrival& job,
                       std::uint32_t number) mutable -> std::optional<GraphOption> {
                if (m_request.stop.stop_requested()) return std::nullopt;
                pricer.priceAll(job.graph, job.beta * pricer.sequentialSeconds(job.graph), system.occupied(), options,
                                system.ending());
                const auto choice =
                    rolledOut({base}, pricer, system, m_cell.workload, options, job.seconds, job.beta, seed, number);
                return choice.option ? std::optional(options[*choice.option]) : std::nullopt;
            };
        };
    }

    const StudyRequest& m_request;
    const PacmlCell& m_cell;
};

} // namespace pacml_arms

using namespace pacml_arms;

std::vector<PacmlArm> PacmlCell::measure(const StudyRequest& request) const {
    return Measurement(request, *this).arms();
}

const PacmlArm& armOf(const std::vector<PacmlArm>& arms, const std::string& name) {
    return *std::ranges::find(arms, name, &PacmlArm::name);
}

Estimate differenceTo(const std::vector<PacmlArm>& arms, const std::string& other) {
    const PacmlArm &agent = arms.front(), &against = armOf(arms, other);
    std::vector<double> out;
    for (std::size_t i = 0; i < agent.blocking.size(); ++i) out.push_back(agent.blocking[i] - against.blocking[i]);
    return estimateMean(out);
}

bool hasArm(const std::vector<PacmlArm>& arms, const std::string& name) {
    return std::ranges::find(arms, name, &PacmlArm::name) != arms.end();
}

std::string bestSimpleArm(const std::vector<PacmlArm>& arms) {
    std::string out;
    double least = 2;
    for (const char* name : {"best constant", "best floor", "max"}) {
        const double is = estimateMean(armOf(arms, name).blocking).mean;
        if (is < least) {
            least = is;
            out = name;
        }
    }
    return out;
}

void acquaint(GraphPricer& pricer, const std::array<DiscreteLaw, 4>& laws, double gap) {
    for (const DiscreteLaw& law : laws)
        for (const DegreeRule& rule : {DegreeRule{Kind::random, 0}, DegreeRule{Kind::floor, 1},
                                       DegreeRule{Kind::floor, 4}, DegreeRule{Kind::floor, 6}})
            for (const double slower : {1.0, 0.6}) {
                const GraphWorkload workload{pricer.graphs(), 201, law, gap * slower, false};
                played(pricer, drawArrivals(workload, pacmlArrivals, 9001), gap * static_cast<double>(pacmlArrivals),
                       chooserOf(rule, 9001));
            }
}

} // namespace trainyard::study
