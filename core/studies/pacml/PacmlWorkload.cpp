// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pacml/PacmlWorkload.h"

#include "base/Parallel.h"
#include "planning/graphs/ShippedGraphs.h"
#include "run/import/PipeDreamProfile.h"

#include <algorithm>
#include <numeric>

namespace trainyard::study {

namespace {

constexpr std::array<const char*, 5> publishedGraphs{"alexnet", "gnmt", "resnet18", "squeezenet1_0", "vgg16"};

std::vector<std::filesystem::path> profilesIn(const std::filesystem::path& directory, bool& published) {
    std::vector<std::filesystem::path> out;
    std::error_code ignored;
    for (const char* name : publishedGraphs)
        if (std::filesystem::path file = directory / (std::string(name) + ".txt");
            std::filesystem::exists(file, ignored))
            out.push_back(file);
    published = out.size() == publishedGraphs.size();
    if (published) return out;
    out.clear();
    for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
        if (entry.path().extension() == ".txt" && entry.path().filename() != "LICENSE.txt") out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace

Result<PacmlGraphs> pacmlGraphs(const StudyRequest& request, const GraphSetting& setting) {
    const auto given = request.options.find("graphs");
    PacmlGraphs out;
    if (given == request.options.end()) { // those that ship, as many as the published five
        for (const char* id : {"alexnet", "gnmt", "resnet18", "squeezenet", "vgg16"}) {
            ComputationGraph graph = shippedGraph(*findShippedGraph(id));
            for (Operation& op : graph.operations) {
                op.forwardSeconds *= setting.timeScale;
                op.backwardSeconds *= setting.timeScale;
            }
            out.graphs.push_back(std::make_shared<const ComputationGraph>(std::move(graph)));
        }
        return out;
    }
    const auto files = profilesIn(given->second, out.published);
    if (files.empty())
        return Problem{.code = "no-graphs",
                       .message = {TRAINYARD_TEXT("there are no profiles, *.txt, in {0}"), {given->second}}};
    for (const auto& file : files) {
        auto graph = readPipeDreamProfile(file, setting.timeScale);
        if (!graph) return graph.problems();
        out.graphs.push_back(std::make_shared<const ComputationGraph>(std::move(*graph)));
    }
    return out;
}

Result<std::array<DiscreteLaw, 4>> pacmlLawTables(const StudyRequest& request) {
    std::array<DiscreteLaw, 4> out;
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::string name = std::string("beta-") + static_cast<char>(pacmlLaws[i] - 'A' + 'a') + ".csv";
        auto law = readDiscreteLaw(request.resources.root / "laws" / name);
        if (!law) return law.problems();
        out[i] = std::move(*law);
    }
    return out;
}

GraphPricer pacmlPricer(const PacmlGraphs& graphs, const GraphSetting& setting) {
    GraphPricer pricer({}, setting);
    for (const auto& graph : graphs.graphs) pricer.add(graph, pacmlSteps);
    return pricer;
}

PacmlChooser chooserOf(const DegreeRule& rule, std::uint64_t seed) {
    return [rule, seed](GraphPricer& pricer, const LossSystem& system, const GraphArrival& job, std::uint32_t number) {
        RandomStream random(seed, Purpose::policy, 3, number);
        return chosenOption(rule, pricer, system, job.graph, job.beta, random);
    };
}

std::size_t PacmlPlay::served() const {
    return arrived - std::accumulate(blocked.begin(), blocked.end(), std::size_t{0});
}

double PacmlPlay::share(BlockedReason reason) const {
    return static_cast<double>(blocked[static_cast<std::size_t>(reason)]) / static_cast<double>(arrived);
}

double PacmlPlay::blocking(bool inFlight) const {
    const double all = 1 - static_cast<double>(served()) / static_cast<double>(arrived);
    return inFlight ? all : all - share(BlockedReason::inFlight);
}

PacmlPlay played(GraphPricer& pricer, const std::vector<GraphArrival>& arrivals, double end,
                 const PacmlChooser& choose) {
    PacmlPlay out{.arrived = arrivals.size()};
    LossSystem system;
    std::vector<GraphOption> options;
    pricer.forget();
    std::uint32_t number = 0;
    for (const GraphArrival& job : arrivals) {
        system.advance(job.seconds);
        const auto chosen = choose(pricer, system, job, number++);
        BlockedReason reason = BlockedReason::inFlight;
        if (!chosen || chosen->state != OptionState::inTime) {
            const double deadline = job.beta * pricer.sequentialSeconds(job.graph);
            pricer.priceAll(job.graph, deadline, system.occupied(), options, system.ending());
            reason = pricer.reasonOf(job.graph, deadline, options);
        } else {
            system.place(chosen->servers, job.seconds + chosen->seconds);
            if (job.seconds + chosen->seconds <= end) {
                out.degrees += chosen->degree;
                out.speedUps += pricer.sequentialSeconds(job.graph) / chosen->seconds;
                continue;
            }
        }
        ++out.blocked[static_cast<std::size_t>(reason)];
    }
    return out;
}

std::vector<PacmlPlay> playedOver(const StudyRequest& request, const GraphPricer& pricer, const GraphWorkload& workload,
                                  std::size_t arrivals, std::uint64_t firstSeed, std::size_t seeds,
                                  const std::function<PacmlChooser(std::uint64_t seed)>& chooser) {
    std::vector<PacmlPlay> out(seeds);
    Parallel(request.threads).forEach(seeds, [&](std::size_t i) {
        if (request.stop.stop_requested()) return;
        GraphPricer own = pricer;
        const auto drawn = drawArrivals(workload, arrivals, firstSeed + i);
        out[i] =
            played(own, drawn, std::max(drawn.back().seconds, static_cast<double>(arrivals - 1) * workload.gapSeconds),
                   chooser(firstSeed + i));
    });
    return out;
}

double meanBlocking(const std::vector<PacmlPlay>& plays, bool inFlight) {
    double sum = 0;
    for (const PacmlPlay& p : plays) sum += p.blocking(inFlight);
    return sum / static_cast<double>(plays.size());
}

std::string nameOf(const DegreeRule& rule) {
    switch (rule.kind) {
    case DegreeRule::Kind::constant: return "constant " + std::to_string(rule.degree);
    case DegreeRule::Kind::max: return "max";
    case DegreeRule::Kind::random: return "random";
    case DegreeRule::Kind::acceptableJct: return "acceptable-jct";
    case DegreeRule::Kind::floor: return "floor " + std::to_string(rule.degree);
    }
    return {};
}

} // namespace trainyard::study
