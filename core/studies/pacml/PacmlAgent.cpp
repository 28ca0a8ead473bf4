// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a trained agent blocks beside every rule and a rollout: by setting, load, law and graphs, those that it was trained on and others.
// Rules are chosen on validation seeds; all arms meet the same arrivals, so that differences are paired.
#include "planning/graphs/ShippedGraphs.h"
#include "run/import/PipeDreamProfile.h"
#include "scenario/agents/AgentFile.h"
#include "studies/pacml/PacmlStudy.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace trainyard::study {

namespace pacml_agent {

using Kind = DegreeRule::Kind;
constexpr std::uint64_t firstValidation = 1001; ///< of ten
constexpr std::size_t arrivals = 1001;
constexpr std::array<double, 4> gapsAtFive{1.0, 1.25, 1.5, 2.0}; ///< seconds, of the published graphs
constexpr const char* graphNetworkAgent = "paper-shape";         ///< trained on the published graphs
constexpr double publishedSeconds = 29.9452;                     ///< mean sequential time of these, corrected

struct GraphSet {
    std::string name;
    bool trained = false;
    std::vector<std::shared_ptr<const ComputationGraph>> graphs; ///< with times of profiles
};

std::vector<std::shared_ptr<const ComputationGraph>> shippedFive() {
    std::vector<std::shared_ptr<const ComputationGraph>> out;
    for (const char* id : {"alexnet", "gnmt", "resnet18", "squeezenet", "vgg16"})
        out.push_back(std::make_shared<const ComputationGraph>(shippedGraph(*findShippedGraph(id))));
    return out;
}

/// All that ship.
std::vector<std::shared_ptr<const ComputationGraph>> allShipped() {
    std::vector<std::shared_ptr<const ComputationGraph>> out;
    for (const ShippedGraph& graph : shippedGraphs())
        out.push_back(std::make_shared<const ComputationGraph>(shippedGraph(graph)));
    return out;
}

/// Profiles of the directory but the published five.
std::vector<std::shared_ptr<const ComputationGraph>> otherProfiles(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
        const std::string stem = entry.path().stem().string();
        const auto published = {"alexnet", "gnmt", "resnet18", "squeezenet1_0", "vgg16", "LICENSE"};
        if (entry.path().extension() == ".txt" && std::ranges::find(published, stem) == published.end())
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<std::shared_ptr<const ComputationGraph>> out;
    for (const auto& file : files)
        if (auto graph = readPipeDreamProfile(file))
            out.push_back(std::make_shared<const ComputationGraph>(std::move(*graph)));
    return out;
}

/// Those that the agent was trained on come first. Problems of --graphs.
Result<std::vector<GraphSet>> graphSets(const StudyRequest& request, bool onProfiles) {
    std::vector<GraphSet> out;
    const auto given = request.options.find("graphs");
    if (given == request.options.end()) {
        if (!onProfiles) out.push_back({"trained", true, shippedFive()});
        out.push_back({"shipped", false, allShipped()});
        return out;
    }
    const auto profiles = pacmlGraphs(request, GraphSetting::corrected());
    if (!profiles) return profiles.problems();
    if (!onProfiles) {
        out.push_back({"trained", true, shippedFive()});
        out.push_back({"profiles", false, profiles->graphs});
        return out;
    }
    out.push_back({"trained", true, profiles->graphs});
    out.push_back({"shipped", false, allShipped()});
    if (auto others = otherProfiles(given->second); !others.empty()) {
        for (const auto& graph : allShipped()) others.push_back(graph);
        out.push_back({"shipped and other profiles", false, std::move(others)});
    }
    return out;
}

GraphPricer pricerOf(const GraphSet& set, const GraphSetting& setting) {
    PacmlGraphs graphs;
    for (const auto& graph : set.graphs) {
        ComputationGraph timed = *graph;
        for (Operation& op : timed.operations) {
            op.forwardSeconds *= setting.timeScale;
            op.backwardSeconds *= setting.timeScale;
        }
        graphs.graphs.push_back(std::make_shared<const ComputationGraph>(std::move(timed)));
    }
    return pacmlPricer(graphs, setting);
}

double meanSequential(const GraphPricer& pricer) {
    double sum = 0;
    for (std::size_t g = 0; g < pricer.graphs(); ++g) sum += pricer.sequentialSeconds(g);
    return sum / static_cast<double>(pricer.graphs());
}

/// Looks ahead at most placements that will come up: every seed plays with a copy, which knows what the original does.
void acquaint(GraphPricer& pricer, const std::array<DiscreteLaw, 4>& laws, double gap) {
    for (const DiscreteLaw& law : laws)
        for (const DegreeRule& rule : {DegreeRule{Kind::random, 0}, DegreeRule{Kind::floor, 1},
                                       DegreeRule{Kind::floor, 4}, DegreeRule{Kind::floor, 6}})
            for (const double slower : {1.0, 0.6}) {
                const GraphWorkload workload{pricer.graphs(), 201, law, gap * slower, false};
                played(pricer, drawArrivals(workload, arrivals, 9001), gap * static_cast<double>(arrivals),
                       chooserOf(rule, 9001));
            }
}

struct Arm {
    std::string name, rule;
    std::vector<double> blocking; ///< by seed
    double withoutInFlight = 0;
    double seconds = 0; ///< of a decision, with the play around it
};

/// One setting, load, law and set of graphs.
class Cell {
public:
    Cell(const StudyRequest& request, const GraphPricer& pricer, GraphWorkload workload, std::size_t seeds)
        : m_request(request), m_pricer(pricer), m_workload(std::move(workload)), m_seeds(seeds) {}

