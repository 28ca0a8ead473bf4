// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The jobs at the instant as a table: what each is doing, how far it has come, what it has.
#include "analysis/AdmissionCourse.h"
#include "analysis/views/TableViews.h"
#include "base/Format.h"
#include "model/KnownLosses.h"
#include "record/ClusterState.h"

#include <algorithm>
#include <array>

namespace trainyard {

namespace job_states_view {

std::size_t placed(const std::vector<MachineId>& tasks) {
    return static_cast<std::size_t>(std::ranges::count_if(tasks, [](MachineId m) { return m.valid(); }));
}

/// Since the job arrived, until it ended or now.
double secondsHere(const Job& job, const JobState& state, SimTime at) {
    const bool ended =
        state.phase == JobPhase::finished || state.phase == JobPhase::rejected || state.phase == JobPhase::failed;
    return state.phase == JobPhase::future ? 0 : ((ended ? state.since : at) - job.arrival).toSeconds();
}

Text kindText(JobKind kind) {
    static const std::array texts{TRAINYARD_TEXT("trained"), TRAINYARD_TEXT("analytic"), TRAINYARD_TEXT("graph")};
    return {texts[static_cast<std::size_t>(kind)], {}};
}

/// Jobs that are admitted when they arrive are blocked, not rejected, as in all views.
Text phaseText(JobPhase phase, bool atOnce) {
    if (phase == JobPhase::rejected && atOnce) return {TRAINYARD_TEXT("blocked"), {}};
    static const std::array texts{TRAINYARD_TEXT("not arrived"), TRAINYARD_TEXT("queued"),   TRAINYARD_TEXT("running"),
                                  TRAINYARD_TEXT("finished"),    TRAINYARD_TEXT("rejected"), TRAINYARD_TEXT("failed")};
    return {texts[static_cast<std::size_t>(phase)], {}};
}

std::vector<Table::Column> columns() {
    return {{.key = "at_s", .title = {}, .isNumber = true},
            {.key = "job"},
            {.key = "name", .title = {TRAINYARD_TEXT("Job"), {}}},
            {.key = "kind", .title = {TRAINYARD_TEXT("Kind"), {}}},
            {.key = "state", .title = {TRAINYARD_TEXT("State"), {}}},
            {.key = "updates", .title = {TRAINYARD_TEXT("Updates"), {}}, .isNumber = true},
            {.key = "updates_wanted", .title = {}, .isNumber = true},
            {.key = "workers", .title = {TRAINYARD_TEXT("Workers"), {}}, .isNumber = true},
            {.key = "servers", .title = {TRAINYARD_TEXT("Servers"), {}}, .isNumber = true},
            {.key = "loss", .title = {TRAINYARD_TEXT("Loss"), {}}, .isNumber = true},
            {.key = "time_here_s", .title = {TRAINYARD_TEXT("Time in system"), {}}, .isNumber = true}};
}

Table::Row rowOf(const ClusterState& state, JobId id, SimTime at) {
    static constexpr std::array kinds{"trained", "analytic", "graph"};
    static constexpr std::array phases{"future", "waiting", "running", "finished", "rejected", "failed"};
    const Job& job = state.workload().job(id);
    const JobState& s = state.jobs()[id.index()];
    const std::string wanted = job.stop.iterations ? std::to_string(*job.stop.iterations) : std::string();
    const std::size_t workers = placed(s.placement.workers), servers = placed(s.placement.servers);
    const bool isGraph = job.kind() == JobKind::graph; // it has none of these
    const auto number = [&](std::size_t n) {
        return isGraph ? Table::Cell{.raw = std::to_string(n), .text = nameText("–")}
                       : Table::Cell{.raw = std::to_string(n), .text = {}, .value = count(n)};
    };
    Table::Cell updates{.raw = std::to_string(s.updates)};
    if (isGraph)
        updates = number(s.updates);
    else if (wanted.empty())
        updates.value = count(s.updates);
    else
        updates.text = {
            TRAINYARD_TEXT("{0} / {1}"),
            {groupedText(static_cast<double>(s.updates)), groupedText(static_cast<double>(*job.stop.iterations))}};
    Table::Cell loss, here{.raw = formatNumber(secondsHere(job, s, at), 12)};
    if (s.hasLoss && mayHaveLosses(job))
        loss = {.raw = formatNumber(s.lastLoss, 12), .text = {}, .value = Quantity{s.lastLoss, "", 4}};
    if (s.phase != JobPhase::future) here.value = Quantity{secondsHere(job, s, at), "s"};
    return {.cells = {{.raw = formatNumber(at.toSeconds(), 15)},
                      {.raw = job.key},
                      {.raw = job.name, .text = nameText(job.name.empty() ? job.key : job.name)},
                      {.raw = kinds[static_cast<std::size_t>(job.kind())], .text = kindText(job.kind())},
                      {.raw = phases[static_cast<std::size_t>(s.phase)],
                       .text = phaseText(s.phase, hasAdmissions(state.workload()))},
                      std::move(updates),
                      {.raw = wanted},
                      number(workers),
                      number(servers),
                      std::move(loss),
                      std::move(here)},
            .ref = {.job = id}};
}

Computation compute(const ViewRequest& request) {
    return tableLater(
        request, {TRAINYARD_TEXT("What each job is doing at the cursor, how far it has come, and what it has."), {}},
        [at = request.at](const RunSource& run, std::size_t size, const std::stop_token& stop) {
            ClusterState state(run.workload);
            Table table;
            table.columns = columns();
            if (!applyUntil(state, *run.log, std::min(size, run.log->positionAfter(at)), stop)) return table;
            for (std::size_t j = 0; j < state.jobs().size(); ++j) table.rows.push_back(rowOf(state, JobId(j), at));
            return table;
        });
}

} // namespace job_states_view

View jobsView() {
    return {.id = "jobs",
            .group = tablesGroup(),
            .title = {TRAINYARD_TEXT("Jobs"), {}},
            .summary = {TRAINYARD_TEXT("All jobs at the instant, as a table."), {}},
            .scope = View::Scope::run,
            .isTable = true,
            .special = true,
            .compute = job_states_view::compute};
}

} // namespace trainyard
