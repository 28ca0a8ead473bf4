// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// reproduce pacml --lookahead FILE: one profile at one degree on the empty cluster.
#include "base/Format.h"
#include "run/import/PipeDreamProfile.h"
#include "studies/pacml/PacmlStudy.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard::study {

namespace pacml_lookahead {

/// Of all degrees that the network has servers for.
constexpr int mostDegree = OpticalNetwork::mostServers;

Text whyRefused(const GraphPricer& pricer, std::size_t degree) {
    const auto split = pricer.split(0, degree);
    if (!split) return {TRAINYARD_TEXT("the split graph is too large to be looked ahead"), {}};
    for (const int parts : split->sizes())
        if (pricer.blocks().blocks(parts).empty())
            return {
                TRAINYARD_TEXT("some operation would have {0} parts, and no block of the network has as many servers"),
                {std::to_string(parts)}};
    return {TRAINYARD_TEXT("some operation needs more memory than any block of its size has"), {}};
}

Text whyNoDegree(const GraphPricer& pricer, int degree) {
    const int servers = pricer.blocks().network().serverCount();
    if (degree > servers)
        return {TRAINYARD_TEXT("degree {0} is more than the {1} servers of the cluster"),
                {std::to_string(degree), std::to_string(servers)}};
    if (degree > 1 && degree % 2 == 1)
        return {TRAINYARD_TEXT("degree {0} is odd; operations are split into 1 or an even number of parts"),
                {std::to_string(degree)}};
    return {TRAINYARD_TEXT("no block of the network has {0} servers"), {std::to_string(degree)}};
}

nlohmann::ordered_json looked(const ComputationGraph& graph, int degree, const GraphSetting& setting) {
    GraphPricer pricer({}, setting, mostDegree);
    pricer.add(std::make_shared<const ComputationGraph>(graph), pacmlSteps);
    const auto& degrees = pricer.degrees();
    const auto at = static_cast<std::size_t>(std::find(degrees.begin(), degrees.end(), degree) - degrees.begin());
    if (at == degrees.size()) return {{"refused", whyNoDegree(pricer, degree).english()}};
    const GraphOption option = pricer.price(0, at, pricer.sequentialSeconds(0), 0);
    if (!option.placeable()) return {{"refused", whyRefused(pricer, at).english()}};
    const auto split = pricer.split(0, at);
    const StepTimes times = lookAhead(*split, pricer.placement(0, at, 0), pricer.blocks().network(), setting);
    return {{"jct_s", option.seconds},
            {"sequential_jct_s", pricer.sequentialSeconds(0)},
            {"nodes", split->partCount()},
            {"edges", split->dependencyCount()},
            {"communication_s", pacmlSteps * times.communicationSeconds},
            {"servers", std::popcount(option.servers)}};
}

} // namespace pacml_lookahead

Result<std::string> pacmlLookahead(const StudyRequest& request, const std::filesystem::path& profile) {
    const auto valueOf = [&](const char* name) {
        const auto it = request.options.find(name);
        return it == request.options.end() ? std::string() : it->second;
    };
    const std::string setting = valueOf("setting");
    const auto degree = parseNumber(valueOf("degree"));
    if (!degree || !(*degree >= 1) || *degree > 1e6 || *degree != static_cast<int>(*degree))
        return Problem{.code = "bad-usage",
                       .message = {TRAINYARD_TEXT("--lookahead needs --degree D, a whole number from 1 on"), {}}};
    const GraphSetting rules = setting == "faithful" ? GraphSetting::faithful() : GraphSetting::corrected();
    const auto graph = readPipeDreamProfile(profile, rules.timeScale);
    if (!graph) return graph.problems();
    return pacml_lookahead::looked(*graph, static_cast<int>(*degree), rules).dump(2);
}

} // namespace trainyard::study
