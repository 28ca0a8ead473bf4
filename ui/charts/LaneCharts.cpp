// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/LaneCharts.h"

#include "charts/ViewChoice.h"
#include "session/ShownIndex.h"

#include <algorithm>

namespace trainyard {

void LaneCharts::setSubject(const HistorySubject& subject) {
    m_subject = subject;
    m_is = viewOf(subject);
    m_key.reset();
    m_part.reset();
    m_held = false;
}

LaneCharts::Key LaneCharts::keyOf(const LaneInput& input) const {
    return {.run = input.run->run().id,
            .ghost = input.ghost ? input.ghost->run().id : 0,
            .position = input.run->position(),
            .ghostPosition = input.ghost ? input.ghost->position() : 0,
            .seen = m_seen,
            .job = input.job,
            .at = hasReadings() ? SimTime::zero() : input.at,
            .wholeRun = !hasReadings() && input.wholeRun};
}

ViewRequest LaneCharts::request(const LaneInput& input, const ShownIndex& run) const {
    return {.run = run,
            .job = input.job.valid() && input.job.index() < run.jobs().size() ? input.job : JobId{},
            .at = input.at,
            .mostPoints = m_seen.points,
            .mostPointsOfAll = m_seen.pointsOfAll,
            .mostEntries = input.mostEntries,
            .from = m_seen.from,
            .to = m_seen.to,
            .isGhost = &run == input.ghost,
            .wholeRun = input.wholeRun};
}

Computation LaneCharts::computationOf(const LaneInput& input, const ShownIndex& run, bool inParts) const {
    ViewRequest wanted = request(input, run);
    if (hasReadings()) wanted.mostEntries = 0; // its legend is asked for on its own
    wanted.inParts = inParts;
    return pictureNow(m_is, std::move(wanted));
}

Chart LaneCharts::chartOf(Computation computation) {
    auto* chart = std::get_if<Chart>(&computation.picture);
    return chart && !computation.finish ? std::move(*chart) : Chart{};
}

Chart LaneCharts::compute(const LaneInput& input) const {
    Chart chart = chartOf(computationOf(input, *input.run, false));
    if (!input.ghost || chart.plots.empty()) return chart;
    return withGhost(std::move(chart), chartOf(computationOf(input, *input.ghost, false)));
}

bool LaneCharts::Part::isOf(const LaneInput& input, const Key& now) const {
    return run == input.run && ghost == input.ghost && key.run == now.run && key.ghost == now.ghost &&
           key.job == now.job;
}

bool LaneCharts::begin(const LaneInput& input) {
    const Key now = keyOf(input);
    if (m_part && m_part->isOf(input, now)) return false;
    m_part = Part{.key = now, .run = input.run, .ghost = input.ghost, .of = {}};
    m_part->of.push_back(computationOf(input, *input.run, true));
    if (input.ghost) m_part->of.push_back(computationOf(input, *input.ghost, true));
    return true;
}

bool LaneCharts::advance(const LaneInput& input) {
    if (!m_part || !m_part->isOf(input, keyOf(input))) return false;
    for (Computation& part : m_part->of)
        if (part.more) {
            if (part.more(part.picture)) part.more = {};
            if (part.more || &part != &m_part->of.back()) return false;
        }
    Chart chart = chartOf(std::move(m_part->of.front()));
    if (m_part->of.size() > 1 && !chart.plots.empty())
        chart = withGhost(std::move(chart), chartOf(std::move(m_part->of.back())));
    m_chart = std::make_shared<const Chart>(std::move(chart));
    m_key = m_part->key;
    m_part.reset();
    m_held = true;
    return true;
}

const std::shared_ptr<const Chart>& LaneCharts::shared(const LaneInput& input) const {
    static const auto nothing = std::make_shared<const Chart>();
    if (!input.run) return nothing;
    const Key key = keyOf(input);
    const bool same = m_key && m_key->run == key.run && m_key->ghost == key.ghost;
    if ((m_held && same) || (m_key == key && !m_behind)) return m_chart;
    m_key = key;
    m_chart = std::make_shared<const Chart>(compute(input));
    m_behind = input.run->areFoldsBehind() || (input.ghost && input.ghost->areFoldsBehind());
    return m_chart;
}

const Chart& LaneCharts::shape(const LaneInput& input) const {
    const bool known = input.run && m_key && m_key->run == input.run->run().id &&
                       m_key->ghost == (input.ghost ? input.ghost->run().id : 0) && m_key->job == input.job;
    return known && !m_behind && !m_chart->plots.empty() ? *m_chart : chart(input);
}

std::vector<LegendItem> LaneCharts::legend(const LaneInput& input) const {
    if (!input.run) return {};
    const Chart& shown = read(input);
    if (shown.plots.empty()) return shown.legend;
    if (hasReadings()) {
        const auto readings = [&](const ShownIndex& run) {
            ViewRequest wanted = request(input, run);
            wanted.options = m_is.view->options.complete(m_is.options);
            return m_is.view->readings(wanted);
        };
        auto own = readings(*input.run);
        return input.ghost ? withGhost(std::move(own), readings(*input.ghost)) : own;
    }
    return m_held ? compute(input).legend : shown.legend; // held, it is of another instant
}

std::vector<Text> LaneCharts::notes(const LaneInput& input, SimTime at, const ElementRef& ref, bool ofGhost) const {
    ViewRequest wanted = request(input, ofGhost ? *input.ghost : *input.run);
    wanted.at = at;
    wanted.options = m_is.view->options.complete(m_is.options);
    return m_is.view->notes(wanted, ref);
}

Computation pictureNow(const SubjectView& is, ViewRequest request) {
    if (!is.problem.empty()) return emptyChart(is.problem);
    if (!is.job.isEmpty()) {
        request.job = jobOfKey(request.run.workload(), is.job);
        if (!request.job.valid())
            return emptyChart({TRAINYARD_TEXT("There is no job \"{0}\" in this run."), {is.job.toStdString()}});
        if (is.view->scope == View::Scope::job && request.run.jobs()[request.job.index()].workers.empty())
            return emptyChart({TRAINYARD_TEXT("It has no workers yet."), {}});
    }
    request.options = is.options;
    return pictureNow(*is.view, std::move(request));
}

} // namespace trainyard
