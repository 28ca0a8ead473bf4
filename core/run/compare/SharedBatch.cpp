// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A batch that several processes run: the first hands out one run at a time to whoever asks, and runs some itself; what comes back is
// kept and told as its own.
#include "run/compare/RunBatch.h"

#include "base/Parallel.h"
#include "run/files/RecordJson.h"
#include "scenario/ScenarioFile.h"
#include "scenario/agents/PolicyFileReading.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <set>
#include <thread>

namespace trainyard {

namespace shared_batch {

using Json = nlohmann::ordered_json;

constexpr int toFirst = 1, toThread = 2; ///< tags; threads of a process have one each
constexpr const char* leaving = "leaving";
constexpr std::chrono::milliseconds betweenLooks(1); ///< of the first process, whose core others use
/// After a run that took less, a thread asks for another before it begins the one it has: it need not wait for the answer then.
/// After longer ones waiting is a small part, and a run in reserve could leave other processes idle at the end.
constexpr std::chrono::milliseconds shortRun(100);

} // namespace shared_batch

using namespace shared_batch;

/// Scenarios beyond the first are looked at up to some number: it is to be quick.
std::uint64_t RunBatch::identity(std::size_t from, std::size_t to) const {
    constexpr std::size_t most = 32;
    std::string text = TRAINYARD_VERSION + std::string(" ") + std::to_string(from) + " " + std::to_string(to) + " " +
                       std::string(modeName(m_settings.mode));
    std::set<const Scenario*> seen;
    for (std::size_t i = from; i < to && seen.size() < most; ++i)
        if (const Scenario* scenario = runs[i].scenario.get(); scenario && seen.insert(scenario).second)
            text += writeScenario(withFileDigests(*scenario, *m_settings.registry, m_settings.resources)) +
                    std::to_string(runs[i].seed);
    return std::hash<std::string>()(text);
}

std::string RunBatch::message(const EndedRun& run) const {
    Json json{{"number", run.number}, {"how", static_cast<int>(run.how)}};
    for (const Problem& problem : run.problems) json["problems"].push_back(problemJson(problem));
    if (run.how == EndedRun::How::value) json["texts"] = write(run.number);
    return json.dump();
}

EndedRun RunBatch::fromMessage(const std::string& text) {
    const Json json = Json::parse(text);
    EndedRun run{.number = json.at("number").get<std::size_t>(),
                 .how = static_cast<EndedRun::How>(json.at("how").get<int>())};
    if (json.contains("problems"))
        for (const Json& problem : json.at("problems")) run.problems.push_back(problemFrom(problem));
    if (run.how == EndedRun::How::value && !read(run.number, json.at("texts").get<std::vector<std::string>>())) {
        run.how = EndedRun::How::failed;
        run.problems.push_back(
            {.code = "run-failed", .message = {TRAINYARD_TEXT("the result of another process could not be read"), {}}});
    }
    return run;
}

void RunBatch::handOut() {
    BatchProcesses& processes = *m_settings.processes;
    const auto serve = [&] {
        using Clock = std::chrono::steady_clock;
        std::vector<Clock::time_point> heard(processes.size(), Clock::now());
        heard.front() = Clock::time_point::max(); // of those of whom nothing is expected
        for (std::size_t others = processes.size() - 1; others > 0;) {
            const auto asked = processes.poll(toFirst);
            if (!asked) {
                std::this_thread::sleep_for(betweenLooks);
                if (m_next < m_order.size()) continue;
                for (std::size_t rank = 0; rank < heard.size(); ++rank)
                    if (heard[rank] < Clock::now() - processes.patience) {
                        processes.isWaitedFor(rank);
                        heard[rank] = Clock::time_point::max();
                    }
                continue;
            }
            heard[asked->from] = asked->text == leaving ? Clock::time_point::max() : Clock::now();
            if (asked->text == leaving) {
                --others;
                continue;
            }
            if (const Json json = Json::parse(asked->text); json.contains("thread")) {
                const auto number = m_settings.stop.stop_requested() ? std::nullopt : takeNext();
                processes.send(asked->from, toThread + json.at("thread").get<int>(),
                               number ? std::to_string(*number) : std::string());
            } else {
                EndedRun run = fromMessage(asked->text);
                keep(run);
                tell(run);
            }
        }
    };
    const std::jthread server(serve);
    computeHere();
}

void RunBatch::takePart() {
    BatchProcesses& processes = *m_settings.processes;
    if (m_settings.mode == RunMode::simulate) {
        const Parallel threads(m_settings.threads);
        threads.forEach(static_cast<std::size_t>(threads.threads()), [&](std::size_t thread) {
            const auto ask = [&] { processes.send(0, toFirst, Json{{"thread", thread}}.dump()); };
            ask();
            for (bool wasShort = false;;) {
                const std::string number = processes.receive(0, toThread + static_cast<int>(thread));
                if (number.empty()) return;
                const bool hasAsked = wasShort;
                if (hasAsked) ask();
                const auto begin = std::chrono::steady_clock::now();
                const EndedRun run = compute(std::stoull(number));
                wasShort = std::chrono::steady_clock::now() - begin < shortRun;
                if (!hasAsked) ask();
                processes.send(0, toFirst, message(run)); // kept while this one computes
                release(run.number);
            }
        });
        processes.send(0, toFirst, leaving);
    }
    const Json all = Json::parse(processes.fromFirst({}));
    for (const Json& each : all) {
        EndedRun run = fromMessage(each.get<std::string>());
        tell(run);
    }
}

void RunBatch::tellOthers() { m_settings.processes->fromFirst(Json(std::exchange(m_told, {})).dump()); }

} // namespace trainyard
