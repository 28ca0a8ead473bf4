// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/agents/CheckpointFile.h"

#include "base/Base64.h"
#include "scenario/agents/VersionedFile.h"

#include <bit>
#include <cmath>

namespace trainyard {

namespace {

constexpr KnownFormat checkpointFormat{"trainyard-checkpoint", StoredCheckpoint::version, "not-a-checkpoint",
                                       "checkpoint of a training"};

/// Single precision, little-endian, as base64.
void floatsField(Fields& f, const char* name, std::vector<float>& numbers) {
    std::string text;
    if (!f.reading()) {
        std::vector<std::uint8_t> bytes;
        for (const float number : numbers)
            for (int shift = 0; shift < 32; shift += 8)
                bytes.push_back(static_cast<std::uint8_t>(std::bit_cast<std::uint32_t>(number) >> shift));
        text = toBase64(bytes);
    }
    f.text({name, "Single-precision numbers, little-endian, as base64"}, text);
    if (!f.reading()) return;
    numbers.clear();
    const auto damaged = [&](const char* what) { f.complain(name, "damaged-checkpoint", {what, {name}}); };
    const auto bytes = fromBase64(text);
    if (!bytes || bytes->size() % 4 != 0)
        return damaged(TRAINYARD_TEXT("\"{0}\" is no base64 of numbers; the file may have been cut off"));
    for (std::size_t i = 0; i < bytes->size(); i += 4) {
        std::uint32_t bits = 0;
        for (std::size_t b = 0; b < 4; ++b) bits |= static_cast<std::uint32_t>((*bytes)[i + b]) << (8 * b);
        numbers.push_back(std::bit_cast<float>(bits));
        if (!std::isfinite(numbers.back())) return damaged(TRAINYARD_TEXT("\"{0}\" has a number that is not finite"));
    }
}

void adamFields(Fields& f, const char* name, StoredAdam& adam) {
    f.object({name, "State of its optimization"}, "adam", [&] {
        floatsField(f, "first", adam.first);
        floatsField(f, "second", adam.second);
        f.wholeSeed({"steps", "Done"}, adam.steps, 0);
    });
}

void checkpointFields(Fields& f, StoredCheckpoint& point) {
    const NumberRule any{.minimum = -1e18};
    f.text({.name = "plan", .help = "The configuration", .required = true, .lines = true}, point.plan);
    std::int64_t stage = static_cast<std::int64_t>(point.stage);
    f.integer({"stage", "Stages done", true}, stage, {.maximum = 1'000'000});
    point.stage = static_cast<std::size_t>(stage);
    f.count({"iteration", "Iterations of this stage done", true}, point.iteration, {.maximum = 1'000'000'000});
    f.wholeSeed({"steps", "Arrivals learned from in this stage"}, point.steps, 0);
    f.number({"reward", "Of the last iteration"}, point.reward, any);
    f.number({"loss", "Of the last iteration"}, point.loss, any);
    f.number({"entropy", "Of the last iteration"}, point.entropy, any);
    floatsField(f, "policy", point.policy);
    floatsField(f, "value", point.value);
    adamFields(f, "policy_adam", point.policyAdam);
    adamFields(f, "value_adam", point.valueAdam);
    std::string actions = f.reading() ? std::string() : toBase64(point.actions);
    f.text({"actions", "Of Q-learning: degrees chosen in the episodes that are kept, as base64"}, actions);
    if (f.reading()) {
        if (auto bytes = fromBase64(actions))
            point.actions = std::move(*bytes);
        else
            f.complain("actions", "damaged-checkpoint",
                       {TRAINYARD_TEXT("\"actions\" is no base64; the file may have been cut off"), {}});
    }
    floatsField(f, "priorities", point.priorities);
    f.list({"distilled", "Distilled nets, by task done"}, "distilled", point.distilled,
           [&](std::vector<float>& net) { floatsField(f, "parameters", net); });
    f.list({"best", "Best candidate of each law so far"}, "best", point.best, [&](StoredCandidate& best) {
        f.text({"name", "Which it is"}, best.name);
        f.number({"blocking", "On validation"}, best.blocking, {.maximum = 1, .fallback = 1});
        floatsField(f, "parameters", best.parameters);
    });
    f.list({"curves", "Course of each stage"}, "curve", point.curves, [&](StoredCurve& curve) {
        f.numbers({"steps", "Arrivals learned from"}, curve.steps, {.maximum = 1e15});
        f.numbers({"rewards", "Share in time"}, curve.rewards, {.maximum = 1});
        f.numbers({"blockings", "On validation; -1: not measured"}, curve.blockings, {.minimum = -1, .maximum = 1});
        if (curve.steps.size() != curve.rewards.size() || curve.steps.size() != curve.blockings.size())
            f.complain("steps", "damaged-checkpoint", {TRAINYARD_TEXT("the curve has columns of unlike lengths"), {}});
    });
}

} // namespace

std::string writeStoredCheckpoint(const StoredCheckpoint& checkpoint) {
    StoredCheckpoint copy = checkpoint;
    return writeVersioned(checkpointFormat, [&](Fields& f) { checkpointFields(f, copy); });
}

Result<StoredCheckpoint> parseStoredCheckpoint(std::string_view text, const std::string& name) {
    StoredCheckpoint point;
    Problems problems = readVersioned(
        text, name, checkpointFormat, [&](Fields& f) { checkpointFields(f, point); }, [](Problems&) {});
    if (hasErrors(problems)) return problems;
    return {std::move(point), std::move(problems)};
}

} // namespace trainyard