    /// `other`: one of the paper's shape beside it, or null.
    std::vector<Arm> measure(const AgentMember& member, const AgentMember* other,
                             const std::shared_ptr<const AfterStates>& states, bool withRollout) const {
        const DegreeRule constant = best(Kind::constant), floor = best(Kind::floor);
        std::vector<Arm> out;
        out.push_back(arm("agent", member.candidate, agentChooser(member, states)));
        if (other) out.push_back(arm("graph network", other->candidate, agentChooser(*other, states)));
        for (const auto& [name, rule] : {std::pair<std::string, DegreeRule>{"best constant", constant},
                                         {"best floor", floor},
                                         {"max", {Kind::max, 0}},
                                         {"acceptable-jct", {Kind::acceptableJct, 0}},
                                         {"random", {Kind::random, 0}},
                                         {"none", {Kind::constant, 1}},
                                         {"min", {Kind::constant, 2}}})
            out.push_back(
                arm(name, nameOf(rule), [&rule = rule](std::uint64_t seed) { return chooserOf(rule, seed); }));
        if (withRollout) {
            const bool floorIsBetter = validated(floor) <= validated(constant);
            out.push_back(arm("rollout", "over " + nameOf(floorIsBetter ? floor : constant),
                              rolloutChooser(floorIsBetter ? floor : constant)));
        }
        return out;
    }

private:
    using Chooser = std::function<PacmlChooser(std::uint64_t seed)>;

    double validated(const DegreeRule& rule) const {
        return meanBlocking(playedOver(m_request, m_pricer, m_workload, arrivals, firstValidation, 10,
                                       [&](std::uint64_t seed) { return chooserOf(rule, seed); }));
    }
    DegreeRule best(Kind kind) const {
        DegreeRule out;
        double least = 2;
        for (const int degree : m_pricer.degrees()) {
            const double is = validated({kind, degree});
            if (is < least) {
                least = is;
                out = {kind, degree};
            }
        }
        return out;
    }
    Arm arm(const std::string& name, const std::string& rule, const Chooser& chooser) const {
        const auto begin = std::chrono::steady_clock::now();
        const auto plays = playedOver(m_request, m_pricer, m_workload, arrivals, 1, m_seeds, chooser);
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        Arm out{name, rule, {}, 0, 0};
        if (m_request.stop.stop_requested()) return out;
        for (const PacmlPlay& play : plays) out.blocking.push_back(play.blocking(true));
        out.withoutInFlight = meanBlocking(plays, false);
        out.seconds = seconds * Parallel(m_request.threads).threads() / static_cast<double>(m_seeds * arrivals);
        return out;
    }
    Chooser agentChooser(const AgentMember& member, const std::shared_ptr<const AfterStates>& states) const {
        GraphPricer own = m_pricer;
        const std::shared_ptr<const DegreeScorer> made = makeScorer(states, member.net, own, m_workload);
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
                    rolledOut({base}, pricer, system, m_workload, options, job.seconds, job.beta, seed, number);
                return choice.option ? std::optional(options[*choice.option]) : std::nullopt;
            };
        };
    }

    const StudyRequest& m_request;
    const GraphPricer& m_pricer;
    GraphWorkload m_workload;
    std::size_t m_seeds;
};

