// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "scenario/agents/AgentFile.h"

#include "base/Base64.h"
#include "base/Fnv.h"
#include "base/LocalPath.h"
#include "base/WholeFile.h"
#include "learning/DataSet.h"
#include "scenario/Suggest.h"
#include "scenario/agents/VersionedFile.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr KnownFormat agentFormat{"trainyard-agent", DegreeAgent::version, "not-an-agent", "trained agent"};
constexpr const char* agentRules[] = {"corrected", "faithful"};
constexpr std::size_t largestAgent = std::size_t{64} << 20; ///< bytes

/// A member as its file has it.
struct StoredMember {
    AgentMember member;
    NetShape shape = NetShape::afterStates;
    bool mayRefuse = false;
    std::vector<double> hidden, steps, rewards;
    std::string parameters;
};

std::string halves(const std::vector<float>& parameters) {
    std::vector<std::uint8_t> bytes;
    for (const float number : parameters) {
        const std::uint16_t half = toHalf(number);
        bytes.push_back(static_cast<std::uint8_t>(half));
        bytes.push_back(static_cast<std::uint8_t>(half >> 8));
    }
    return toBase64(bytes);
}

StoredMember stored(const AgentMember& member) {
    StoredMember out{.member = member};
    out.shape = member.net->shape;
    out.mayRefuse = member.net->mayRefuse;
    out.hidden.assign(member.net->hidden.begin(), member.net->hidden.end());
    for (const AgentCurvePoint& point : member.curve) {
        out.steps.push_back(static_cast<double>(point.steps));
        out.rewards.push_back(point.reward);
    }
    out.parameters = halves(member.net->parameters);
    return out;
}

void memberFields(Fields& f, StoredMember& stored) {
    AgentMember& member = stored.member;
    f.word({"rules", "By which rules graphs are split and timed", true}, member.rules, agentRules,
           GraphRules::corrected);
    f.text({"law", "Name of the law of deadlines", true}, member.law);
    f.numbers({"quantiles", "Of β, at 5 %, 10 %, … 95 %", true}, member.quantiles, {.maximum = 1});
    f.text({"candidate", "Which of its candidates was best on validation"}, member.candidate);
    f.number({"validation_blocking", "Of that, mean over loads and seeds"}, member.blocking, {.maximum = 1});
    f.numbers({"curve_steps", "Arrivals learned from, by point of the course of its training"}, stored.steps,
              {.maximum = 1e15});
    f.numbers({"curve_rewards", "Share of arrivals in time, there"}, stored.rewards, {.maximum = 1});
    f.word({"shape", "Of its net: one that scores after-states, or a graph network that values degrees"}, stored.shape,
           netShapes, NetShape::afterStates);
    f.flag({"may_refuse", "Whether a net of after-states may refuse a job that could be in time"}, stored.mayRefuse,
           false);
    f.numbers({"hidden", "Widths of the hidden layers", true}, stored.hidden, {.minimum = 1, .maximum = 512});
    f.text({"parameters",
            "Half-precision numbers, little-endian, as base64: of each layer its weights, then its offsets", true},
           stored.parameters);
}

void agentFields(Fields& f, DegreeAgent& agent, std::vector<StoredMember>& members, std::string& digest) {
    f.text({"title", "What was trained, in a few words", true}, agent.title);
    f.texts({"graphs", "Names of the graphs that it was trained on"}, agent.graphs);
    if (f.reading()) agent.seed = 1; // where it is left out
    f.wholeSeed({"seed", "Of the training"}, agent.seed, 1);
    f.object({"network", "Shape of the optical network that it is for", true}, "network", [&] {
        const IntegerRule side{.minimum = 1, .maximum = 64, .fallback = 1};
        f.count({"groups", "Communication groups", true}, agent.network.groups, side);
        f.count({"racks", "Racks of each group", true}, agent.network.racks, side);
        f.count({"servers", "Servers of each rack; at most 64 in all", true}, agent.network.servers, side);
    });
    f.text({"digest", "Of all parameters, 16 hexadecimal digits", true}, digest);
    f.list({"members", "Nets, each for rules and a law", true}, "member", members,
           [&](StoredMember& member) { memberFields(f, member); });
    f.text({.name = "configuration", .help = "Of the training, as its file said it", .lines = true},
           agent.configuration);
}

std::string parametersDigest(const std::vector<AgentMember>& members) {
    Fnv digest;
    for (const AgentMember& member : members)
        for (const float number : member.net->parameters) {
            const std::uint16_t half = toHalf(number);
            digest.add(&half, sizeof half);
        }
    return digest.text();
}

