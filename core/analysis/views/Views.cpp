// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "analysis/RunIndex.h"
#include "analysis/View.h"
#include "analysis/views/ViewParts.h"

#include "base/Format.h"

#include <algorithm>
#include <cmath>

// One line per view, in the order in which they are offered; each is a function of that name in a file of its
// own.
#define TRAINYARD_VIEWS(VIEW)                                                                                          \
    VIEW(iterationView)                                                                                                \
    VIEW(ratesView)                                                                                                    \
    VIEW(kAndLoadView)                                                                                                 \
    VIEW(updatesPerSecondView)                                                                                         \
    VIEW(tradeOffView)                                                                                                 \
    VIEW(responseTimesView)                                                                                            \
    VIEW(bestKView)                                                                                                    \
    VIEW(stalenessView)                                                                                                \
    VIEW(participationView)                                                                                            \
    VIEW(schedulesView)                                                                                                \
    VIEW(reservationsView)                                                                                             \
    VIEW(pricesView)                                                                                                   \
    VIEW(collectedUtilityView)                                                                                         \
    VIEW(predictedLossView)                                                                                            \
    VIEW(marginalGainsView)                                                                                            \
    VIEW(workersByJobView)                                                                                             \
    VIEW(meanQualityView)                                                                                              \
    VIEW(timeToQualityView)                                                                                            \
    VIEW(lossGroupView)                                                                                                \
    VIEW(keyMapView)                                                                                                   \
    VIEW(keyMessagesView)                                                                                              \
    VIEW(keyAccessesView)                                                                                              \
    VIEW(keyLoadView)                                                                                                  \
    VIEW(keyRelocationView)                                                                                            \
    VIEW(keyTechniquesView)                                                                                            \
    VIEW(copyAgesView)                                                                                                 \
    VIEW(sampleDispersionView)                                                                                         \
    VIEW(modelQualityView)                                                                                             \
    VIEW(admissionsView)                                                                                               \
    VIEW(freeBlocksView)                                                                                               \
    VIEW(rampGridView)                                                                                                 \
    VIEW(degreeOptionsView)                                                                                            \
    VIEW(degreeValuesView)                                                                                             \
    VIEW(stepTimelineView)                                                                                             \
    VIEW(operationGraphView)                                                                                           \
    VIEW(notedView)                                                                                                    \
    VIEW(lossView)                                                                                                     \
    VIEW(utilizationView)                                                                                              \
    VIEW(queueView)                                                                                                    \
    VIEW(workersView)                                                                                                  \
    VIEW(machineView)                                                                                                  \
    VIEW(linkView)                                                                                                     \
    VIEW(metricView)                                                                                                   \
    VIEW(jobsView)                                                                                                     \
    VIEW(metricsView)

namespace trainyard {

#define VIEW(name) View name();
TRAINYARD_VIEWS(VIEW)
#undef VIEW

const std::vector<View>& views() {
#define VIEW(name) name(),
    static const std::vector<View> all{TRAINYARD_VIEWS(VIEW)};
#undef VIEW
    return all;
}

const View* findView(std::string_view id) {
    const auto& all = views();
    const auto it = std::find_if(all.begin(), all.end(), [&](const View& v) { return v.id == id; });
    return it == all.end() ? nullptr : &*it;
}

Result<ParamValues> optionsFrom(const View& view, const std::vector<std::string>& words) {
    ParamValues values;
    for (const std::string& word : words) {
        const auto sign = word.find('=');
        const std::string key = word.substr(0, sign);
        const std::string text = sign == std::string::npos ? std::string() : word.substr(sign + 1);
        const ParamField* field = view.options.find(key);
        const auto number = parseNumber(text);
        if (field && field->type == ParamType::boolean && (text == "true" || text == "false"))
            values[key] = text == "true";
        else if (field && field->type == ParamType::integer && number && *number == std::floor(*number))
            values[key] = static_cast<std::int64_t>(*number);
        else if (field && field->type == ParamType::real && number)
            values[key] = *number;
        else
            values[key] = text; // a choice; for anything else check() says what would be right
    }
    if (Problems problems = view.options.check(values); !problems.empty()) return problems;
    return values;
}

const std::vector<LegendItem>& legendOf(const Picture& picture) {
    return std::visit([](const auto& p) -> const std::vector<LegendItem>& { return p.legend; }, picture);
}
const Text& meaningOf(const Picture& picture) {
    return std::visit([](const auto& p) -> const Text& { return p.meaning; }, picture);
}
const Text& cautionOf(const Picture& picture) {
    return std::visit([](const auto& p) -> const Text& { return p.caution; }, picture);
}
const Text& emptyOf(const Picture& picture) {
    return std::visit([](const auto& p) -> const Text& { return p.empty; }, picture);
}
const std::optional<Stops>& stopsOf(const Picture& picture) {
    return std::visit([](const auto& p) -> const std::optional<Stops>& { return p.stops; }, picture);
}

Computation pictureNow(const View& view, ViewRequest request) {
    request.options = view.options.complete(request.options);
    if (view.scope == View::Scope::job) {
        request.job = request.run.jobWithWorkers(request.job);
        if (!request.job.valid())
            return emptyChart(
                {TRAINYARD_TEXT("No job has workers yet. Jobs get them when the scheduler starts them."), {}});
    }
    return view.compute(request);
}

Computation foldedPicture(const RunIndex& run, const std::function<Computation()>& compute,
                          const std::stop_token& stop) {
    constexpr std::size_t piece = 1 << 20; // events between two questions whether to stop
    Computation computation = compute();
    if (!run.areFoldsBehind()) return computation;
    while (run.areFoldsBehind() && !stop.stop_requested()) run.carryFoldsOn(piece);
    return compute();
}

Picture wholePicture(const RunIndex& run, const std::function<Computation()>& compute, const std::stop_token& stop) {
    Computation computation = foldedPicture(run, compute, stop);
    return computation.finish ? computation.finish(stop) : std::move(computation.picture);
}

Picture wholePicture(const View& view, const ViewRequest& request, const std::stop_token& stop) {
    return wholePicture(
        request.run, [&] { return pictureNow(view, request); }, stop);
}

Picture pictureOfNothing(const View& view) {
    return emptyChart({TRAINYARD_TEXT("Nothing has run yet. Press play."), {}}, view.summary);
}

} // namespace trainyard