const Arm& named(const std::vector<Arm>& arms, const std::string& name) {
    return *std::ranges::find(arms, name, &Arm::name);
}

/// Agent minus the other, by seed.
Estimate difference(const std::vector<Arm>& arms, const std::string& other) {
    const Arm &agent = arms.front(), &against = named(arms, other);
    std::vector<double> out;
    for (std::size_t i = 0; i < agent.blocking.size(); ++i) out.push_back(agent.blocking[i] - against.blocking[i]);
    return estimateMean(out);
}

bool hasArm(const std::vector<Arm>& arms, const std::string& name) {
    return std::ranges::find(arms, name, &Arm::name) != arms.end();
}

/// Of the simple rules, the one that blocks least over the seeds.
std::string bestSimple(const std::vector<Arm>& arms) {
    std::string out;
    double least = 2;
    for (const char* name : {"best constant", "best floor", "max"}) {
        const double is = estimateMean(named(arms, name).blocking).mean;
        if (is < least) {
            least = is;
            out = name;
        }
    }
    return out;
}

struct Place {
    std::string setting, graphs;
    bool trained = false;
    double gap = 0; ///< as of the published graphs: the same load
    bool poisson = false;
    std::size_t law = 0;

    std::string id() const {
        return "agent/" + setting + "/" + graphs + "/" + number(gap) + "s" + (poisson ? " Poisson" : "") + "/" +
               pacmlLaws[law];
    }
    std::string words() const {
        return (setting == "faithful" ? "by the published rules" : "by corrected rules") + std::string(" on ") +
               (trained ? "the graphs that it was trained on" : "graphs that it has not seen (" + graphs + ")") +
               ", with the load of an arrival every " + number(gap) + " s of the published graphs" +
               (poisson ? ", Poisson" : "") + ", under law " + pacmlLaws[law];
    }
};

/// The paired difference to one arm: `atMost` is what its upper end must not exceed; `mean`: what its mean must not.
Claim pairedClaim(const Place& place, const std::vector<Arm>& arms, const std::string& other, double atMost,
                  double mean) {
    const Estimate measured = difference(arms, other);
    const auto interval = intervalOf(measured);
    Claim out{.id = place.id() + "/minus " + other,
              .claim = "The agent blocks less than " + other + " " + place.words() + ".",
              .source = mean < 0 ? "measured before: an independent implementation with an agent of its own"
                                 : "the bar of this study",
              .unit = "1",
              .measured = measured.mean,
              .interval = interval,
              .n = measured.n};
    out.holds = interval.second < atMost && measured.mean <= mean;
    out.finding = other + " is " + named(arms, other).rule + "; agent " +
                  number(estimateMean(arms.front().blocking).mean) + ", it " +
                  number(estimateMean(named(arms, other).blocking).mean) + "; upper end of the difference below " +
                  number(atMost) + (mean < 0 ? ", mean at most " + number(mean) : "");
    return out;
}

/// What an agent of the paper's shape comes to, beside ours and beside the best constant degree: which its published ones are.
void graphNetworkClaims(const Place& place, const std::vector<Arm>& arms, StudyReport& report) {
    if (!hasArm(arms, "graph network") || !place.trained || place.poisson) return;
    if (place.setting == "corrected" && (place.gap != 2.0 || place.law == 3)) return;
    const Estimate is = estimateMean(named(arms, "graph network").blocking);
    if (place.setting == "corrected") {
        report.claims.push_back(pairedClaim(place, arms, "graph network", 0, 0));
        return;
    }
    const double constant = estimateMean(named(arms, "best constant").blocking).mean;
    report.claims.push_back({.id = place.id() + "/graph network",
                             .claim = "An agent of the paper's shape finds at least the best constant degree " +
                                      place.words() + ", within 0.01.",
                             .source = "measured before: the published agents are constants",
                             .unit = "1",
                             .expected = constant,
                             .measured = is.mean,
                             .interval = intervalOf(is),
                             .n = is.n,
                             .holds = is.mean <= constant + .01,
                             .finding = "the best constant is " + named(arms, "best constant").rule + " with " +
                                        number(constant) + ", ours " +
                                        number(estimateMean(arms.front().blocking).mean)});
}

