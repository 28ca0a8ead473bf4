// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What one worker more would have been worth to each job, at each division of the workers: notes of a scheduler that declares the
// series marginal_gain.
#include "analysis/SlotNotes.h"
#include "analysis/views/ViewParts.h"

#include <algorithm>
#include <limits>

namespace trainyard {

namespace marginal_gains_view {

constexpr const char* seriesName = "marginal_gain";
constexpr std::size_t mostLines = 40, mostNamed = 16;
constexpr double leastShown = 1e-4; ///< of the greatest gain

struct Line {
    JobId job;
    std::span<const NotedValue> noted;
    double greatest = 0;
    std::optional<double> now; ///< until the job is over
};

/// Of the jobs that have any, those of the greatest gains, in order of ids.
std::vector<Line> linesOf(const ViewRequest& request) {
    const SlotNotes notes(request.run);
    std::vector<Line> out;
    for (std::size_t j = 0; j < request.run.jobs().size(); ++j) {
        Line line{.job = JobId(j), .noted = notes.series(seriesName, request.at, JobId(j)), .now = {}};
        if (line.noted.empty()) continue;
        for (const NotedValue& value : line.noted) line.greatest = std::max(line.greatest, value.value);
        if (request.at < request.run.jobs()[j].endedAt()) line.now = line.noted.back().value;
        out.push_back(line);
    }
    if (out.size() <= mostLines) return out;
    std::stable_sort(out.begin(), out.end(), [](const Line& a, const Line& b) { return a.greatest > b.greatest; });
    out.resize(mostLines);
    std::sort(out.begin(), out.end(), [](const Line& a, const Line& b) { return a.job < b.job; });
    return out;
}

/// Each value holds until the next division; the last until the job is over, or the cursor. Where there are too many, the last of each
/// part of them.
Series stepsOf(const ViewRequest& request, const Line& line) {
    Series series{.kind = Series::Kind::steps,
                  .key = "job-" + std::to_string(line.job.value + 1),
                  .label = nameText(request.run.jobName(line.job)),
                  .role = Role::of(line.job),
                  .weight = 1.2};
    const std::size_t every = line.noted.size() / std::max<std::size_t>(1, request.mostPoints) + 1;
    for (std::size_t i = every - 1; i < line.noted.size(); i += every) {
        series.x.push_back(line.noted[i].at.toSeconds());
        series.y.push_back(line.noted[i].value);
        series.refs.push_back({.job = line.job, .at = line.noted[i].at});
    }
    series.x.push_back(std::min(request.at, request.run.jobs()[line.job.index()].endedAt()).toSeconds());
    return series;
}

std::vector<LegendItem> legendOf(const ViewRequest& request, std::vector<Line> lines) {
    std::erase_if(lines, [](const Line& line) { return !line.now; });
    std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return *a.now > *b.now; });
    lines.resize(std::min(lines.size(), mostNamed));
    std::vector<LegendItem> out;
    for (const Line& line : lines) {
        out.push_back(legendLine(nameText(request.run.jobName(line.job)), Quantity{*line.now, ""}, Role::of(line.job)));
        out.back().ref.job = line.job;
    }
    return out;
}

Computation compute(const ViewRequest& request) {
    Text meaning{
        TRAINYARD_TEXT(
            "What one worker more would have been worth to each job until the next division, as predicted when the "
            "workers were divided: the fall of its normalised loss, or of what else the scheduler counts. A job "
            "with a higher line than others is at its most workers, or found no room. Gains below a "
            "ten-thousandth of the greatest are not drawn. Of many jobs, those with the greatest gains."),
        {}};
    const auto lines = linesOf(request);
    if (lines.empty())
        return emptyChart({TRAINYARD_TEXT("The scheduler has noted no gains. Schedulers that go by losses do."), {}},
                          std::move(meaning));
    Chart chart;
    Plot& plot = chart.plot();
    plot.x = timeAxis(std::max(request.run.head().toSeconds(), 1e-9));
    plot.y = {.kind = Axis::Kind::logarithmic,
              .title = {TRAINYARD_TEXT("gain of one more worker"), {}},
              .key = "marginal_gain"};
    double greatest = 0;
    for (const Line& line : lines) greatest = std::max(greatest, line.greatest);
    if (greatest > 0) plot.y.from = greatest * leastShown;
    for (const Line& line : lines) plot.series.push_back(stepsOf(request, line));
    chart.legend = legendOf(request, lines);
    chart.meaning = std::move(meaning);
    return chart;
}

} // namespace marginal_gains_view

View marginalGainsView() {
    return {
        .id = "marginal-gains",
        .group = {TRAINYARD_TEXT("Jobs"), {}},
        .title = {TRAINYARD_TEXT("Gain of one more worker"), {}},
        .summary = {TRAINYARD_TEXT("What one worker more would be worth to each job, as the scheduler sees it."), {}},
        .scope = View::Scope::run,
        .concerns = [](const RunIndex& run, JobId) { return SlotNotes(run).declares(marginal_gains_view::seriesName); },
        .compute = marginal_gains_view::compute};
}

} // namespace trainyard
