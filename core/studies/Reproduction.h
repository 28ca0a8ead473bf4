// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Studies: the claims of a published system, each measured anew by running scenarios, and judged by what was measured, for
// `trainyard-cli reproduce` and Claims. A new study is one file, one line of the list in Reproduction.cpp and one test.
#include "base/Result.h"
#include "learning/DataSet.h"
#include "policy/Registry.h"
#include "run/compare/BatchProcesses.h"
#include "run/compare/ResultStore.h"
#include "run/compare/Statistics.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace trainyard {

struct Claim {
    std::string id;     ///< stable, for scripts: "c1/full-sync/time-to-0.1"
    std::string claim;  ///< one sentence
    std::string source; ///< who says so: "Egger et al. 2023, abstract", "derived: …", "measured before: …"
    std::string unit;   ///< of expected and measured; "1" for pure numbers
    std::optional<double> expected; ///< empty: only a direction is claimed
    std::optional<double> measured; ///< empty: nothing could be measured, and the claim does not hold
    std::optional<std::pair<double, double>> interval; ///< of measured, 95 %
    std::size_t n = 0;                                 ///< independent observations behind it
    bool holds = false;                                ///< computed from the measurement
    bool undecided = false; ///< it does not hold, and its opposite does not either: the interval has room for both
    std::string finding;    ///< how it was judged, and, where it does not hold, what was found instead
};

/// Numbers behind the claims, written as CSV by --out.
struct StudyTable {
    std::string name; ///< of the file, without ending
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
};

/// A number for each pair of a column and a row, as a heat map.
struct StudyMap {
    std::string title;   ///< unique in a study
    std::string meaning; ///< what the number is, in one sentence
    std::vector<std::string> columns, rows;
    std::vector<double> values;     ///< by row, then column; NaN: none
    std::vector<std::string> notes; ///< likewise: what more is known of it; may be empty
    friend bool operator==(const StudyMap&, const StudyMap&) = default;
};

struct StudyReport {
    std::vector<Claim> claims;
    std::vector<StudyTable> tables;
    std::vector<StudyMap> maps;
    Problems problems; ///< of runs that failed, or of scenarios that could not be read
    bool stopped = false;
    std::map<std::pair<std::int64_t, std::uint64_t>, int> executed; ///< runs so far, by scenario as kept and seed
};

struct StudyRequest {
    std::shared_ptr<const Registry> registry;
    ResourcePaths resources;
    std::filesystem::path scenarios; ///< the folder scenarios/
    std::filesystem::path out;       ///< where an answer may leave files of its own; empty: nowhere
    bool quick = false;              ///< fewer seeds: wider intervals, the same claims
    int threads = 0;
    KeptResults kept;
    std::string part;                           ///< "study/part" that is run; set by Study::run
    std::map<std::string, std::string> options; ///< of the study, by name: those that were given
    /// Runs of others are left out, and so are executed ones: what the report says then is of no use, but results are kept.
    std::size_t shard = 0, shards = 1;
    std::shared_ptr<BatchProcesses> processes; ///< that share the runs; null: this one alone
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t all)> progress; ///< any thread, one at a time
};

/// An option of `reproduce` that some studies have: --NAME VALUE.
struct StudyOption {
    std::string name, value, help;
    std::string question = {};           ///< whose it is; empty: of measuring
    std::vector<std::string> words = {}; ///< what it can be; empty: anything
};

struct StudyRequest;

/// What a study tells on request instead of measuring its claims: --NAME VALUE.
struct StudyQuestion {
    std::string name, help;
    std::function<Result<std::string>(const StudyRequest&, const std::string& given)> answer; ///< as JSON
    std::string value = "FILE";
};

/// Independent of the others of its study; adds claims and tables to the report.
struct StudyPart {
    std::string id;
    std::function<void(const StudyRequest&, StudyReport&)> run;
};

struct Study {
    std::string id, title, summary;
    std::vector<StudyPart> parts;
    std::vector<StudyOption> options = {};
    std::vector<StudyQuestion> questions = {};
    /// All parts, or the one named, which exists; ends early when stopped.
    StudyReport run(const StudyRequest& request, const std::string& part = {}) const;
};

const std::vector<Study>& studies();

/// Sets `holds` of claims that were judged by p values together: a claim holds unless Holm's correction at
/// `level` rejects that measured and expected are equal. `pValues` in the order of `claims`.
void judgeTogether(std::vector<Claim*> claims, const std::vector<double>& pValues, double level);

} // namespace trainyard
