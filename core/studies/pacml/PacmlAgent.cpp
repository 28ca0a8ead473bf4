// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a trained agent blocks beside every rule and a rollout: by setting, load, law and graphs, those that it was trained on and others.
#include "scenario/agents/AgentFile.h"
#include "studies/pacml/PacmlArms.h"
#include "studies/pacml/PacmlGraphSets.h"
#include "studies/pacml/PacmlStudy.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study {

namespace pacml_agent {

constexpr std::array<double, 4> gapsAtFive{1.0, 1.25, 1.5, 2.0}; ///< seconds, of the published graphs
constexpr const char* graphNetworkAgent = "paper-shape";         ///< trained on the published graphs
constexpr double publishedSeconds = 29.9452;                     ///< mean sequential time of these, corrected

double meanSequential(const GraphPricer& pricer) {
    double sum = 0;
    for (std::size_t g = 0; g < pricer.graphs(); ++g) sum += pricer.sequentialSeconds(g);
    return sum / static_cast<double>(pricer.graphs());
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
Claim pairedClaim(const Place& place, const std::vector<PacmlArm>& arms, const std::string& other, double atMost,
                  double mean) {
    const Estimate measured = differenceTo(arms, other);
    const auto interval = intervalOf(measured);
    Claim out{.id = place.id() + "/minus " + other,
              .claim = "The agent blocks less than " + other + " " + place.words() + ".",
              .source = mean < 0 ? "measured before: an independent implementation with an agent of its own"
                                 : "the bar of this study",
              .unit = "1",
              .measured = measured.mean,
              .interval = interval,
              .n = measured.n};
    setVerdict(out, interval.second < atMost && measured.mean <= mean,
               interval.first >= atMost || measured.mean > mean);
    out.finding = other + " is " + armOf(arms, other).rule + "; agent " +
                  number(estimateMean(arms.front().blocking).mean) + ", it " +
                  number(estimateMean(armOf(arms, other).blocking).mean) + "; upper end of the difference below " +
                  number(atMost) + (mean < 0 ? ", mean at most " + number(mean) : "");
    return out;
}

/// What an agent of the paper's shape comes to, beside ours and beside the best constant degree: which its published ones are.
void graphNetworkClaims(const Place& place, const std::vector<PacmlArm>& arms, StudyReport& report) {
    if (!hasArm(arms, "graph network") || !place.trained || place.poisson) return;
    if (place.setting == "corrected" && (place.gap != 2.0 || place.law == 3)) return;
    const Estimate is = estimateMean(armOf(arms, "graph network").blocking);
    if (place.setting == "corrected") {
        report.claims.push_back(pairedClaim(place, arms, "graph network", 0, 0));
        return;
    }
    const double constant = estimateMean(armOf(arms, "best constant").blocking).mean;
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
                             .finding = "the best constant is " + armOf(arms, "best constant").rule + " with " +
                                        number(constant) + ", ours " +
                                        number(estimateMean(arms.front().blocking).mean)});
}

void faithfulClaims(const Place& place, const std::vector<PacmlArm>& arms, StudyReport& report) {
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
    setVerdict(level, level.interval->second <= bars[place.law], level.interval->first > bars[place.law]);
    level.finding = "the upper end is to be at most that; the published logs have " + number(published[place.law][0]) +
                    " at the end and " + number(published[place.law][1]) + " at the best of their test evaluations";
    report.claims.push_back(std::move(level));
    if (place.law < 3) report.claims.push_back(pairedClaim(place, arms, "best constant", 0, 0));
    if (place.law != 2) return;
    const double max = estimateMean(armOf(arms, "max").blocking).mean, less = 1 - measured.mean / max;
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

void correctedClaims(const Place& place, const std::vector<PacmlArm>& arms, StudyReport& report) {
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
        const std::string other = bestSimpleArm(arms);
        const Estimate measured = differenceTo(arms, other);
        report.claims.push_back({.id = place.id() + "/minus best rule",
                                 .claim = "The agent is not worse than the best simple rule by more than " +
                                          number(slack) + " " + place.words() + ".",
                                 .source = "the bar of this study",
                                 .unit = "1",
                                 .measured = measured.mean,
                                 .interval = intervalOf(measured),
                                 .n = measured.n,
                                 .holds = measured.mean <= slack,
                                 .finding = other + " (" + armOf(arms, other).rule + ") is the best"});
    }
}

