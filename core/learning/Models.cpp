// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/Model.h"

#include "learning/Choices.h"
#include "learning/models/ModelEntry.h"

namespace trainyard {

namespace {

const std::vector<ModelEntry>& modelEntries() {
    // clang-format off
    static const std::vector<ModelEntry> entries{
        // One line per model.
        linearRegressionEntry(),
        ridgeEntry(),
        lassoEntry(),
        logisticRegressionEntry(),
        softmaxEntry(),
        linearSvmEntry(),
        polynomialSvmEntry(),
        boostedTreesEntry(),
        kMeansEntry(),
        gaussianMixtureEntry(),
        matrixFactorizationEntry(),
        mlpEntry(),
        topicModelEntry(),
    };
    // clang-format on
    return entries;
}

/// Why the model cannot use the data, apart from what its own maker finds.
std::optional<Problem> unusableData(const ModelInfo& model, const DataSet& data) {
    if ((data.users() > 0) != model.needsRatings)
        return Problem{
            .code = "unusable-data",
            .message = {model.needsRatings
                            ? TRAINYARD_TEXT(
                                  "the model \"{0}\" needs ratings (users × items); choose a data set of ratings")
                            : TRAINYARD_TEXT("the data set holds ratings, which only matrix factorization can use, "
                                             "not \"{0}\""),
                        {model.id}},
            .pointer = "/id"};
    if (model.needsClasses && data.classes() < 2)
        return Problem{.code = "unusable-data",
                       .message = {TRAINYARD_TEXT("the model \"{0}\" needs a data set with at least two "
                                                  "classes; this one is for regression"),
                                   {model.id}},
                       .pointer = "/id"};
    return std::nullopt;
}

} // namespace

const std::vector<ModelInfo>& models() {
    static const std::vector<ModelInfo> infos = infosOf<ModelInfo>(modelEntries());
    return infos;
}

Result<std::shared_ptr<const Model>> makeModel(const Choice& choice, const DataSet& data) {
    const auto found =
        findChoice(modelEntries(), choice, TRAINYARD_TEXT("there is no model \"{0}\"; known are {1}"), "unknown-model");
    if (!found) return found.problems();
    const ModelEntry& entry = **found;
    if (auto problem = unusableData(entry.info, data)) return *problem;
    return entry.make(entry.info.schema.complete(choice.parameters), data);
}

} // namespace trainyard