void faithfulClaims(const Place& place, const std::vector<Arm>& arms, StudyReport& report) {
    constexpr std::array<double, 4> bars{.205, .195, .120, .116};
    constexpr std::array<std::array<double, 2>, 4> published{
        {{.2209, .2038}, {.2641, .2567}, {.1247, .1166}, {.1037, .0992}}};
    const Estimate measured = estimateMean(arms.front().blocking);
    Claim level{.id = place.id() + "/blocking",
                .claim = "The agent blocks at most " + number(bars[place.law]) + " of arrivals " + place.words() + ".",
                .source = "the bar of this study; the published agents are constants of degree 4, 16, 4 and 2 by their "
                          "last logs",
                .unit = "1",
                .expected = bars[place.law],
                .measured = measured.mean,
                .interval = intervalOf(measured),
                .n = measured.n};
    level.holds = intervalOf(measured).second <= bars[place.law];
    level.finding = "the upper end is to be at most that; the published logs have " + number(published[place.law][0]) +
                    " at the end and " + number(published[place.law][1]) + " at the best of their test evaluations";
    report.claims.push_back(std::move(level));
    if (place.law < 3) report.claims.push_back(pairedClaim(place, arms, "best constant", 0, 0));
    if (place.law != 2) return;
    const double max = estimateMean(named(arms, "max").blocking).mean, less = 1 - measured.mean / max;
    report.claims.push_back({.id = place.id() + "/less than max",
                             .claim = "The agent blocks this much less than max, relatively, " + place.words() + ".",
                             .source = "the paper's abstract: up to 56.2 %",
                             .unit = "1",
                             .expected = .562,
                             .measured = less,
                             .interval = {},
                             .n = measured.n,
                             .holds = less >= .55,
                             .finding = "at least 0.55; max blocks " + number(max)});
}

void correctedClaims(const Place& place, const std::vector<Arm>& arms, StudyReport& report) {
    constexpr std::array<double, 3> margins{-.03, -.025, -.005};
    if (place.gap == 2.0 && place.law < 3) {
        for (const char* other : {"best constant", "best floor", "max"}) {
            const bool margin = place.trained && !place.poisson && std::string(other) == "best floor";
            report.claims.push_back(pairedClaim(place, arms, other, 0, margin ? margins[place.law] : 0));
        }
    } else if (place.gap == 1.5 && place.law == 1) {
        for (const char* other : {"best constant", "best floor", "max"})
            report.claims.push_back(pairedClaim(place, arms, other, 0, 0));
    } else if ((place.gap == 2.0 && place.law == 3) || (place.gap == 1.5 && place.law != 3)) {
        const double slack = place.gap == 2.0 ? .003 : .005;
        const std::string other = bestSimple(arms);
        const Estimate measured = difference(arms, other);
        report.claims.push_back({.id = place.id() + "/minus best rule",
                                 .claim = "The agent is not worse than the best simple rule by more than " +
                                          number(slack) + " " + place.words() + ".",
                                 .source = "the bar of this study",
                                 .unit = "1",
                                 .measured = measured.mean,
                                 .interval = intervalOf(measured),
                                 .n = measured.n,
                                 .holds = measured.mean <= slack,
                                 .finding = other + " (" + named(arms, other).rule + ") is the best"});
    }
}

void addRows(StudyTable& table, const Place& place, double gap, const std::vector<Arm>& arms) {
    for (const Arm& arm : arms) {
        const Estimate level = estimateMean(arm.blocking);
        const Estimate minus = &arm == &arms.front() ? Estimate{} : difference(arms, arm.name);
        table.rows.push_back({place.setting, place.graphs, number(place.gap), number(gap), place.poisson ? "1" : "0",
                              std::string(1, pacmlLaws[place.law]), arm.name, arm.rule, number(level.mean),
                              number(level.halfWidth.value_or(0)), number(arm.withoutInFlight),
                              &arm == &arms.front() ? "" : number(minus.mean),
                              &arm == &arms.front() ? "" : number(minus.halfWidth.value_or(0)), number(arm.seconds)});
    }
}

