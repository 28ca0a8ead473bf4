// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "studies/pacml/PacmlGraphSets.h"

#include "planning/graphs/ShippedGraphs.h"
#include "run/import/PipeDreamProfile.h"

#include <algorithm>

namespace trainyard::study {

namespace pacml_graph_sets {

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

} // namespace pacml_graph_sets

using namespace pacml_graph_sets;

Result<std::vector<PacmlGraphSet>> pacmlGraphSets(const StudyRequest& request, bool onProfiles) {
    std::vector<PacmlGraphSet> out;
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

GraphPricer PacmlGraphSet::pricer(const GraphSetting& setting) const {
    PacmlGraphs timed;
    for (const auto& graph : graphs) {
        ComputationGraph copy = *graph;
        for (Operation& op : copy.operations) {
            op.forwardSeconds *= setting.timeScale;
            op.backwardSeconds *= setting.timeScale;
        }
        timed.graphs.push_back(std::make_shared<const ComputationGraph>(std::move(copy)));
    }
    return pacmlPricer(timed, setting);
}

} // namespace trainyard::study
