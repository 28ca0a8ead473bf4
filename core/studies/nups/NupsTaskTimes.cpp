// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Each task under each policy: time per epoch, time to the stated quality, and the quality at last; what relocation, replicas and
// sampling each bring; and how far the claims of the paper's abstract hold at the size of the shipped scenarios.
#include "studies/nups/NupsStudy.h"
#include "studies/nups/NupsTasks.h"

#include <algorithm>
#include <cmath>

namespace trainyard::study {

namespace nups_task_times {

constexpr KeyedSampling conform{};
constexpr KeyedSampling reused{.level = Conformity::bounded, .scheme = SamplingScheme::reuse};
constexpr KeyedSampling local{.level = Conformity::nonConform, .scheme = SamplingScheme::local};

/// `part`: NuPS without one of its techniques; in no claim.
enum class Group { oneMachine, existing, part, nups, adaptive };

/// A way to run a task; the names are those of the tables.
struct Way {
    std::string name;
    Group group;
    TaskSettings settings;
};

std::vector<Way> ways() {
    const Choice untuned{"nups", {}};
    const Choice ssp{"ssp", {{"staleness", std::int64_t{50}}}};
    const Choice pushed{"replicated", {{"refresh", std::string("pushed")}}};
    const auto with = [](Choice parameters, KeyedSampling sampling) {
        return TaskSettings{.parameters = std::move(parameters), .sampling = sampling};
    };
    const auto cached = [&](Choice parameters) {
        return TaskSettings{.parameters = std::move(parameters), .synchronization = ssp, .sampling = conform};
    };
    return {{"one machine", Group::oneMachine, {.nodes = 1, .parameters = {"static", {}}}},
            {"static", Group::existing, with({"static", {}}, conform)},
            {"SSP", Group::existing, cached({"replicated", {}})},
            {"ESSP", Group::existing, cached(pushed)},
            {"relocation", Group::existing, with({"relocating", {}}, conform)},
            {"relocation and replicas", Group::part, with(tunedNups(), conform)},
            {"relocation and sampling", Group::part, with({"relocating", {}}, reused)},
            {"nups, untuned", Group::nups, with(untuned, reused)},
            {"nups, tuned", Group::nups, with(tunedNups(), local)},
            {"adaptive", Group::adaptive, with({"adaptive", {}}, reused)},
            {"adaptive, local samples", Group::adaptive, with({"adaptive", {}}, local)}};
}

struct Row {
    std::vector<double> epochs, reached, qualities;
    double messages = NAN, copies = 0, use = 0;
    std::string busiest;
    /// Of all seeds; a way that misses the quality with one of them has none.
    double toQuality(std::size_t seeds) const { return reached.size() < seeds ? NAN : estimateMean(reached).mean; }
};

void add(Row& row, const TaskResult& result) {
    row.epochs.push_back(result.epochSeconds);
    row.qualities.push_back(result.quality);
    if (!std::isnan(result.toQuality)) row.reached.push_back(result.toQuality);
    const auto& m = result.metrics;
    row.messages = (m.at("messages") + m.at("replica_messages")) / m.at("updates");
    row.copies = m.contains("copies_held") ? m.at("copies_held") : 0;
    row.use = 0;
    for (const auto& [name, metric] :
         {std::pair("server thread", "server_thread_use"), {"sending", "sending_use"}, {"receiving", "receiving_use"}})
        if (m.at(metric) > row.use) row.use = m.at(metric), row.busiest = name;
}

void write(StudyTable& table, const NupsTask& task, const Way& way, const Row& row) {
    const auto text = [&](const std::vector<double>& values) {
        const Estimate e = values.empty() ? Estimate{.mean = NAN} : estimateMean(values);
        table.rows.back().push_back(number(e.mean));
        table.rows.back().push_back(number(e.halfWidth.value_or(NAN)));
    };
    table.rows.push_back({task.id, way.name, std::to_string(row.epochs.size())});
    text(row.epochs);
    table.rows.back().push_back(std::to_string(row.reached.size()));
    text(row.reached);
    text(row.qualities);
    for (const std::string& cell : {number(row.messages), number(row.copies), row.busiest, number(row.use)})
        table.rows.back().push_back(cell);
}

/// The abstract says that existing parameter servers may fall behind one machine, and that NuPS is up to ten times as fast.
void judge(const NupsTask& task, const std::vector<Way>& all, const std::vector<Row>& rows, std::size_t seeds,
           StudyReport& report) {
    const std::string source = "Renz-Wieland et al. 2022, abstract; tasks of this size are not theirs";
    double one = NAN, slowest = 0, best = INFINITY, own = INFINITY, use = 0;
    std::string slowestName, bestName, ownName, busiest;
    for (std::size_t n = 0; n < all.size(); ++n) {
        const double time = rows[n].toQuality(seeds);
        if (all[n].group == Group::oneMachine) one = time;
        if (all[n].group == Group::existing && time > slowest) slowest = time, slowestName = all[n].name;
        if (all[n].group == Group::existing && time < best) best = time, bestName = all[n].name;
        if (all[n].group == Group::nups && time < own)
            own = time, ownName = all[n].name, busiest = rows[n].busiest, use = rows[n].use;
    }
    const auto ratio = [&](const char* id, std::string sentence, double value, double least, std::string finding) {
        Claim claim{.id = std::string("tasks/") + task.id + "/" + id,
                    .claim = std::move(sentence),
                    .source = source,
                    .unit = "1"};
        if (std::isfinite(value) && value > 0) {
            claim.measured = value;
            claim.n = seeds;
            claim.holds = value >= least;
            claim.finding = std::move(finding);
        }
        report.claims.push_back(std::move(claim));
    };
    const std::string time =
        std::string("Time to ") + task.quality + " " + number(task.target) + ", " + task.name + ": ";
    ratio("behind-one-machine", time + "the slowest of the existing ways on four machines over one machine: at least 1",
          slowest / one, 1, slowestName + " is the slowest");
    ratio("over-existing", time + "the best of the existing ways over the better of NuPS untuned and tuned: at least 1",
          best / own, 1, bestName + " over " + ownName);
    ratio("order-of-magnitude",
          time + "the slowest of the existing ways over the better of NuPS untuned and tuned: at least 10",
          slowest / own, 10,
          slowestName + " over " + ownName + ", of whose resources " + busiest + " is in use most, " +
              number(100 * use) + " % of the time");
}

} // namespace nups_task_times

Choice tunedNups() {
    return {"nups",
            {{"rule", std::string("most-frequent")}, {"replicate", std::int64_t{40}}, {"syncs_per_second", 625.0}}};
}

void nupsTaskTimes(const StudyRequest& request, StudyReport& report) {
    using namespace nups_task_times;
    StudyTable table{"nups-tasks",
                     {"task", "way", "seeds", "epoch_s", "epoch_half_width_s", "reached", "to_quality_s",
                      "to_quality_half_width_s", "quality", "quality_half_width", "messages_per_step", "copies_held",
                      "busiest", "use"},
                     {}};
    const std::uint64_t seeds = request.quick ? 2 : 5;
    const auto all = ways();
    for (const NupsTask& task : nupsTasks) {
        std::vector<TaskRun> runs;
        for (const Way& way : all)
            for (std::uint64_t seed = 1; seed <= seeds; ++seed) runs.push_back({&task, way.settings, seed});
        const auto results = runTasks(request, runs, report, true);
        std::vector<Row> rows(all.size());
        for (std::size_t n = 0; n < runs.size(); ++n)
            if (results[n]) add(rows[n / seeds], *results[n]);
        for (std::size_t n = 0; n < all.size(); ++n) write(table, task, all[n], rows[n]);
        if (!report.stopped) judge(task, all, rows, seeds, report);
    }
    report.tables.push_back(std::move(table));
}

} // namespace trainyard::study
