// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a trained job can be made of, and what it looks like: the models, data sets and optimizers there are,
// with their parameters, and the first rows of a data set. For the forms of the window, which do not see
// learning/.
#include "base/Distribution.h"
#include "learning/DataSet.h"

#include <string_view>

namespace trainyard {

struct TrainingChoice {
    std::string id, label, summary;
    std::string formula; ///< of models: the loss, as text
    ParamSchema schema;
};

/// By the key of the job's member: "model", "dataset", "optimizer", "keyed_model", "keyed_data"; empty for others.
std::vector<TrainingChoice> trainingChoices(std::string_view key);

/// Mean of the fastest, the second fastest … the slowest of n independent draws; infinite where the law has
/// none.
std::vector<double> expectedOrder(const Distribution& law, int n);

struct DataSample {
    Problems problems;    ///< of the data set: nothing else is known then
    std::size_t rows = 0; ///< 0: a stream
    std::size_t features = 0, users = 0;
    int classes = 0;
    std::size_t modelParameters = 0, messageSize = 0; ///< numbers; 0: the model does not fit the data
    Problems modelProblems;
    Batch first; ///< rows; of a stream, the first drawn with the seed
};
/// Loads the data set: not on the window's thread.
DataSample sampleData(const Choice& dataset, const Choice& model, std::uint64_t seed, const ResourcePaths& paths,
                      std::size_t mostRows);

} // namespace trainyard
