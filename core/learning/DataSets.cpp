// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/Choices.h"
#include "learning/data/DataEntry.h"

#include <cstdlib>

namespace trainyard {

namespace {

const std::vector<DataEntry>& dataEntries() {
    static const std::vector<DataEntry> entries = [] {
        std::vector<DataEntry> list = storedFileEntries();
        list.push_back(fashionMnistEntry());
        for (auto& entry : syntheticEntries()) list.push_back(std::move(entry));
        list.push_back(gaussianStreamEntry());
        return list;
    }();
    return entries;
}

} // namespace

ResourcePaths ResourcePaths::find(const std::filesystem::path& executable) {
    if (const char* set = std::getenv("TRAINYARD_RESOURCES"); set && *set) return {set};
    std::error_code ignored;
    auto resolved = std::filesystem::weakly_canonical(executable, ignored);
    const auto beside = (resolved.empty() ? executable : resolved).parent_path();
    const std::vector<std::filesystem::path> candidates{
        beside / "../share/trainyard/resources", // installed
        beside / "../../../resources",           // build/PRESET/bin in the source tree
        beside / "../resources",
        TRAINYARD_RESOURCE_PREFIX,
    };
    for (const auto& candidate : candidates)
        if (std::filesystem::is_directory(candidate / "data", ignored)) return {candidate.lexically_normal()};
    return {candidates.front().lexically_normal()};
}

const std::vector<DataSetInfo>& dataSets() {
    static const std::vector<DataSetInfo> infos = infosOf<DataSetInfo>(dataEntries());
    return infos;
}

Problem nothingToSort(const std::string& stream) {
    return {.code = "unusable-shards",
            .message = {TRAINYARD_TEXT("\"{0}\" has no rows to sort, since it is an endless stream; choose "
                                       "\"shuffled\", or another data set"),
                        {stream}},
            .pointer = "/shards"};
}

Result<std::shared_ptr<const DataSet>> loadDataSet(const Choice& choice, std::uint64_t seed, const ResourcePaths& paths,
                                                   const std::stop_token& stop) {
    const auto found = findChoice(dataEntries(), choice, TRAINYARD_TEXT("there is no data set \"{0}\"; known are {1}"),
                                  "unknown-data-set");
    if (!found) return found.problems();
    return (*found)->load((*found)->info.schema.complete(choice.parameters), seed, paths, stop);
}

Result<std::shared_ptr<const DataSet>> DataSetCache::load(const Choice& choice, std::uint64_t seed,
                                                          const ResourcePaths& paths, const std::stop_token& stop) {
    std::string key = std::to_string(seed) + " " + paths.root.string() + " " + choice.id;
    for (const auto& [name, value] : choice.parameters) key += " " + name + "=" + toString(value);
    if (const auto it = m_loaded.find(key); it != m_loaded.end()) return it->second;
    auto loaded = loadDataSet(choice, seed, paths, stop);
    if (loaded) m_loaded.emplace(std::move(key), *loaded);
    return loaded;
}

} // namespace trainyard
