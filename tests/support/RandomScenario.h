// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Random scenarios from a seed: for property tests of the format, the engine and the policies. Every scenario
// made here is valid in structure; with `runnable` it is also accepted by validateScenario, fits its cluster
// and stops soon.
#include "scenario/Scenario.h"

#include <cmath>

namespace trainyard::test {

struct RandomScenarioOptions {
    int machines = 6;
    int jobs = 4;
    bool trained = true, analytic = true, graph = true; ///< kinds to choose among; at least one
    bool generators = true;
    bool faults = true;
    /// True: every job fits, stops and uses shipped models and data. False: any values that the format can
    /// hold.
    bool runnable = false;
};

class RandomScenarioMaker {
public:
    RandomScenarioMaker(std::uint64_t seed, const RandomScenarioOptions& options)
        : m_random(seed, Purpose::test, 77), m_options(options) {}

    Scenario make() {
        Scenario s;
        texts(s);
        cluster(s.cluster);
        const int jobs = 1 + below(m_options.jobs);
        for (int j = 0; j < jobs; ++j) {
            s.jobs.push_back(job(s.cluster));
            s.jobs.back().key = "job-" + std::to_string(j + 1);
            s.jobs.back().arrival.ns = m_options.runnable ? below(20'000) * 1'000'000LL : time();
        }
        if (m_options.generators && chance(0.4)) s.generators.push_back(generator(s.cluster));
        if (m_options.faults) faults(s);
        if (!m_options.runnable) choices(s);
        return s;
    }

private:
    bool chance(double p) { return m_random.unit() < p; }
    int below(int n) { return static_cast<int>(m_random.below(static_cast<std::uint64_t>(n))); }
    double between(double low, double high) { return low + (high - low) * m_random.unit(); }
    /// Any size from 10^low to 10^high: whole, short or with all digits.
    double number(double low, double high) {
        const double x = std::pow(10, between(low, high));
        switch (below(3)) {
        case 0: return x >= 1 ? std::floor(x) : x;
        case 1: return std::round(x * 100) / 100 > 0 ? std::round(x * 100) / 100 : x;
        default: return x;
        }
    }
    std::int64_t time() { return static_cast<std::int64_t>(std::exp2(between(0, 62))); }
    std::string text() {
        static const std::vector<std::string> pieces{"a", "Zürich", "\"quoted\"", "back\\slash", "学习", "a/b~c",
                                                     " ", "{}",     "…"};
        std::string out;
        for (int i = below(6); i >= 0; --i) out += pieces[m_random.below(pieces.size())];
        return out;
    }

    void texts(Scenario& s) {
        s.title = text();
        if (chance(0.5)) s.notes = text() + "line\nbreak, tab\t, \x01";
        if (chance(0.5)) s.lookFor = text();
        s.seed = chance(0.3) ? m_random.bits() : m_random.below(100);
        if (m_options.runnable) return;
        s.mode = chance(0.5) ? RunMode::simulate : RunMode::execute;
        s.network = chance(0.5) ? NetworkModel::flow : NetworkModel::rate;
        s.horizonSeconds = chance(0.5) ? 1e9 : number(0, 8);
        if (chance(0.3)) s.limits.events = 1 + below(1000000);
        if (chance(0.3)) s.limits.wallSeconds = number(0, 8);
        if (chance(0.3)) s.limits.memoryGigabytes = number(0, 5);
        s.explanations = static_cast<WhyLevel>(below(3));
    }

    Distribution law(double mean) {
        Distribution d;
        d.law = static_cast<Law>(below(11));
        switch (d.law) {
        case Law::constant: d.value = mean; break;
        case Law::uniform:
            d.low = mean * between(0, 0.9);
            d.high = mean * between(1, 2);
            break;
        case Law::exponential: d.mean = mean; break;
        case Law::shiftedExponential:
            d.shift = mean * between(0, 1);
            d.mean = mean;
            break;
        case Law::hypoexponential:
            for (int i = below(3); i >= 0; --i) d.means.push_back(mean * between(0.1, 1));
            break;
        case Law::pareto:
            d.shape = between(1.5, 4);
            d.scale = mean;
            break;
        case Law::logNormal:
            d.mean = mean;
            d.sigma = between(0.1, 1);
            break;
        case Law::gamma:
        case Law::weibull:
            d.shape = between(0.5, 4);
            d.mean = mean;
            break;
        case Law::bimodal:
            d.probability = m_random.unit();
            d.factor = between(1, 10);
            d.shape = between(1, 50);
            break;
        case Law::empirical:
            d.quantiles = {mean * 0.5};
            for (int i = below(4); i >= 0; --i) d.quantiles.push_back(d.quantiles.back() + between(0, mean));
            break;
        }
        return d;
    }

    void straggler(StragglerLaw& s) {
        if (chance(0.5)) s.factor = law(between(0.5, 1.5));
        if (chance(0.3)) s.persistentFactor = between(1, 5);
        if (chance(0.2)) s.burst = Burst{m_random.unit(), m_random.unit(), between(1, 9), between(0.1, 5)};
        if (chance(0.2)) s.delay = law(between(0.001, 0.1));
    }

    /// Machines on one or two switches, always connected.
    void cluster(Cluster& c) {
        c.resourceNames =
            chance(0.5) ? std::vector<std::string>{"cpu"} : std::vector<std::string>{"cpu", "gpu", "memory_gb"};
        if (chance(0.5)) c.devices = {{"fast", between(1, 4)}, {"slow", between(0.2, 1)}};
        if (chance(0.5)) c.racks = {{"r1", chance(0.5) ? text() : ""}, {"r2", ""}};
        c.switches.push_back({.key = "s1", .rack = c.racks.empty() ? "" : "r1"});
        if (chance(0.5)) {
            c.switches.push_back({.key = "s2", .name = text(), .position = Position{number(0, 3), -number(0, 3)}});
            link(c, "s1", "s2");
        }
        const int machines = 2 + below(std::max(1, m_options.machines - 1));
        for (int i = 0; i < machines; ++i) {
            Machine m{.key = "m" + std::to_string(i + 1), .name = chance(0.3) ? text() : ""};
            for (std::size_t r = 0; r < c.resourceNames.size(); ++r)
                m.capacity.setMicro(r, m_options.runnable ? 8 * ResourceVector::unit
                                                          : static_cast<std::int64_t>(m_random.below(100'000'000)));
            if (!c.devices.empty() && chance(0.5)) m.device = c.devices[m_random.below(2)].key;
            if (!c.racks.empty() && chance(0.7)) m.rack = c.racks[m_random.below(2)].key;
            if (chance(0.5)) straggler(m.straggler);
            if (chance(0.5)) m.position = Position{8.0 * below(100), 8.0 * below(100)};
            link(c, m.key, c.switches[m_random.below(c.switches.size())].key);
            c.machines.push_back(std::move(m));
        }
        if (chance(0.3)) c.localBandwidth = number(6, 10);
        if (chance(0.3)) c.storage = chance(0.5) ? "s1" : "m1";
    }

    void link(Cluster& c, const std::string& from, const std::string& to) {
        Link l{.key = from + "--" + to, .from = from, .to = to, .bandwidth = number(7, 10)};
        if (chance(0.2)) l.key = "link-" + std::to_string(c.links.size());
        l.latency.ns = chance(0.5) ? 0 : below(1'000'000);
        c.links.push_back(std::move(l));
    }

    ResourceVector demand(const Cluster& c) {
        ResourceVector out;
        for (std::size_t r = 0; r < c.resourceNames.size(); ++r)
            if (chance(0.7))
                out.setMicro(r, m_options.runnable ? ResourceVector::unit / 2
                                                   : static_cast<std::int64_t>(m_random.below(9'000'000)));
        return out;
    }

    LossEvaluation evaluation() { return {chance(0.5) ? 1 : 1 + below(50), chance(0.3)}; }

    TrainedWork trained() {
        TrainedWork w;
        if (m_options.runnable) {
            w.model = {"softmax", {}};
            w.dataset = {"iris", {}};
            w.optimizer = {"sgd", {{"learning_rate", 0.1}}};
        } else {
            w.model = choice("softmax");
            w.dataset = choice("iris");
            w.optimizer = choice("sgd");
            w.bytesPerParameter = number(0, 2);
            w.shards = static_cast<Shards>(below(3));
        }
        w.batch = 1 + below(64);
        w.secondsPerSample = number(-4, -2);
        w.secondsPerUpdate = chance(0.5) ? 0 : number(-5, -3);
        w.evaluation = evaluation();
        return w;
    }

    AnalyticWork analytic() {
        AnalyticWork w;
        w.samples = m_options.runnable ? 1000 + below(1000) : number(1, 9);
        w.parameterBytes = number(4, 7);
        w.batch = 1 + below(64);
        w.secondsPerSample = number(-4, -2);
        w.secondsPerUpdate = chance(0.5) ? 0 : number(-5, -3);
        w.curve.family = chance(0.5) ? LossCurve::Family::power : LossCurve::Family::geometric;
        w.curve.a = number(-1, 1);
        w.curve.b = m_random.unit();
        w.curve.c = chance(0.5) ? 0 : m_random.unit();
        w.curve.p = between(0.2, 2);
        w.evaluation = evaluation();
        return w;
    }

    GraphWork graph() {
        GraphWork w;
        const bool named = chance(0.5);
        const int operations = 2 + below(6);
        for (int i = 0; i < operations; ++i) {
            w.graph.operations.push_back({.name = named         ? "op" + std::to_string(i)
                                                  : chance(0.5) ? "same"
                                                                : "",
                                          .forwardSeconds = number(-3, -2),
                                          .backwardSeconds = number(-3, -2),
                                          .activationBytes = number(2, 6),
                                          .parameterBytes = number(2, 6)});
            if (i > 0)
                w.graph.dependencies.push_back(
                    {m_options.runnable ? static_cast<std::uint32_t>(below(i)) : 0u, static_cast<std::uint32_t>(i)});
        }
        w.steps = 1 + below(20);
        w.deadlineFraction = number(-1, 1);
        return w;
    }

    void laws(Job& j) {
        if (chance(0.3)) j.workersPerServer = 1 + below(4);
        if (chance(0.3)) j.restartSeconds = number(-2, 2);
        if (chance(0.3)) j.deadlineSeconds = number(0, 4);
        if (chance(0.3)) j.finalLoss = -number(-2, 2);
        if (chance(0.3)) j.lossFamily = static_cast<LossFamilyHint>(below(3));
        if (j.utility && chance(0.3)) j.utility->slotSeconds = number(0, 3);
        if (auto* trained = std::get_if<TrainedWork>(&j.work); trained && chance(0.5)) {
            trained->batchOf = BatchOf::job;
            trained->stepWithBatch = static_cast<StepWithBatch>(below(3));
        }
        auto* analytic = std::get_if<AnalyticWork>(&j.work);
        if (!analytic) return;
        if (chance(0.5)) analytic->batchOf = BatchOf::job;
        if (analytic->batchOf == BatchOf::job && chance(0.5)) analytic->noiseScale = number(0, 5);
        if (chance(0.3)) analytic->law = UpdateLaw{number(-3, 0), number(-2, 1), number(-4, -1)};
        if (chance(0.3)) analytic->rates = LocalityRates{number(1, 4), number(0, 3)};
        if (!chance(0.3)) return;
        analytic->curve.family = LossCurve::Family::recorded;
        analytic->curve.name = "measured";
    }

    Job job(const Cluster& c) {
        Job j;
        if (chance(0.3)) j.name = text();
        if (chance(0.3)) j.weight = number(-1, 2);
        j.workers.minimum = 1 + below(3);
        j.workers.maximum = j.workers.minimum + (chance(0.5) ? below(3) : 0);
        j.servers.minimum = below(3);
        j.servers.maximum = j.servers.minimum + (chance(0.3) ? below(2) : 0);
        j.workerDemand = demand(c);
        j.serverDemand = demand(c);
        work(j);
        if (j.kind() != JobKind::graph) {
            j.stop.iterations = 1 + below(30);
            if (chance(0.3)) j.stop.epochs = number(-1, 2);
            if (chance(0.3)) j.stop.loss = -number(-2, 2);
            if (chance(0.3)) j.stop.seconds = number(0, 3);
        }
        if (chance(0.3)) j.checkpoint.everyIterations = 1 + below(20);
        if (chance(0.3)) j.onFailure = FailureReaction::shrink;
        if (chance(0.3)) j.utility = Utility{number(0, 2), m_random.unit(), number(0, 3)};
        if (!m_options.runnable) laws(j);
        if (!m_options.runnable && chance(0.3)) j.synchronization = choice("async");
        if (!m_options.runnable && chance(0.3)) j.parameters = choice("static");
        return j;
    }

    void work(Job& j) {
        for (;;) {
            const int kind = below(3);
            if (kind == 0 && m_options.trained) {
                j.work = trained();
                return;
            }
            if (kind == 1 && m_options.analytic) {
                j.work = analytic();
                return;
            }
            if (kind == 2 && m_options.graph) {
                j.work = graph();
                return;
            }
        }
    }

    Choice choice(const std::string& id) {
        Choice out{id, {}};
        if (chance(0.3)) out.parameters["flag"] = chance(0.5);
        if (chance(0.3)) out.parameters["whole"] = static_cast<std::int64_t>(m_random.bits());
        if (chance(0.3)) out.parameters["real"] = chance(0.5) ? number(-8, 20) : std::floor(number(0, 6));
        if (chance(0.3)) out.parameters["word " + text()] = text();
        return out;
    }

    JobGenerator generator(const Cluster& c) {
        JobGenerator g{.key = "generated"};
        g.arrivals = static_cast<JobGenerator::Arrivals>(below(3));
        if (g.arrivals == JobGenerator::Arrivals::trace) {
            for (int i = below(4); i >= 0; --i) g.arrivalSeconds.push_back(number(-1, 2));
        } else {
            g.count = 1 + below(4);
            g.meanInterarrivalSeconds = number(-1, 2);
        }
        if (chance(0.5)) g.startSeconds = number(-1, 2);
        g.job = job(c);
        const bool isGraph = g.job.kind() == JobKind::graph;
        if (chance(0.5)) g.draws["workers"] = Distribution{.law = Law::uniform, .low = 1, .high = 3};
        if (!isGraph && chance(0.5)) g.draws["iterations"] = law(10);
        if (!isGraph && chance(0.3)) g.draws["batch"] = law(16);
        if (!isGraph && chance(0.2)) g.draws["epochs"] = law(2);
        if (!isGraph && chance(0.2)) g.draws["seconds_per_sample"] = law(0.001);
        if (g.job.kind() == JobKind::analytic && chance(0.3)) g.draws["samples"] = law(1000);
        if (g.job.kind() == JobKind::analytic && chance(0.3)) g.draws["parameter_bytes"] = law(1e6);
        if (chance(0.3)) others(g, c);
        return g;
    }

    void others(JobGenerator& g, const Cluster& c) {
        if (chance(0.5)) g.jobWeight = number(-1, 2);
        for (int i = below(3); i >= 0; --i) {
            JobTemplate other{.weight = chance(0.5) ? 1 : number(-1, 2), .job = job(c), .draws = {}};
            if (chance(0.3)) other.draws["weight"] = law(3);
            if (chance(0.3)) other.draws["deadline_s"] = law(50);
            if (other.job.utility && chance(0.5))
                for (const char* name : {"theta1", "theta2_per_s", "theta3_s"}) other.draws[name] = law(20);
            if (other.job.workersPerServer && chance(0.5)) other.draws["workers_per_server"] = law(2);
            const auto* analytic = std::get_if<AnalyticWork>(&other.job.work);
            if (analytic && analytic->rates && chance(0.5))
                for (const char* name : {"local_per_s", "remote_per_s"}) other.draws[name] = law(100);
            g.others.push_back(std::move(other));
        }
    }

    void faults(Scenario& s) {
        if (chance(0.3)) {
            Fault fault{.target = Fault::Target::machine, .key = "m1", .atSeconds = number(-1, 1)};
            if (chance(0.7) || m_options.runnable) fault.repairAfterSeconds = number(-1, 1);
            s.faults.push_back(fault);
        }
        if (chance(0.2))
            s.faults.push_back({.target = Fault::Target::link,
                                .key = s.cluster.links.back().key,
                                .atSeconds = number(-1, 1),
                                .repairAfterSeconds = 1.5});
        if (chance(0.2))
            s.faults.push_back({.target = Fault::Target::machine,
                                .repairAfterSeconds = number(-1, 1),
                                .meanSecondsBetween = number(1, 3)});
    }

    void choices(Scenario& s) {
        s.policies.scheduler = choice("drf");
        s.policies.synchronization = choice("ssp");
        for (int i = below(3); i > 0; --i)
            s.variants.push_back({"variant-" + std::to_string(i), chance(0.5) ? text() : "",
                                  static_cast<PolicyFamily>(below(4)), choice("fastest-k")});
        if (!m_options.runnable && chance(0.3)) s.curves = {{"measured", {0, 1, 5}, {3, number(-1, 0), -1}}};
        if (chance(0.3)) s.bookmarks = {{number(0, 3), text()}, {number(0, 3), ""}};
        if (chance(0.3)) s.expect = {{"makespan_s", number(0, 1), number(1, 3)}, {"mean_jct_s", -1, 0}};
    }

    RandomStream m_random;
    RandomScenarioOptions m_options;
};

inline Scenario randomScenario(std::uint64_t seed, const RandomScenarioOptions& options = {}) {
    return RandomScenarioMaker(seed, options).make();
}

} // namespace trainyard::test
