// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// trainyard-cli chart FILE VIEW: a view of a run as numbers or as a picture.
#include "Commands.h"
#include "Common.h"
#include "Interrupt.h"
#include "RenderCharts.h"

#include "analysis/RunIndex.h"
#include "base/Format.h"
#include "run/files/AtomicFile.h"
#include "run/files/PictureFile.h"
#include "scenario/ScenarioFile.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

namespace trainyard::cli {

namespace {

struct ChartOptions {
    std::string file, view, job, out;
    std::vector<std::string> sets;
    std::optional<double> at;
    std::optional<std::uint64_t> seed;
    bool json = false;
};

/// A directory of its own under the system's, gone with the object.
class TemporaryDirectory {
public:
    TemporaryDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "trainyard-XXXXXX").string();
        if (mkdtemp(name.data())) m_path = name;
    }
    ~TemporaryDirectory() {
        std::error_code ignored;
        if (!m_path.empty()) std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

bool isRecord(const ChartOptions& options) {
    std::error_code none;
    return std::filesystem::exists(std::filesystem::path(options.file) / "events.bin", none) && !options.seed;
}

/// The record in a directory, or that of a run made now.
Result<RunRecord> recordFor(const ChartOptions& options, Interrupt& interrupt) {
    if (isRecord(options)) return readRecord(options.file);
    auto input =
        loadInput({.file = options.file, .sets = {}, .seed = options.seed, .mode = {}, .out = {}}, interrupt.token());
    if (!input) return input.problems();
    printProblems(input.problems());
    interrupt.hold(input->scenario->limits);
    RunSession session({.scenario = input->scenario,
                        .registry = input->registry,
                        .resources = input->resources,
                        .seed = input->seed,
                        .mode = input->mode,
                        .commands = input->commands,
                        .spent = interrupt.elapsed()});
    while (!session.waitFor(std::chrono::milliseconds(50)))
        if (interrupt.requested()) session.stop();
    const auto frame = session.frame();
    if (!frame->state) return frame->problems;
    printProblems(frame->problems);
    return recordOf(session, input->name);
}

Result<JobId> jobNamed(const Workload& workload, const std::string& key) {
    std::string known;
    for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
        if (workload.jobs[j].key == key) return JobId(j);
        if (j < 20) known += (known.empty() ? "" : ", ") + workload.jobs[j].key;
    }
    return Problem{.code = "unknown-job",
                   .message = {TRAINYARD_TEXT("there is no job \"{0}\"; there are {1}"), {key, known}}};
}

/// A line of a table or a text; empty: the run came to its end.
std::string incompleteLine(const RunRecord& record) {
    return record.complete ? "" : "not complete: " + record.failure + "\n";
}

/// What people see of a table, in columns.
void printTable(const Table& table) {
    std::vector<std::vector<std::string>> lines(1);
    std::vector<std::size_t> shown, widths;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (!table.columns[c].title.empty()) shown.push_back(c), lines[0].push_back(table.columns[c].title.english());
    for (const Table::Row& row : table.rows) {
        if (!row.isShown) continue;
        auto& line = lines.emplace_back();
        for (const std::size_t c : shown) {
            const Table::Cell& cell = row.cells[c];
            line.push_back(!cell.text.empty() ? cell.text.english() : cell.value ? quantityText(*cell.value) : "-");
        }
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
        widths.push_back(0);
        for (const auto& line : lines) widths[i] = std::max(widths[i], columnsOf(line[i]));
    }
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const std::string gap(widths[i] - columnsOf(line[i]), ' ');
            text += table.columns[shown[i]].isNumber ? "  " + gap + line[i] : "  " + line[i] + gap;
        }
        std::cout << text.substr(0, text.find_last_not_of(' ') + 1) << "\n";
    }
}

void printPicture(const View& view, const Picture& picture, const RunRecord& record) {
    std::cout << view.title.english() << "\n" << incompleteLine(record);
    if (!emptyOf(picture).empty()) {
        std::cout << emptyOf(picture).english() << "\n";
        return;
    }
    std::cout << meaningOf(picture).english() << "\n";
    if (!cautionOf(picture).empty()) std::cout << "Warning: " << cautionOf(picture).english() << "\n";
    for (const LegendItem& item : legendOf(picture)) {
        const std::string value = item.value ? quantityText(*item.value) : item.text.english();
        if (!value.empty()) std::cout << "  " << item.label.english() << ": " << value << "\n";
    }
    if (const auto* table = std::get_if<Table>(&picture)) printTable(*table);
}