/// The net, or what is wrong with it.
std::optional<Text> unpack(StoredMember& stored, const AfterStates& states) {
    DegreeNet net{.hidden = {}, .parameters = {}, .shape = stored.shape, .mayRefuse = stored.mayRefuse};
    net.hidden.assign(stored.hidden.begin(), stored.hidden.end());
    if (net.hidden.empty()) return Text{TRAINYARD_TEXT("the net has no hidden layer"), {}};
    const auto bytes = fromBase64(stored.parameters);
    if (!bytes) return Text{TRAINYARD_TEXT("the parameters are no base64; the file may have been cut off"), {}};
    const std::size_t wanted = parameterCount(net.shape, net.hidden, states);
    if (bytes->size() != 2 * wanted)
        return Text{TRAINYARD_TEXT("the net has {0} parameters; its layers need {1}"),
                    {std::to_string(bytes->size() / 2), std::to_string(wanted)}};
    for (std::size_t i = 0; i < wanted; ++i) {
        const auto half = static_cast<std::uint16_t>((*bytes)[2 * i] | (*bytes)[2 * i + 1] << 8);
        if ((half >> 10 & 31) == 31)
            return Text{TRAINYARD_TEXT("parameter {0} of the net is not a finite number"), {std::to_string(i)}};
        net.parameters.push_back(fromHalf(half));
    }
    stored.member.net = std::make_shared<const DegreeNet>(std::move(net));
    for (std::size_t i = 0; i < std::min(stored.steps.size(), stored.rewards.size()); ++i)
        stored.member.curve.push_back({static_cast<std::uint64_t>(stored.steps[i]), stored.rewards[i]});
    return std::nullopt;
}

void unpackAll(DegreeAgent& agent, std::vector<StoredMember>& members, const std::string& digest, Problems& problems) {
    const auto damaged = [&](Text message, std::string pointer) {
        problems.push_back({.code = "damaged-agent", .message = std::move(message), .pointer = std::move(pointer)});
    };
    if (agent.network.serverCount() > OpticalNetwork::mostServers || agent.network.racks > agent.network.groups)
        return damaged({TRAINYARD_TEXT("no optical network has this shape"), {}}, "/network");
    const AfterStates states(std::make_shared<const ServerBlocks>(agent.network));
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::string pointer = "/members/" + std::to_string(i);
        if (auto wrong = unpack(members[i], states)) return damaged(std::move(*wrong), pointer);
        if (members[i].member.quantiles.size() != 19)
            return damaged({TRAINYARD_TEXT("there must be 19 quantiles"), {}}, pointer + "/quantiles");
        agent.members.push_back(std::move(members[i].member));
    }
    if (agent.members.empty()) return damaged({TRAINYARD_TEXT("the agent has no net"), {}}, "/members");
    if (digest != parametersDigest(agent.members))
        damaged({TRAINYARD_TEXT("the parameters are not those that the digest was made of; the file was changed"), {}},
                "/digest");
}

} // namespace

std::string writeAgent(const DegreeAgent& agent) {
    DegreeAgent copy = agent;
    std::vector<StoredMember> members;
    for (const AgentMember& member : agent.members) members.push_back(stored(member));
    std::string digest = parametersDigest(agent.members);
    return writeVersioned(agentFormat, [&](Fields& f) { agentFields(f, copy, members, digest); });
}

Result<std::shared_ptr<const DegreeAgent>> parseAgent(std::string_view text, const std::string& name) {
    DegreeAgent agent;
    std::vector<StoredMember> members;
    std::string digest;
    Problems problems = readVersioned(
        text, name, agentFormat, [&](Fields& f) { agentFields(f, agent, members, digest); },
        [&](Problems& found) {
            if (!hasErrors(found)) unpackAll(agent, members, digest, found);
        });
    if (hasErrors(problems)) return problems;
    Fnv contents;
    contents.add(text.data(), text.size());
    agent.digest = contents.text();
    return {std::make_shared<const DegreeAgent>(std::move(agent)), std::move(problems)};
}

Result<std::shared_ptr<const DegreeAgent>> readAgent(const std::filesystem::path& file) {
    const auto text = readWholeFile(file, largestAgent);
    if (!text) return text.problems();
    return parseAgent(*text, file.string());
}

Result<std::filesystem::path> agentPath(const std::string& name, const ResourcePaths& resources) {
    const std::filesystem::path given(name);
    if (!isLocalPath(name))
        return Problem{
            .code = "bad-path",
            .message = {TRAINYARD_TEXT("\"{0}\" is no name of an agent: it must be one that ships ({1}), or a "
                                       "file in this directory or below, without \"..\""),
                        {name, joinWords(shippedAgents(resources), 20)}}};
    std::error_code ignored;
    const std::filesystem::path shipped = resources.root / "agents" / (name + ".json");
    if (!given.has_parent_path() && std::filesystem::exists(shipped, ignored)) return shipped;
    return given;
}

std::vector<std::string> shippedAgents(const ResourcePaths& resources) {
    std::vector<std::string> out;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(resources.root / "agents", ignored)) {
        const std::string stem = entry.path().stem().string(); // NAME.training.json is a configuration
        if (entry.path().extension() == ".json" && stem != "schema" && stem.find('.') == std::string::npos)
            out.push_back(stem);
    }
    std::ranges::sort(out);
    return out;
}

} // namespace trainyard
