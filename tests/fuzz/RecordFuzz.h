// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What must hold for any bytes in the files of a run: reading answers, a refusal says why, and what is accepted can be folded, measured
// and drawn. Shared by the fuzzers and by the replay of their corpus (tests/core/tst_FuzzCorpus).
#include "analysis/RunIndex.h"
#include "analysis/View.h"
#include "fuzz/ScenarioFuzz.h"
#include "planning/LawFit.h"
#include "record/ClusterState.h"
#include "record/Metrics.h"
#include "run/AtomicFile.h"
#include "run/EventFile.h"
#include "run/MeasuredTimes.h"
#include "run/RecordJson.h"
#include "run/RunFiles.h"
#include "run/RunSession.h"
#include "run/TinyScenario.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <fstream>

namespace trainyard::test {

inline void holdIn(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    demand(out.flush().good(), "a file could not be written");
}

inline void checkProblems(const Problems& problems) {
    demand(hasErrors(problems), "refused without an error");
    for (const Problem& problem : problems) demand(!problem.message.english().empty(), "a problem without text");
}

/// A run that is whole, in a directory: what damaged files are put beside.
class WholeRun {
public:
    explicit WholeRun(std::filesystem::path directory) : m_directory(std::move(directory)) {
        Scenario scenario = tinyScenario(4);
        scenario.horizonSeconds = 60;
        RunSession session(requestFor(scenario));
        session.wait();
        const RunRecord record = recordOf(session, "tiny.json");
        m_workload = record.workload;
        demand(writeRecord(record, m_directory).empty() && writeRunFiles(m_directory, record.digest).empty(),
               "the run could not be written");
        for (const char* name : files) {
            std::ifstream in(m_directory / name, std::ios::binary);
            m_texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
        }
    }
    static constexpr std::array<const char*, 5> files{"record.json", "scenario.json", "events.bin", "explanations.json",
                                                      "files.json"};
    const std::filesystem::path& directory() const { return m_directory; }
    std::shared_ptr<const Workload> workload() const { return m_workload; }
    const std::string& text(std::size_t file) const { return m_texts[file]; }

private:
    std::filesystem::path m_directory;
    std::shared_ptr<const Workload> m_workload;
    std::vector<std::string> m_texts;
};

/// All that is made of a log that is accepted: none of it may fail, whatever the numbers.
inline void drawAll(const RunSource& source, SimTime end) {
    RunIndex index(source);
    while (index.behind()) index.update(1000);
    for (const View& view : views()) (void)wholePicture(view, {.run = index, .at = end, .mostPoints = 100});
}

/// The first byte says which file of the run the others are.
inline void checkRecord(const WholeRun& run, std::string_view bytes) {
    if (bytes.empty()) return;
    const std::size_t file = static_cast<unsigned char>(bytes[0]) % WholeRun::files.size();
    const auto path = run.directory() / WholeRun::files[file];
    holdIn(path, bytes.substr(1));
    const auto record = readRecord(run.directory());
    const Problems verified = verifyRunDirectory(run.directory());
    (void)readRecipe(path);
    if (!record) {
        checkProblems(record.problems());
        demand(hasErrors(verified), "a directory is verified whose record is refused");
    } else {
        (void)jobsJson(*record).dump();
        drawAll({nullptr, record->seed, record->workload, record->log, record->explanations, {}}, record->state->now());
    }
    holdIn(path, run.text(file));
}

/// The first byte says whether a header is to be made for the others, which are then events alone.
inline void checkEvents(const WholeRun& run, std::string_view bytes) {
    if (bytes.empty()) return;
    const auto path = run.directory() / "fuzzed.bin";
    std::string file(bytes.substr(1));
    if (bytes[0] & 1) {
        const std::uint64_t count = file.size() / 32;
        file = run.text(2).substr(0, 16) + std::string(8, '\0') + file.substr(0, count * 32);
        for (int i = 0; i < 8; ++i) file[16 + static_cast<std::size_t>(i)] = static_cast<char>(count >> (8 * i));
    }
    holdIn(path, file);
    const auto log = readEventFile(path);
    if (!log) return checkProblems(log.problems());
    ClusterState state(run.workload());
    try {
        for (std::size_t i = 0; i < (*log)->size(); ++i) {
            const Event& event = (**log)[i];
            if (eventName(event.type) == "none") return;
            state.apply(event);
        }
    } catch (const InvariantError&) { return; } // told apart by the fold
    (void)computeMetrics(*run.workload(), **log, state.now());
    drawAll({nullptr, 5, run.workload(), *log, nullptr, {}}, state.now());
}

/// The first line names the column, the others are the file.
inline void checkTimes(const std::filesystem::path& path, std::string_view bytes) {
    const auto end = std::min(bytes.find('\n'), bytes.size());
    holdIn(path, bytes.substr(std::min(end + 1, bytes.size())));
    const auto times = readMeasuredTimes(path, std::string(bytes.substr(0, end)));
    if (!times) return checkProblems(times.problems());
    for (const double time : *times) demand(std::isfinite(time) && time > 0, "a time that is none");
    const auto fit = fitLaws(*times);
    if (!fit) return checkProblems(fit.problems());
    demand(fit->n == times->size() && fit->least <= fit->greatest, "a fit of other times");
}

} // namespace trainyard::test
