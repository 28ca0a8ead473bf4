// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What must hold for any bytes in the files of a run: reading answers, a refusal says why, and what is accepted can be folded, measured
// and drawn. Shared by the fuzzers and by the replay of their corpus (tests/core/tst_FuzzCorpus).
#include "analysis/RunIndex.h"
#include "analysis/View.h"
#include "base/Random.h"
#include "fuzz/ScenarioFuzz.h"
#include "record/ClusterState.h"
#include "record/Metrics.h"
#include "run/RunSession.h"
#include "run/TinyScenario.h"
#include "run/compare/ComparisonFile.h"
#include "run/compare/ResultStore.h"
#include "run/files/AtomicFile.h"
#include "run/files/EventFile.h"
#include "run/files/RecordJson.h"
#include "run/files/RunFiles.h"
#include "run/import/LawFit.h"
#include "run/import/LossTrace.h"
#include "run/import/MeasuredTimes.h"
#include "run/import/TraceImport.h"
#include "scenario/agents/AgentFile.h"
#include "scenario/agents/AgentPlan.h"
#include "scenario/agents/CheckpointFile.h"
#include "studies/ClaimsFile.h"
#include "support/ImportedData.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <array>
#include <cmath>
#include <fstream>
#include <iterator>

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
    (void)readProvenance(path);
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

/// An exported file; the first byte says after what beginning the others stand.
inline void checkExport(const std::filesystem::path& path, std::string_view bytes) {
    if (bytes.empty()) return;
    constexpr std::array<const char*, 5> beginnings{
        "", "{\"provenance\":", "# trainyard x run=", "%PDF-1.4 run=", "<svg><desc>trainyard run="};
    holdIn(path, beginnings[static_cast<unsigned char>(bytes[0]) % beginnings.size()] + std::string(bytes.substr(1)));
    const auto provenance = readProvenance(path);
    if (!provenance) return checkProblems(provenance.problems());
    if (!*provenance) return;
    if (const auto scenario = parseScenario((*provenance)->scenarioText, path.string()); !scenario)
        checkProblems(scenario.problems());
    if (!(*provenance)->comparison.empty())
        if (const auto comparison = comparisonFrom((*provenance)->comparison); !comparison)
            checkProblems(comparison.problems());
}

/// What comparisons, sweeps and studies keep; the first byte says which of it the others are.
inline void checkResults(const std::filesystem::path& path, std::string_view bytes) {
    if (bytes.empty()) return;
    const std::string text(bytes.substr(1));
    switch (static_cast<unsigned char>(bytes[0]) % 4) {
    case 0:
        if (const auto kept = metricsFrom(text)) demand(metricsFrom(metricsText(*kept)).has_value(), "lost metrics");
        break;
    case 1:
        if (const auto trace = lossTraceFrom(text))
            demand(trace->seconds.size() == trace->loss.size(), "a ragged trace");
        break;
    case 2:
        holdIn(path, text);
        if (const auto claims = readClaims(path); !claims) checkProblems(claims.problems());
        break;
    default:
        holdIn(path, text);
        if (const auto store = ResultStore::open(path)) {
            (void)(*store)->size();
            (void)(*store)->find({.scenario = 1});
        }
        for (const char* beside : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path.string() + beside);
    }
}

/// The first byte says of which format the others are a trace.
inline void checkTrace(const std::filesystem::path& path, std::string_view bytes) {
    if (bytes.empty()) return;
    holdIn(path, bytes.substr(1));
    const auto format = bytes[0] & 1 ? TraceFormat::philly : TraceFormat::tiresias;
    const auto scenario = importTrace(format, path, {.machines = 2, .gpus = 4});
    if (!scenario) return checkProblems(scenario.problems());
    const auto again = parseScenario(writeScenario(*scenario), "imported.json");
    demand(again.ok(), "what was imported is refused");
}

/// Data of keyed models: the first byte says whether the others are such data, with the checksum that they need, or as they are, or a file
/// for an importer.
inline void checkKeyedData(const std::filesystem::path& path, std::string_view bytes) {
    if (bytes.empty()) return;
    constexpr std::array<const char*, 3> formats{"triples", "text", "matrixmarket"};
    const std::size_t which = static_cast<unsigned char>(bytes[0]) % 5;
    std::string file(bytes.substr(1));
    if (which < formats.size()) {
        holdIn(path, file);
        const auto read =
            importedFrom(formats[which],
                         {.file = path, .shown = "file", .scratch = path.parent_path(), .testShare = 0.3, .least = 1});
        if (!read) checkProblems(read.problems());
        return;
    }
    if (which == 3 && file.size() >= 4) {
        const std::size_t end = file.size() - 4;
        const auto sum = crc32(0, reinterpret_cast<const Bytef*>(file.data()), static_cast<uInt>(end));
        for (std::size_t i = 0; i < 4; ++i) file[end + i] = static_cast<char>(sum >> (8 * i));
    }
    KeyedNames names;
    const auto data = readKeyedData(file, "file", &names);
    if (!data) return checkProblems(data.problems());
    demand(keyedDataBytes(*data, names) == file, "data that are written otherwise than they were read");
}

/// JSON that is nested, wide or long, and of kinds that readers rarely meet. `size`: about so many bytes.
inline std::string unusualJson(RandomStream& random, std::size_t size) {
    const auto times = [&](std::string_view piece) {
        std::string out;
        while (out.size() < size) out += piece;
        return out;
    };
    const std::size_t levels = size / 2;
    switch (random.below(9)) {
    case 0: return std::string(levels, '[') + std::string(levels, ']');
    case 1: return std::string(levels, '['); // without an end
    case 2: {
        std::string open, close(size / 6, '}');
        for (std::size_t i = 0; i < close.size(); ++i) open += "{\"a\":";
        return open + "1" + close;
    }
    case 3: return "[" + times("0,") + "0]";
    case 4: return "{" + times("\"a\":1,") + "\"b\":2}"; // one key again and again
    case 5: return "\"" + times("\\u001b\\ud83d\\ude82x") + "\"";
    case 6: return times("9");
    case 7: return "1e" + times("9");
    default: return "{" + times("\"" + std::to_string(random.below(1000)) + "\":[{}],") + "\"\":null}";
    }
}

/// A text with such JSON in place of one of its values.
inline std::string withUnusualJson(const std::string& text, RandomStream& random, std::size_t size) {
    std::vector<std::size_t> values;
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i] == ':') values.push_back(i + 1);
    if (values.empty()) return unusualJson(random, size);
    const std::size_t at = values[random.below(values.size())];
    return text.substr(0, at) + unusualJson(random, size) +
           text.substr(std::min(text.find_first_of(",}\n", at), text.size()));
}

/// What training writes and reads: the first byte says whether the others are an agent, a plan or a checkpoint.
inline void checkAgent(std::string_view bytes) {
    if (bytes.empty()) return;
    const std::string_view text = bytes.substr(1);
    switch (static_cast<unsigned char>(bytes[0]) % 3) {
    case 0: {
        const auto agent = parseAgent(text, "agent.json");
        if (!agent) return checkProblems(agent.problems());
        demand(parseAgent(writeAgent(**agent), "agent.json").ok(), "an agent is refused after it was written");
        break;
    }
    case 1:
        if (const auto plan = parseAgentPlan(text, "plan.json"); !plan) checkProblems(plan.problems());
        break;
    default:
        if (const auto stored = parseStoredCheckpoint(text, "checkpoint.json"); !stored)
            checkProblems(stored.problems());
    }
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
