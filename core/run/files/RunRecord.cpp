// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/files/RunRecord.h"

#include "base/WholeFile.h"
#include "run/files/AtomicFile.h"
#include "run/files/EventFile.h"
#include "run/files/RecordJson.h"
#include "scenario/KeyedModels.h"
#include "scenario/ScenarioFile.h"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {

using Json = nlohmann::ordered_json;

Problem unusableRecord(const std::filesystem::path& path, const std::string& why) {
    return {.code = "damaged-record",
            .message = {TRAINYARD_TEXT("this is not a complete run record: {0}"), {why}},
            .file = path.string()};
}

std::string recordText(const RunRecord& record) {
    Json json{{"format", "trainyard-record"}, {"format_version", 1}};
    Json provenance = provenanceJson(record);
    provenance.erase("scenario"); // it lies beside, as scenario.json
    json.update(provenance);
    json["complete"] = record.complete;
    json["events"] = record.log->size();
    json["end_ns"] = record.state->now().ns;
    json["metrics"] = numbersJson(record.metrics.values);
    json["jobs"] = jobsJson(record);
    return json.dump(2) + "\n";
}

/// One explanation a line, so that neither writing nor reading needs them all as one tree.
Problems writeExplanations(const ExplanationLog& explanations, const std::filesystem::path& path) {
    AtomicFile file(path);
    file.write("[");
    const char* separator = "\n";
    for (const auto& e : explanations) {
        if (file.failed()) break;
        file.write(separator + explanationJson(e).dump());
        separator = ",\n";
    }
    for (std::size_t i = 0; i < explanations.refusals() && !file.failed(); ++i) {
        Json refusal = explanationJson(*explanations.refusal(i));
        refusal["refused"] = true;
        file.write(separator + refusal.dump());
        separator = ",\n";
    }
    file.write("\n]\n");
    return file.commit();
}

Result<std::shared_ptr<const ExplanationLog>> readExplanations(const std::filesystem::path& path) {
    auto text = readWholeFile(path, std::uintmax_t{1} << 32);
    if (!text) return text.problems();
    try {
        auto out = std::make_shared<ExplanationLog>();
        for (const auto& json : readJson(*text))
            if (json.value("refused", false))
                out->addRefusal(explanationFrom(json));
            else
                out->add(explanationFrom(json));
        return std::shared_ptr<const ExplanationLog>(std::move(out));
    } catch (const std::exception& error) { return unusableRecord(path, error.what()); }
}

/// Folds the whole log: a log that another scenario or a damaged disk gave oversteps somewhere.
Result<std::shared_ptr<const ClusterState>> foldWhole(const RunRecord& record, const std::filesystem::path& path) {
    auto state = std::make_shared<ClusterState>(record.workload);
    try {
        for (std::size_t i = 0; i < record.log->size(); ++i) {
            const Event& e = (*record.log)[i];
            if (eventName(e.type) == "none") throw InvariantError("an event has an unknown type");
            state->apply(e);
        }
    } catch (const std::exception& error) { return unusableRecord(path, error.what()); }
    return std::shared_ptr<const ClusterState>(std::move(state));
}

} // namespace

RunRecord recordOf(const RunSession& session, const std::string& scenarioName) {
    RunRecord record;
    const auto frame = session.frame();
    record.scenarioText = writeScenario(*session.request().scenario);
    record.scenarioName = scenarioName;
    record.seed = session.request().seed;
    record.mode = session.request().mode;
    record.version = TRAINYARD_VERSION;
    record.commands = session.commands();
    record.workload = session.workload();
    record.log = session.log();
    require(frame->state && record.log, "a record was requested of a run that never began");
    record.state = frame->state;
    record.digest = record.log->digest();
    record.explanations = session.explanations();
    record.metrics = computeMetrics(*record.workload, *record.log, record.state->now());
    record.complete = frame->status == RunStatus::finished;
    if (frame->status == RunStatus::stopped) record.failure = "stopped";
    for (const auto& problem : frame->problems)
        if (!record.complete && problem.severity == Severity::error) record.failure = problem.text();
    return record;
}

Problems writeRecord(const RunRecord& record, const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        return {{.code = "cannot-make-directory",
                 .message = {TRAINYARD_TEXT("the directory cannot be created: {0}"), {error.message()}},
                 .file = directory.string()}};
    // record.json last: a directory without it is no record, so an interrupted write is recognised.
    for (const auto& write : std::initializer_list<std::function<Problems()>>{
             [&] { return writeFileAtomically(directory / "scenario.json", record.scenarioText); },
             [&] { return writeEventFile(*record.log, directory / "events.bin"); },
             [&] { return writeExplanations(*record.explanations, directory / "explanations.json"); },
             [&] { return writeFileAtomically(directory / "record.json", recordText(record)); }}) {
        Problems problems = write();
        if (!problems.empty()) return problems;
    }
    return {};
}

Result<RunRecord> readRecord(const std::filesystem::path& directory) {
    auto provenance = readRecordProvenance(directory);
    if (!provenance) return provenance.problems();
    RunRecord record;
    static_cast<RunProvenance&>(record) = std::move(provenance).value();
    auto loaded = parseScenario(record.scenarioText, (directory / "scenario.json").string());
    if (!loaded) return loaded.problems();
    auto log = readEventFile(directory / "events.bin");
    if (!log) return log.problems();
    auto explanations = readExplanations(directory / "explanations.json");
    if (!explanations) return explanations.problems();
    record.log = std::move(log).value();
    record.explanations = std::move(explanations).value();
    if (record.log->digest() != record.digest)
        return unusableRecord(directory / "events.bin",
                              "its digest is " + record.log->digest() + ", not the recorded " + record.digest);
    auto workload = withKeyedModels(loaded->scenario, expandWorkload(loaded->scenario, record.seed), record.seed);
    if (!workload) return workload.problems();
    record.workload = std::move(workload).value();
    auto state = foldWhole(record, directory / "events.bin");
    if (!state) return state.problems();
    record.state = std::move(state).value();
    record.metrics = computeMetrics(*record.workload, *record.log, record.state->now());
    return record;
}

} // namespace trainyard
