// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The keys of a keyed job as a map, from the most frequent one on: which have replicas, and at which machines the others are. A cell
// for each of the 99 most frequent, a bar for each tenfold of ranks after them.
#include "analysis/KeyReason.h"
#include "analysis/KeyShares.h"
#include "analysis/views/ViewParts.h"

#include "base/Format.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace key_map {

constexpr std::size_t columns = 33, cells = 99; ///< ranks 1 … 99: buckets 0 and 1
constexpr double above = 0.12, gap = 0.35;      ///< heights, in cells
constexpr double words = 17;                    ///< width of what stands to the left of cells and bars

struct Options {
    int rank = 1;
};

BoundSchema<Options> options() {
    return bindSchema<Options>(field(&Options::rank, "rank", "Rank of a key", {1, 1e9}, "",
                                     "The key, by how often it is drawn, of which it is told why it is where it is.")
                                   .usual(100));
}

struct Map {
    const ViewRequest& request;
    const KeyedAccess& access;
    const KeyedCourse& course;
    KeyedCourse::Holdings held;
    std::vector<MachineId> nodes;
    std::optional<KeyPlan> plan;
    KeyShares shares;
    Diagram diagram = {};
    double y = 0;

    std::string name(std::uint32_t node) const { return nodeName(request.run, nodes, node); }
    /// In per cent of all draws; with `ofStart` nobody knows them later.
    std::string share(std::uint64_t first, std::uint64_t last) const {
        return formatNumber(100 * shares.of(first, last), 3);
    }
    bool ofStart() const { return access.shiftEvery > 0; } ///< ranks: other keys become frequent during the run
};

Role roleOf(std::uint32_t node) { return node == everyNode ? Role::muted(0) : Role::hue(node); }

std::string ranksText(std::uint64_t first, std::uint64_t last) {
    const auto grouped = [](std::uint64_t rank) { return groupedText(static_cast<double>(rank), 15); };
    return first == last ? grouped(first) : grouped(first) + " – " + grouped(last);
}

/// `whole`: told under the pointer.
void addFrame(Map& map, std::string id, double height, Text label, Text whole) {
    map.diagram.nodes.push_back({.id = std::move(id),
                                 .x = -words / 2,
                                 .y = map.y + height / 2,
                                 .depth = 1,
                                 .width = words - 0.4,
                                 .height = height,
                                 .shape = Node::Shape::block,
                                 .label = std::move(label),
                                 .role = Role::muted(2),
                                 .note = std::move(whole)});
}

/// Of a row of ranks: its label, and the whole of what is known about it.
std::pair<Text, Text> ranksTexts(const Map& map, std::uint64_t first, std::uint64_t last) {
    const std::string ranks = ranksText(first, last);
    if (map.ofStart())
        return {{TRAINYARD_TEXT("ranks {0}"), {ranks}}, {TRAINYARD_TEXT("keys of ranks {0} at the start"), {ranks}}};
    return {{TRAINYARD_TEXT("ranks {0}: {1} %"), {ranks, map.share(first, last)}},
            {TRAINYARD_TEXT("keys of ranks {0}: {1} % of all draws"), {ranks, map.share(first, last)}}};
}

const char* noteOf(const Map& map, bool replicated, bool moved) {
    if (map.ofStart())
        return replicated ? TRAINYARD_TEXT("rank {0} at the start, key {1}: a replica on every machine")
               : moved    ? TRAINYARD_TEXT("rank {0} at the start, key {1}: has just moved to {3}")
                          : TRAINYARD_TEXT("rank {0} at the start, key {1}: at {3}");
    return replicated ? TRAINYARD_TEXT("rank {0}, key {1}: {2} % of draws; a replica on every machine")
           : moved    ? TRAINYARD_TEXT("rank {0}, key {1}: {2} % of draws; has just moved to {3}")
                      : TRAINYARD_TEXT("rank {0}, key {1}: {2} % of draws; at {3}");
}

