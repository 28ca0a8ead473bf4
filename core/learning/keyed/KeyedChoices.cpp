// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/KeyedChoices.h"

#include "learning/Choices.h"

namespace trainyard {

namespace {

const std::vector<KeyedModelEntry>& keyedModelEntries() {
    // clang-format off
    static const std::vector<KeyedModelEntry> entries{
        // One line per model.
        complexEntry(),
        wordVectorEntry(),
        factorizationEntry(),
    };
    // clang-format on
    return entries;
}

const std::vector<KeyedDataEntry>& keyedDataEntries() {
    // clang-format off
    static const std::vector<KeyedDataEntry> entries{
        // One line per source of data.
        plantedTriplesEntry(),
        plantedCorpusEntry(),
        plantedCellsEntry(),
    };
    // clang-format on
    return entries;
}

Problems at(const char* member, Problems problems) {
    for (Problem& problem : problems) problem.pointer = member + problem.pointer;
    return problems;
}

} // namespace

const std::vector<KeyedModelInfo>& keyedModels() {
    static const std::vector<KeyedModelInfo> infos = infosOf<KeyedModelInfo>(keyedModelEntries());
    return infos;
}

const std::vector<KeyedDataInfo>& keyedDataSets() {
    static const std::vector<KeyedDataInfo> infos = infosOf<KeyedDataInfo>(keyedDataEntries());
    return infos;
}

const KeyedModelInfo* findKeyedModel(const std::string& id) {
    for (const KeyedModelInfo& info : keyedModels())
        if (info.id == id) return &info;
    return nullptr;
}

Result<std::shared_ptr<const KeyedModel>> makeKeyedModel(const KeyedTask& task, std::uint64_t seed) {
    const auto model = findChoice(keyedModelEntries(), task.model,
                                  TRAINYARD_TEXT("there is no keyed model \"{0}\"; known are {1}"), "unknown-model");
    if (!model) return at("/keyed_model", model.problems());
    const auto data =
        findChoice(keyedDataEntries(), task.data,
                   TRAINYARD_TEXT("there are no data \"{0}\" for keyed models; known are {1}"), "unknown-data-set");
    if (!data) return at("/keyed_data", data.problems());
    const auto made = (*data)->make((*data)->info.schema.complete(task.data.parameters), seed);
    if (!made) return at("/keyed_data", made.problems());
    auto out = (*model)->make((*model)->info.schema.complete(task.model.parameters), *made, seed);
    if (!out)
        return Problem{.code = "unusable-data",
                       .message = {TRAINYARD_TEXT("the model \"{0}\" needs {1}, not \"{2}\""),
                                   {task.model.id, (*model)->info.needs, task.data.id}},
                       .pointer = "/keyed_data/id"};
    return {std::move(out)};
}

} // namespace trainyard
