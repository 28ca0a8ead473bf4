// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/KeyedChoices.h"

#include "base/Format.h"
#include "base/Memory.h"
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
        triplesFileEntry(),
        textFileEntry(),
        cellsFileEntry(),
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

namespace {

/// A model and data that suit it, with parameters that are in range.
struct Matched {
    const KeyedModelEntry& model;
    const KeyedDataEntry& data;
    KeyedTaskSize size;
};

Result<Matched> matched(const KeyedTask& task) {
    const auto model = findChoice(keyedModelEntries(), task.model,
                                  TRAINYARD_TEXT("there is no keyed model \"{0}\"; known are {1}"), "unknown-model");
    if (!model) return at("/keyed_model", model.problems());
    const auto data =
        findChoice(keyedDataEntries(), task.data,
                   TRAINYARD_TEXT("there are no data \"{0}\" for keyed models; known are {1}"), "unknown-data-set");
    if (!data) return at("/keyed_data", data.problems());
    if ((*model)->info.dataKind != (*data)->info.dataKind)
        return Problem{.code = "unusable-data",
                       .message = {TRAINYARD_TEXT("the model \"{0}\" needs {1}, not \"{2}\""),
                                   {task.model.id, (*model)->info.needs, task.data.id}},
                       .pointer = "/keyed_data/id"};
    const auto ofData = (*data)->sizeOf((*data)->info.schema.complete(task.data.parameters));
    if (!ofData) return at("/keyed_data", ofData.problems());
    const KeyedTaskSize size = (*model)->sizeOf((*model)->info.schema.complete(task.model.parameters), *ofData);
    return Matched{**model, **data, size};
}

} // namespace

Result<KeyedTaskSize> sizeOfKeyedTask(const KeyedTask& task) {
    const auto both = matched(task);
    if (!both) return both.problems();
    return both->size;
}

Result<std::shared_ptr<const KeyedModel>> makeKeyedModel(const KeyedTask& task, std::uint64_t seed,
                                                         const std::stop_token& stop) {
    const auto both = matched(task);
    if (!both) return both.problems();
    const KeyedTaskSize& size = both->size;
    if (size.keys > static_cast<double>(KeyedAccess::mostKeys))
        return Problem{
            .code = "too-many-keys",
            .message = {TRAINYARD_TEXT("the model would have {0} keys; {1} are possible"),
                        {formatNumber(size.keys, 15), formatNumber(static_cast<double>(KeyedAccess::mostKeys), 15)}},
            .pointer = "/keyed_data/parameters"};
    if (const double bytes = size.bytes + 4 * size.keys * size.valuesPerKey; bytes > memoryOfMachine())
        return Problem{.code = "beyond-memory",
                       .message = {TRAINYARD_TEXT("data and model take {0} GB; this machine has {1} GB of memory"),
                                   {formatNumber(bytes * 1e-9, 3), formatNumber(memoryOfMachine() * 1e-9, 3)}},
                       .pointer = "/keyed_data/parameters"};
    const auto made = both->data.make(both->data.info.schema.complete(task.data.parameters), seed, stop);
    if (!made) return at("/keyed_data", made.problems());
    auto out = both->model.make(both->model.info.schema.complete(task.model.parameters), *made, seed);
    require(out != nullptr, "a keyed model refused data of its kind");
    if (out->examples() == 0)
        return Problem{.code = "no-examples",
                       .message = {TRAINYARD_TEXT("these data give the model no example to train on"), {}},
                       .pointer = "/keyed_data/parameters"};
    return {std::move(out)};
}

std::vector<std::string> keyedDataFiles(const KeyedTask& task) {
    std::vector<std::string> out;
    for (const KeyedDataInfo& info : keyedDataSets()) {
        if (info.id != task.data.id || hasErrors(info.schema.check(task.data.parameters))) continue;
        const ParamValues values = info.schema.complete(task.data.parameters);
        for (const ParamField& field : info.schema.fields())
            if (field.type == ParamType::file) out.push_back(std::get<std::string>(values.at(field.key)));
    }
    return out;
}

} // namespace trainyard
