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

#include <stop_token>
#include <variant>

namespace trainyard {

/// What a model is trained on, one of the kinds that there are.
using SharedKeyedData =
    std::variant<std::shared_ptr<const Triples>, std::shared_ptr<const Corpus>, std::shared_ptr<const KnownCells>>;

struct QualityInfo {
    std::string id, label; ///< id: as in Quality::name
    bool moreIsBetter = true;
};

/// How large data are, told from their parameters, before anything is made.
struct KeyedDataSize {
    double bytes = 0;    ///< while they are made
    double names = 0;    ///< entities and relations; words; rows and columns
    double examples = 0; ///< facts; words of the text; cells
};

struct KeyedTaskSize {
    double keys = 0, valuesPerKey = 0;
    double bytes = 0; ///< of data and model, without the values of keys
};

struct KeyedModelInfo {
    std::string id, label, summary;
    std::string formula;      ///< the loss, as text
    std::string needs;        ///< kind of data, in words
    std::size_t dataKind = 0; ///< the same, as a place in SharedKeyedData
    std::vector<QualityInfo> qualities;
    ParamSchema schema;
};

struct KeyedDataInfo {
    std::string id, label, summary;
    std::size_t dataKind = 0; ///< a place in SharedKeyedData
    ParamSchema schema;
};

const std::vector<KeyedModelInfo>& keyedModels();
const std::vector<KeyedDataInfo>& keyedDataSets();
/// Null: there is none of this id.
const KeyedModelInfo* findKeyedModel(const std::string& id);

/// Pointers of problems are relative to the task: "/keyed_model/id", "/keyed_data/parameters/entities".
Result<KeyedTaskSize> sizeOfKeyedTask(const KeyedTask& task);
/// Data and initial values depend on the seed alone. What does not fit into this machine's memory is refused before it is made. May
/// throw Stopped (base/Stopped.h).
Result<std::shared_ptr<const KeyedModel>> makeKeyedModel(const KeyedTask& task, std::uint64_t seed,
                                                         const std::stop_token& stop = {});

/// The files that its data are read from; none where they are made.
std::vector<std::string> keyedDataFiles(const KeyedTask& task);

// --- For the files of models and data

struct KeyedModelEntry {
    KeyedModelInfo info;
    std::function<KeyedTaskSize(const ParamValues&, const KeyedDataSize&)> sizeOf;
    /// Null: it needs another kind of data.
    std::function<std::shared_ptr<const KeyedModel>(const ParamValues&, const SharedKeyedData&, std::uint64_t seed)>
        make;
};

struct KeyedDataEntry {
    KeyedDataInfo info;
    std::function<Result<KeyedDataSize>(const ParamValues&)> sizeOf;
    std::function<Result<SharedKeyedData>(const ParamValues&, std::uint64_t seed, const std::stop_token&)> make;
};

template <class Data>
std::size_t keyedDataKind() {
    return SharedKeyedData(std::shared_ptr<const Data>()).index();
}

/// make: (shared data, Settings) → model. size: (Settings, KeyedDataSize) → KeyedTaskSize.
template <class Settings, class Data, class Make, class Size, class... T>
KeyedModelEntry keyedModelEntry(KeyedModelInfo info, Make make, Size size, BoundField<Settings, T>... fields) {
    auto bound = bindSchema<Settings>(std::move(fields)...);
    info.schema = bound.schema;
    info.dataKind = keyedDataKind<Data>();
    return {std::move(info),
            [read = bound.read, size](const ParamValues& values, const KeyedDataSize& data) {
                return size(read(values), data);
            },
            [read = bound.read, make](const ParamValues& values, const SharedKeyedData& data,
                                      std::uint64_t seed) -> std::shared_ptr<const KeyedModel> {
                const auto* mine = std::get_if<std::shared_ptr<const Data>>(&data);
                if (!mine) return nullptr;
                Settings settings = read(values);
                settings.seed = seed;
                return make(*mine, settings);
            }};
}

/// make: (Shape, seed, stop) → Triples, Corpus or Cells. size: Shape → Result<KeyedDataSize>.
template <class Shape, class Make, class Size, class... T>
KeyedDataEntry keyedDataEntry(KeyedDataInfo info, Make make, Size size, BoundField<Shape, T>... fields) {
    using Data = decltype(make(Shape{}, std::uint64_t{}, std::stop_token()));
    auto bound = bindSchema<Shape>(std::move(fields)...);
    info.schema = bound.schema;
    info.dataKind = keyedDataKind<Data>();
    return {
        std::move(info),
        [read = bound.read, size](const ParamValues& values) -> Result<KeyedDataSize> { return size(read(values)); },
        [read = bound.read, make](const ParamValues& values, std::uint64_t seed, const std::stop_token& stop) {
            return Result<SharedKeyedData>(
                SharedKeyedData(std::make_shared<const Data>(make(read(values), seed, stop))));
        }};
}

KeyedModelEntry complexEntry();
KeyedModelEntry wordVectorEntry();
KeyedModelEntry factorizationEntry();

KeyedDataEntry plantedTriplesEntry();
KeyedDataEntry plantedCorpusEntry();
KeyedDataEntry plantedCellsEntry();
KeyedDataEntry triplesFileEntry();
KeyedDataEntry textFileEntry();
KeyedDataEntry cellsFileEntry();

} // namespace trainyard