/// Agent minus the best simple rule, load by law: where it loses, too.
void addSummary(StudyTable& table, const Place& place, const std::vector<Arm>& arms) {
    const std::string other = bestSimple(arms);
    const Estimate minus = difference(arms, other);
    table.rows.push_back({place.setting, place.graphs, number(place.gap), place.poisson ? "1" : "0",
                          std::string(1, pacmlLaws[place.law]), number(minus.mean), number(minus.halfWidth.value_or(0)),
                          other, named(arms, other).rule});
}

/// The same as heat maps, one for each setting, graphs and process.
void addToMap(std::vector<StudyMap>& maps, const Place& place, const std::vector<Arm>& arms) {
    const std::string graphs = place.trained ? "training graphs" : "unseen graphs (" + place.graphs + ")";
    const std::string title =
        "agent minus best simple rule, " + place.setting + ", " + graphs + (place.poisson ? ", Poisson" : "");
    auto map = std::ranges::find(maps, title, &StudyMap::title);
    if (map == maps.end())
        map = maps.insert(
            maps.end(), {.title = title,
                         .meaning = "Blocking of the agent minus that of the best simple rule of each cell, by law of "
                                    "deadlines and load as the gap between arrivals; below 0 the agent is better.",
                         .columns = {"A", "B", "C", "D"},
                         .rows = {},
                         .values = {},
                         .notes = {}});
    const std::string row = number(place.gap) + " s";
    if (map->rows.empty() || map->rows.back() != row) {
        map->rows.push_back(row);
        map->values.resize(map->rows.size() * 4, NAN);
        map->notes.resize(map->rows.size() * 4);
    }
    const std::string best = bestSimple(arms);
    const Estimate minus = difference(arms, best);
    const std::size_t cell = (map->rows.size() - 1) * 4 + place.law;
    map->values[cell] = std::round(minus.mean * 1e4) / 1e4;
    map->notes[cell] = best + " (" + named(arms, best).rule + ") " +
                       number(estimateMean(named(arms, best).blocking).mean) + ", agent " +
                       number(estimateMean(arms.front().blocking).mean) + ", difference " + number(minus.mean) + " ± " +
                       number(minus.halfWidth.value_or(0)) + ", n = " + std::to_string(minus.n);
}

class AgentStudy {
public:
    /// `other`: an agent of the paper's shape beside it, or null.
    AgentStudy(const StudyRequest& request, StudyReport& report, std::shared_ptr<const DegreeAgent> agent,
               std::shared_ptr<const DegreeAgent> other, std::array<DiscreteLaw, 4> laws, std::vector<GraphSet> sets)
        : m_request(request), m_report(report), m_agent(std::move(agent)), m_other(std::move(other)),
          m_laws(std::move(laws)), m_sets(std::move(sets)),
          m_states(std::make_shared<const AfterStates>(std::make_shared<const ServerBlocks>(m_agent->network))) {}

