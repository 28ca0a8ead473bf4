// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/TrainingChoices.h"

#include "learning/Model.h"
#include "learning/keyed/KeyedChoices.h"
#include "planning/OrderStatistics.h"

#include <algorithm>

namespace trainyard {

std::vector<TrainingChoice> trainingChoices(std::string_view key) {
    std::vector<TrainingChoice> entries;
    const auto add = [&](const auto& info, const std::string& formula = {}) {
        entries.push_back({info.id, info.label, info.summary, formula, info.schema});
    };
    if (key == "model")
        for (const ModelInfo& info : models()) add(info, info.formula);
    if (key == "dataset")
        for (const DataSetInfo& info : dataSets()) add(info);
    if (key == "optimizer")
        for (const OptimizerInfo& info : optimizers()) add(info);
    if (key == "keyed_model")
        for (const KeyedModelInfo& info : keyedModels()) add(info, info.formula);
    if (key == "keyed_data")
        for (const KeyedDataInfo& info : keyedDataSets()) add(info);
    return entries;
}

std::vector<double> expectedOrder(const Distribution& law, int n) {
    return orderStatisticMeans(ResponseLaw({.law = Law::constant, .value = 0}, law), n);
}

DataSample sampleData(const Choice& dataset, const Choice& model, std::uint64_t seed, const ResourcePaths& paths,
                      std::size_t mostRows) {
    DataSample sample;
    const auto data = loadDataSet(dataset, seed, paths);
    if (!data.ok()) {
        sample.problems = data.problems();
        return sample;
    }
    const DataSet& set = **data;
    sample.rows = set.rows();
    sample.features = set.features();
    sample.users = set.users();
    sample.classes = set.classes();
    if (const auto made = makeModel(model, set); made.ok()) {
        sample.modelParameters = (*made)->parameterCount();
        sample.messageSize = (*made)->messageSize();
    } else if (!model.id.empty()) {
        sample.modelProblems = made.problems();
    }
    if (set.rows() == 0) {
        RandomStream random(seed, Purpose::jobShape, 0, 0);
        set.draw(random, mostRows, sample.first);
        return sample;
    }
    std::vector<std::uint32_t> rows;
    for (std::size_t i = 0; i < std::min(set.rows(), mostRows); ++i) rows.push_back(static_cast<std::uint32_t>(i));
    set.gather(rows, sample.first);
    return sample;
}

} // namespace trainyard