void addRows(StudyTable& table, const Place& place, double gap, const std::vector<PacmlArm>& arms) {
    for (const PacmlArm& arm : arms) {
        const Estimate level = estimateMean(arm.blocking);
        const Estimate minus = &arm == &arms.front() ? Estimate{} : differenceTo(arms, arm.name);
        table.rows.push_back({place.setting, place.graphs, number(place.gap), number(gap), place.poisson ? "1" : "0",
                              std::string(1, pacmlLaws[place.law]), arm.name, arm.rule, number(level.mean),
                              number(level.halfWidth.value_or(0)), number(arm.withoutInFlight),
                              &arm == &arms.front() ? "" : number(minus.mean),
                              &arm == &arms.front() ? "" : number(minus.halfWidth.value_or(0)), number(arm.seconds)});
    }
}

/// Agent minus the best simple rule, load by law: where it loses, too.
void addSummary(StudyTable& table, const Place& place, const std::vector<PacmlArm>& arms) {
    const std::string other = bestSimpleArm(arms);
    const Estimate minus = differenceTo(arms, other);
    table.rows.push_back({place.setting, place.graphs, number(place.gap), place.poisson ? "1" : "0",
                          std::string(1, pacmlLaws[place.law]), number(minus.mean), number(minus.halfWidth.value_or(0)),
                          other, armOf(arms, other).rule});
}

/// The same as heat maps, one for each setting, graphs and process.
void addToMap(std::vector<StudyMap>& maps, const Place& place, const std::vector<PacmlArm>& arms) {
    const std::string graphs = place.trained ? "training graphs" : "unseen graphs (" + place.graphs + ")";
    const std::string title =
        "Agent minus best simple rule, " + place.setting + ", " + graphs + (place.poisson ? ", Poisson" : "");
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
    const std::string best = bestSimpleArm(arms);
    const Estimate minus = differenceTo(arms, best);
    const std::size_t cell = (map->rows.size() - 1) * 4 + place.law;
    map->values[cell] = std::round(minus.mean * 1e4) / 1e4;
    map->notes[cell] = best + " (" + armOf(arms, best).rule + ") " +
                       number(estimateMean(armOf(arms, best).blocking).mean) + ", agent " +
                       number(estimateMean(arms.front().blocking).mean) + ", difference " + number(minus.mean) + " ± " +
                       number(minus.halfWidth.value_or(0)) + ", n = " + std::to_string(minus.n);
}

class AgentStudy {
public:
    /// `other`: an agent of the paper's shape beside it, or null.
    AgentStudy(const StudyRequest& request, StudyReport& report, std::shared_ptr<const DegreeAgent> agent,
               std::shared_ptr<const DegreeAgent> other, std::array<DiscreteLaw, 4> laws,
               std::vector<PacmlGraphSet> sets)
        : m_request(request), m_report(report), m_agent(std::move(agent)), m_other(std::move(other)),
          m_laws(std::move(laws)), m_sets(std::move(sets)),
          m_states(std::make_shared<const AfterStates>(std::make_shared<const ServerBlocks>(m_agent->network))) {}

    void run() {
        const std::vector<double> gaps =
            m_request.quick ? std::vector<double>{1.5, 2.0} : std::vector<double>(gapsAtFive.begin(), gapsAtFive.end());
        m_all = (m_sets.front().trained ? 4 : 0) + m_sets.size() * gaps.size() * 2 * 4;
        for (const PacmlGraphSet& set : m_sets)
            if (set.trained) measure(set, "faithful", {1000}, {false});
        for (const PacmlGraphSet& set : m_sets) measure(set, "corrected", gaps, {false, true});
        m_report.tables.push_back(std::move(m_table));
        m_report.tables.push_back(std::move(m_summary));
    }

private:
    void measure(const PacmlGraphSet& set, const std::string& name, const std::vector<double>& gaps,
                 const std::vector<bool>& processes) {
        const bool faithful = name == "faithful";
        const GraphSetting setting = faithful ? GraphSetting::faithful() : GraphSetting::corrected();
        GraphPricer pricer = set.pricer(setting);
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
                    const PacmlCell cell{.pricer = pricer,
                                         .workload = {pricer.graphs(), 201, m_laws[l], own, poisson},
                                         .seeds = m_request.quick ? 5U : 20U,
                                         .states = m_states,
                                         .member = *member,
                                         .graphNetwork = other,
                                         // It takes a minute of computing for a cell; elsewhere "headroom" has it.
                                         .rollout = !m_request.quick && set.trained && !poisson};
                    const auto arms = cell.measure(m_request);
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
    std::vector<PacmlGraphSet> m_sets;
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
    auto sets = pacmlGraphSets(request, onProfiles);
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