    void run() {
        const std::vector<double> gaps =
            m_request.quick ? std::vector<double>{1.5, 2.0} : std::vector<double>(gapsAtFive.begin(), gapsAtFive.end());
        m_all = (m_sets.front().trained ? 4 : 0) + m_sets.size() * gaps.size() * 2 * 4;
        for (const GraphSet& set : m_sets)
            if (set.trained) measure(set, "faithful", {1000}, {false});
        for (const GraphSet& set : m_sets) measure(set, "corrected", gaps, {false, true});
        m_report.tables.push_back(std::move(m_table));
        m_report.tables.push_back(std::move(m_summary));
    }

private:
    void measure(const GraphSet& set, const std::string& name, const std::vector<double>& gaps,
                 const std::vector<bool>& processes) {
        const bool faithful = name == "faithful";
        const GraphSetting setting = faithful ? GraphSetting::faithful() : GraphSetting::corrected();
        GraphPricer pricer = pricerOf(set, setting);
        const double scale = meanSequential(pricer) / (publishedSeconds * (faithful ? 1000 : 1));
        acquaint(pricer, m_laws, gaps.back() * scale);
        for (const bool poisson : processes)
            for (const double gap : gaps)
                for (std::size_t l = 0; l < m_laws.size(); ++l) {
                    if (m_request.stop.stop_requested()) {
                        m_report.stopped = true;
                        return;
                    }
                    const GraphRules rules = faithful ? GraphRules::faithful : GraphRules::corrected;
                    const AgentMember* member = m_agent->memberFor(rules, m_laws[l]);
                    if (!member) continue;
                    const AgentMember* other = m_other ? m_other->memberFor(rules, m_laws[l]) : nullptr;
                    // A set that is the published one has gaps that are round numbers.
                    const double own = std::abs(scale - 1) < 1e-3 ? gap : gap * scale;
                    const Cell cell(m_request, pricer, {pricer.graphs(), 201, m_laws[l], own, poisson},
                                    m_request.quick ? 5 : 20);
                    // A rollout takes a minute of computing for a cell; elsewhere "headroom" has it.
                    const bool withRollout = !m_request.quick && set.trained && !poisson;
                    const auto arms = cell.measure(*member, other, m_states, withRollout);
                    if (m_request.stop.stop_requested()) continue;
                    const Place place{name, set.name, set.trained, gap, poisson, l};
                    addRows(m_table, place, own, arms);
                    addSummary(m_summary, place, arms);
                    addToMap(m_report.maps, place, arms);
                    faithful ? faithfulClaims(place, arms, m_report) : correctedClaims(place, arms, m_report);
                    graphNetworkClaims(place, arms, m_report);
                    if (m_request.progress) m_request.progress(++m_done, m_all);
                }
    }

    const StudyRequest& m_request;
    StudyReport& m_report;
    std::shared_ptr<const DegreeAgent> m_agent, m_other;
    std::array<DiscreteLaw, 4> m_laws;
    std::vector<GraphSet> m_sets;
    std::shared_ptr<const AfterStates> m_states;
    std::size_t m_done = 0, m_all = 0;
    StudyTable m_table{.name = "pacml-agent",
                       .columns = {"setting", "graphs", "load_as_gap_s", "gap_s", "poisson", "law", "arm", "rule",
                                   "blocking", "half_width", "blocking_without_in_flight", "agent_minus",
                                   "agent_minus_half_width", "decision_s"},
                       .rows = {}};
    StudyTable m_summary{.name = "pacml-agent-minus-best-rule",
                         .columns = {"setting", "graphs", "load_as_gap_s", "poisson", "law", "agent_minus_best",
                                     "half_width", "best", "rule"},
                         .rows = {}};
};

} // namespace pacml_agent

void pacmlAgent(const StudyRequest& request, StudyReport& report) {
    using namespace pacml_agent;
    const auto add = [&](const Problems& wrong) {
        report.problems.insert(report.problems.end(), wrong.begin(), wrong.end());
    };
    const auto given = request.options.find("agent");
    const std::string name = given != request.options.end()       ? given->second
                             : request.options.contains("graphs") ? "paper-graphs"
                                                                  : "own-graphs";
    const auto path = agentPath(name, request.resources);
    if (!path) return add(path.problems());
    auto agent = readAgent(*path);
    if (!agent) return add(agent.problems());
    const auto laws = pacmlLawTables(request);
    if (!laws) return add(laws.problems());
    const bool onProfiles = (*agent)->configuration.find("\"profiles\": true") != std::string::npos;
    auto sets = graphSets(request, onProfiles);
    if (!sets) return add(sets.problems());
    std::shared_ptr<const DegreeAgent> other;
    const auto file = request.resources.root / "agents" / (std::string(graphNetworkAgent) + ".json");
    std::error_code ignored;
    if (given == request.options.end() && onProfiles && std::filesystem::exists(file, ignored)) {
        auto read = readAgent(file);
        if (!read) return add(read.problems());
        other = std::move(*read);
    }
    AgentStudy(request, report, std::move(*agent), std::move(other), *laws, std::move(*sets)).run();
}

} // namespace trainyard::study