void addCells(Map& map) {
    const auto& followed = map.course.followed(map.request.job);
    const SimTime before = map.course.previousLog(map.request.job, map.request.at);
    const std::size_t count = std::min(cells, followed.size());
    const auto rows = static_cast<double>((count + columns - 1) / columns);
    auto [label, whole] = ranksTexts(map, 1, count);
    addFrame(map, "frequent", above + rows + 0.15, std::move(label), std::move(whole));
    for (std::size_t rank = 0; rank < count; ++rank) {
        const auto* place = followed[rank].at(map.request.at);
        if (!place) continue;
        const auto* earlier = followed[rank].at(before);
        const bool moved = earlier && earlier->node != place->node;
        const bool replicated = place->node == everyNode;
        map.diagram.nodes.push_back({.id = "rank-" + std::to_string(rank + 1),
                                     .x = static_cast<double>(rank % columns) + 0.5,
                                     .y = map.y + above + static_cast<double>(rank / columns) + 0.5,
                                     .width = 0.92,
                                     .height = 0.92,
                                     .shape = moved ? Node::Shape::circle : Node::Shape::box,
                                     .label = nameText(replicated ? "R" : std::to_string(place->node + 1)),
                                     .role = roleOf(place->node),
                                     .note = {noteOf(map, replicated, moved),
                                              {std::to_string(rank + 1), std::to_string(followed[rank].key),
                                               map.share(rank + 1, rank + 1), map.name(place->node)}}});
    }
    map.y += above + rows + 0.15 + gap;
}

/// Keys of these ranks, as parts of a bar; `bucket` … `end`: those that they lie in.
void addBar(Map& map, std::size_t bucket, std::size_t end, std::uint64_t first, std::uint64_t last) {
    const auto keys = static_cast<double>(last - first + 1);
    const std::string id = "bucket-" + std::to_string(bucket);
    auto [label, whole] = ranksTexts(map, first, last);
    addFrame(map, id, above + 1.1, std::move(label), std::move(whole));
    double x = 0, known = 0;
    const auto part = [&](std::uint32_t node, const std::array<double, rankBuckets>& held) {
        double count = 0;
        for (std::size_t b = bucket; b < end; ++b) count += held[b];
        if (count <= 0) return;
        known += count;
        const double width = columns * count / keys;
        const std::string percent = formatNumber(100 * count / keys, 3) + " %";
        map.diagram.nodes.push_back(
            {.id = id + (node == everyNode ? "-replicas" : "-" + std::to_string(node + 1)),
             .x = x + width / 2,
             .y = map.y + above + 0.5,
             .width = width,
             .height = 0.92,
             .shape = Node::Shape::box,
             .label =
                 nameText((node == everyNode ? "R" : std::to_string(node + 1)) + (width > 4.5 ? " · " + percent : "")),
             .role = roleOf(node),
             .note = {node == everyNode ? TRAINYARD_TEXT("{0} of {1} keys ({2}) have a replica on every machine")
                                        : TRAINYARD_TEXT("{0} of {1} keys ({2}) are at {3}"),
                      {groupedText(count, 15), groupedText(keys, 15), percent, map.name(node)}}});
        x += width;
    };
    part(everyNode, map.held.replicated);
    for (std::uint32_t n = 0; n < map.held.byNode.size(); ++n) part(n, map.held.byNode[n]);
    if (known < keys - 0.5)
        map.diagram.nodes.push_back({.id = id + "-moving",
                                     .x = (x + columns) / 2,
                                     .y = map.y + above + 0.5,
                                     .width = columns - x,
                                     .height = 0.92,
                                     .shape = Node::Shape::box,
                                     .role = Role::muted(3),
                                     .ghost = true,
                                     .note = {TRAINYARD_TEXT("{0} of {1} keys are on their way"),
                                              {groupedText(keys - known, 15), groupedText(keys, 15)}}});
    map.y += above + 1.1 + gap;
}

