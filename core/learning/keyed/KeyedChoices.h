// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The keyed models and data that a scenario can name. A model, or a generator of data, is one file and one line in KeyedChoices.cpp.
#include "learning/DataSet.h"
#include "learning/keyed/Cells.h"
#include "learning/keyed/Corpus.h"
#include "learning/keyed/KeyedModel.h"
#include "learning/keyed/Triples.h"
#include "model/KeyedTask.h"

#include <variant>

namespace trainyard {

/// What a model is trained on, one of the kinds that there are.
using SharedKeyedData =
    std::variant<std::shared_ptr<const Triples>, std::shared_ptr<const Corpus>, std::shared_ptr<const KnownCells>>;

struct QualityInfo {
    std::string id, label; ///< id: as in Quality::name
    bool moreIsBetter = true;
};

struct KeyedModelInfo {
    std::string id, label, summary;
    std::string formula; ///< the loss, as text
    std::string needs;   ///< kind of data, in words
    std::vector<QualityInfo> qualities;
    ParamSchema schema;
};

struct KeyedDataInfo {
    std::string id, label, summary;
    ParamSchema schema;
};

const std::vector<KeyedModelInfo>& keyedModels();
const std::vector<KeyedDataInfo>& keyedDataSets();
/// Null: there is none of this id.
const KeyedModelInfo* findKeyedModel(const std::string& id);

/// Pointers of problems are relative to the task: "/keyed_model/id", "/keyed_data/parameters/entities". Data and initial values depend on
/// the seed alone.
Result<std::shared_ptr<const KeyedModel>> makeKeyedModel(const KeyedTask& task, std::uint64_t seed);

// --- For the files of models and data

struct KeyedModelEntry {
    KeyedModelInfo info;
    /// Null: it needs another kind of data.
    std::function<std::shared_ptr<const KeyedModel>(const ParamValues&, const SharedKeyedData&, std::uint64_t seed)>
        make;
};

struct KeyedDataEntry {
    KeyedDataInfo info;
    std::function<Result<SharedKeyedData>(const ParamValues&, std::uint64_t seed)> make;
};

/// make: (shared data, Settings) → model.
template <class Settings, class Data, class Make, class... T>
KeyedModelEntry keyedModelEntry(KeyedModelInfo info, Make make, BoundField<Settings, T>... fields) {
    auto bound = bindSchema<Settings>(std::move(fields)...);
    info.schema = bound.schema;
    return {std::move(info),
            [read = bound.read, make](const ParamValues& values, const SharedKeyedData& data,
                                      std::uint64_t seed) -> std::shared_ptr<const KeyedModel> {
                const auto* mine = std::get_if<std::shared_ptr<const Data>>(&data);
                if (!mine) return nullptr;
                Settings settings = read(values);
                settings.seed = seed;
                return make(*mine, settings);
            }};
}

/// make: (Shape, seed) → Triples, Corpus or Cells.
template <class Shape, class Make, class... T>
KeyedDataEntry keyedDataEntry(KeyedDataInfo info, Make make, BoundField<Shape, T>... fields) {
    auto bound = bindSchema<Shape>(std::move(fields)...);
    info.schema = bound.schema;
    return {std::move(info), [read = bound.read, make](const ParamValues& values, std::uint64_t seed) {
                using Data = decltype(make(Shape{}, seed));
                return Result<SharedKeyedData>(SharedKeyedData(std::make_shared<const Data>(make(read(values), seed))));
            }};
}

KeyedModelEntry complexEntry();
KeyedModelEntry wordVectorEntry();
KeyedModelEntry factorizationEntry();

KeyedDataEntry plantedTriplesEntry();
KeyedDataEntry plantedCorpusEntry();
KeyedDataEntry plantedCellsEntry();

} // namespace trainyard
