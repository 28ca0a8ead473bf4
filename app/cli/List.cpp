// trainyard-cli list FAMILY: what there is to choose from.
#include "Commands.h"
#include "policy/Registry.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

struct Options {
    std::string what;
    bool json = false;
};

void listPolicies(PolicyFamily family, bool asJson) {
    const Registry registry = Registry::builtin();
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const PolicyInfo* info : registry.list(family)) {
        if (!asJson) {
            std::cout << info->id << "\t" << info->summary << "\n";
            for (const auto& f : info->schema.fields())
                std::cout << "  " << f.key << "\t" << f.help << " (default " << toString(f.defaultValue) << ")\n";
            continue;
        }
        nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
        for (const auto& f : info->schema.fields())
            parameters.push_back({{"key", f.key}, {"label", f.label}, {"unit", f.unit}, {"minimum", f.minimum},
                                  {"maximum", f.maximum}, {"default", toString(f.defaultValue)}, {"help", f.help}});
        out.push_back({{"id", info->id}, {"label", info->label}, {"summary", info->summary}, {"source", info->source},
                       {"parameters", std::move(parameters)}});
    }
    if (asJson) std::cout << out.dump(2) << "\n";
}

} // namespace

void addList(CLI::App& app, int& status) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("list", "What there is to choose from");
    command->add_option("what", options->what, "scheduler, synchronization, parameters, partitioner")
        ->required()
        ->check(CLI::IsMember({"scheduler", "synchronization", "parameters", "partitioner"}));
    command->add_flag("--json", options->json, "One JSON array on standard output");
    command->callback([options, &status] {
        for (const auto family : {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                  PolicyFamily::partitioner})
            if (familyName(family) == options->what) listPolicies(family, options->json);
        status = 0;
    });
}

} // namespace trainyard::cli