void addBars(Map& map) {
    const auto keys = static_cast<std::uint64_t>(map.access.keys);
    std::uint64_t first = 100;
    for (std::size_t bucket = 2; first <= keys && bucket < rankBuckets; ++bucket, first *= 10) {
        // a last bucket of a few keys is no bar of its own
        const bool rest = keys < first * 10 + first || bucket + 1 == rankBuckets;
        const std::uint64_t last = rest ? keys : first * 10 - 1;
        addBar(map, bucket, rest ? rankBuckets : bucket + 1, first, last);
        if (rest) return;
    }
}

/// Of copies the log tells how many a machine holds, not of which keys: a bar of all machines, where there are some beside replicas.
void addCopies(Map& map) {
    const auto intervals = map.course.merged(map.request.job);
    const auto now = std::ranges::lower_bound(intervals, map.request.at.toSeconds(), {}, &KeyedCourse::Interval::to);
    if (intervals.empty()) return;
    std::vector<double> copies = (now == intervals.end() ? intervals.back() : *now).copiesAt;
    const double replicas = std::accumulate(map.held.replicated.begin(), map.held.replicated.end(), 0.0);
    if (map.plan && map.plan->replication && replicas == 0) return; // between two runs of the job
    double all = 0;
    for (double& each : copies) all += each = std::max(0.0, each - replicas);
    if (all < 0.5) return;
    addFrame(map, "copies", above + 1.1, {TRAINYARD_TEXT("copies: {0}"), {groupedText(std::round(all), 15)}},
             {TRAINYARD_TEXT("How many copies of keys of others each machine holds, in the mean of the interval; of "
                             "which keys is not logged."),
              {}});
    double x = 0;
    for (std::uint32_t n = 0; n < copies.size(); ++n) {
        const double width = columns * copies[n] / all;
        const std::string number = groupedText(std::round(copies[n]), 15);
        map.diagram.nodes.push_back(
            {.id = "copies-" + std::to_string(n + 1),
             .x = x + width / 2,
             .y = map.y + above + 0.5,
             .width = width,
             .height = 0.92,
             .shape = Node::Shape::box,
             .label = nameText(std::to_string(n + 1) + " · " + number),
             .role = roleOf(n),
             .ref = {.machine = n < map.nodes.size() ? map.nodes[n] : MachineId{}},
             .note = {TRAINYARD_TEXT("{0} holds {1} {1:copy|copies} of keys that are at other machines"),
                      {map.name(n), number}}});
        x += width;
    }
    map.y += above + 1.1 + gap;
    map.diagram.legend.push_back(
        legendItem({TRAINYARD_TEXT("copies in all"), {}}, count(static_cast<std::size_t>(all + 0.5))));
}

void addLegend(Map& map) {
    constexpr std::size_t mostNamed = 8;
    auto& legend = map.diagram.legend;
    double replicas = 0;
    for (const double count : map.held.replicated) replicas += count;
    if (replicas > 0)
        legend.push_back(legendBox({TRAINYARD_TEXT("R: a replica on every machine"), {}},
                                   count(static_cast<std::size_t>(replicas)), roleOf(everyNode)));
    for (std::uint32_t n = 0; n < map.held.byNode.size() && n < mostNamed; ++n) {
        LegendItem item = legendBox({TRAINYARD_TEXT("{0}: at {1}"), {std::to_string(n + 1), map.name(n)}},
                                    count(static_cast<std::size_t>(std::max(0.0, map.held.total(n)))), roleOf(n));
        if (n < map.nodes.size()) item.ref.machine = map.nodes[n];
        legend.push_back(std::move(item));
    }
    if (map.held.byNode.size() > mostNamed)
        legend.push_back(legendItem({TRAINYARD_TEXT("… {0}: at {1}"),
                                     {std::to_string(map.held.byNode.size()),
                                      map.name(static_cast<std::uint32_t>(map.held.byNode.size() - 1))}}));
}