/// As --render takes them; a run that has no record yet gets one first.
bool drawPicture(const ChartOptions& options, const RunRecord& record, const std::stop_token& stop) {
    const TemporaryDirectory directory;
    if (directory.path().empty()) {
        say("no directory for temporary files");
        return false;
    }
    const Problems problems = writeRecord(record, directory.path());
    printProblems(problems);
    if (hasErrors(problems)) return false;
    std::vector<std::string> arguments;
    if (options.at) arguments.insert(arguments.end(), {"--at", formatNumber(*options.at)});
    if (!options.job.empty()) arguments.insert(arguments.end(), {"--job", options.job});
    for (const std::string& set : options.sets) arguments.insert(arguments.end(), {"--set", set});
    return renderView(directory.path(), options.view, arguments, options.out, stop);
}

int chartCommand(const ChartOptions& options) {
    Interrupt interrupt;
    const View& view = *findView(options.view);
    const auto values = optionsFrom(view, options.sets);
    if (!values) return refuse(values.problems());
    const std::string format = std::filesystem::path(options.out).extension().string();
    static const std::vector<std::string> formats{".csv", ".json", ".svg", ".pdf", ".png"};
    if (!options.out.empty() && std::find(formats.begin(), formats.end(), format) == formats.end())
        return refuse({{.code = "unknown-format",
                        .message = {TRAINYARD_TEXT("a chart is written as .csv, .json, .svg, .pdf or .png"), {}},
                        .file = options.out}});
    if (const Problems problems = replacesInput(options.file, options.out); !problems.empty()) return refuse(problems);
    const std::filesystem::path parent = std::filesystem::path(options.out).parent_path();
    if (!parent.empty() && !std::filesystem::is_directory(parent))
        return refuse({{.code = "cannot-write",
                        .message = {TRAINYARD_TEXT("there is no such directory"), {}},
                        .file = parent.string()}});
    const auto record = recordFor(options, interrupt);
    if (!record) return interrupt.exitStatus(refuse(record.problems()));
    RunIndex index(sourceOf(*record));
    index.update();
    JobId job;
    if (!options.job.empty()) {
        const auto found = jobNamed(*record->workload, options.job);
        if (!found) return refuse(found.problems());
        job = *found;
    }
    const SimTime at = options.at ? std::min(index.head(), SimTime::seconds(*options.at)) : index.head();
    const Picture picture = wholePicture(view,
                                         {.run = index,
                                          .job = job,
                                          .at = at,
                                          .options = *values,
                                          .mostPoints = static_cast<std::size_t>(-1),
                                          .isFile = true},
                                         interrupt.token());
    if (interrupt.requested()) {
        say("stopped");
        return interrupt.exitStatus(exitFailed);
    }
    if (!emptyOf(picture).empty()) say(emptyOf(picture).english());
    if (!record->complete && isRecord(options)) say("the run is not complete: " + record->failure);
    // A run made now and cut short failed, as `run` has it; a record of one is shown as what it is.
    const int done = record->complete || isRecord(options) ? exitDone : exitFailed;
    const auto json = [&] {
        auto out = pictureJson(view, picture, *record->workload);
        const JobId shown = view.scope == View::Scope::job ? index.jobWithWorkers(job) : JobId{};
        if (shown.valid()) out["job"] = record->workload->job(shown).key;
        out["at_s"] = at.toSeconds();
        out["complete"] = record->complete;
        if (!record->complete) out["failure"] = record->failure;
        return out.dump(2) + "\n";
    };
    if (options.json)
        std::cout << json();
    else if (options.out.empty())
        printPicture(view, picture, *record);
    if (options.out.empty()) return done;
    if (format != ".csv" && format != ".json")
        return drawPicture(options, *record, interrupt.token()) ? done : interrupt.exitStatus(exitFailed);
    const std::string mark = record->complete ? "" : commentLine("not complete: " + record->failure);
    const Problems problems = replaceFile(options.out, format == ".csv" ? mark + pictureCsv(picture) : json());
    printProblems(problems);
    return problems.empty() ? done : exitFailed;
}

} // namespace

void addChart(CLI::App& app, int& status) {
    auto options = std::make_shared<ChartOptions>();
    CLI::App* command = app.add_subcommand("chart", "A view of a run: its numbers, or a picture of it");
    command->add_option("FILE", options->file, "A scenario, a run record (directory), or a file exported from a run")
        ->required()
        ->type_name("SCENARIO");
    std::vector<std::string> ids;
    for (const View& view : views()) ids.push_back(view.id);
    command->add_option("VIEW", options->view, "Id of the view; trainyard-cli list views names them")
        ->required()
        ->check(CLI::IsMember(ids));
    command->add_option("--job", options->job, "Id of the job; default: the first that has workers");
    requireNonNegative(command->add_option("--at", options->at, "Time in simulated seconds; default: the end"));
    command->add_option("--set", options->sets, "OPTION=VALUE of the view; may be repeated")
        ->type_name("OPTION=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    addSeedOption(*command, options->seed);
    command->add_option("-o,--output", options->out, "FILE.csv, .json, .svg, .pdf or .png")->type_name("FILE");
    command->add_flag("--json", options->json, "One JSON object on standard output");
    command->callback([options, &status] { status = chartCommand(*options); });
}

} // namespace trainyard::cli