/// Numbers of the key that is asked for, and the sentences about it behind what the map means.
void addReason(Map& map) {
    const auto rank = static_cast<std::uint64_t>(options().read(map.request.options).rank);
    const auto reason = keyReason(map.request.run, map.request.job, rank, map.request.at);
    if (!reason) return;
    auto& legend = map.diagram.legend;
    legend.push_back(legendItem(
        {reason->ofStart ? TRAINYARD_TEXT("key of rank {0} at the start") : TRAINYARD_TEXT("key of rank {0}"),
         {std::to_string(rank)}},
        {}));
    if (reason->key) legend.back().text = nameText(std::to_string(*reason->key)); // a number, not a count
    if (!reason->ofStart) {
        legend.push_back(legendItem({TRAINYARD_TEXT("share of draws"), {}}, Quantity{100 * reason->share, "%"}));
        legend.push_back(legendItem({TRAINYARD_TEXT("times the mean"), {}},
                                    Quantity{reason->timesMean, reason->timesMean < 1000 ? "" : "count", 4}));
    }
    if (reason->technique == KeyTechnique::relocating && reason->owner)
        legend.push_back(legendItem({TRAINYARD_TEXT("moves so far"), {}}, count(reason->moves.size())));
    const auto sentences = reason->text(map.request.run, map.request.job);
    std::string why;
    for (const Text& sentence : sentences) why += (why.empty() ? "" : "; ") + sentence.english();
    map.diagram.meaning = {
        map.plan && map.plan->relocates
            ? TRAINYARD_TEXT("Numbers are machines; R: a replica on each; a circle marks a key that moved "
                             "since places were recorded last. Why here? {0}.")
            : TRAINYARD_TEXT("Numbers are machines; no key moves. Why here? {0}."),
        {why}};
}

Computation compute(const ViewRequest& request) {
    const KeyedAccess* access = request.run.workload().job(request.job).keyedAccess();
    if (!access) {
        Diagram none;
        none.empty = {TRAINYARD_TEXT("The job has no keys: its iterations read all parameters."), {}};
        return none;
    }
    const auto& course = request.run.fold<KeyedCourse>();
    Map map{.request = request,
            .access = *access,
            .course = course,
            .held = course.holdings(request.job, request.at),
            .nodes = nodesOf(request.run, request.job),
            .plan = keyPlanOf(request.run, request.job),
            .shares = KeyShares(*access)};
    map.diagram.meaning = {
        map.plan && map.plan->relocates
            ? TRAINYARD_TEXT(
                  "The keys of the job, the most frequent first. Numbers are machines; R: a replica on each. A "
                  "circle marks a key that moved since places were recorded last. Bars: keys of ten times rarer ranks, by where they are.")
            : TRAINYARD_TEXT(
                  "The keys of the job, the most frequent first. Numbers are machines; no key moves. Bars: keys of "
                  "ten times rarer ranks, by where they are."),
        {}};
    if (map.ofStart())
        map.diagram.caution = {
            TRAINYARD_TEXT("Ranks are those of the start. Every {0} iterations of a worker other keys "
                           "become frequent; which are frequent now is not logged."),
            {groupedText(static_cast<double>(access->shiftEvery), 15)}};
    const auto& followed = course.followed(request.job);
    if (followed.empty() || !followed[0].at(request.at)) {
        map.diagram.empty = {TRAINYARD_TEXT("The job has not begun yet. Press play."), {}};
        return std::move(map.diagram);
    }
    addCells(map);
    addBars(map);
    addLegend(map);
    addCopies(map);
    addReason(map);
    return std::move(map.diagram);
}

} // namespace key_map

View keyMapView() {
    return {.id = "key-map",
            .group = keysGroup(),
            .title = {TRAINYARD_TEXT("Key map"), {}},
            .summary = {TRAINYARD_TEXT("Where each key of a keyed job is, the most frequent first, and why."), {}},
            .options = key_map::options().schema,
            .concerns = [](const RunIndex& run, JobId job) { return KeyedCourse::concerns(run, job); },
            .compute = key_map::compute};
}

} // namespace trainyard
