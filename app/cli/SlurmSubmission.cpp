// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "SlurmSubmission.h"

#include "Common.h"

#include "base/WholeFile.h"
#include "run/compare/SlurmScripts.h"
#include "run/files/AtomicFile.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

namespace trainyard::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t scriptBytes = 1 << 20;

Problem slurmProblem(const char* pattern, std::vector<std::string> what = {}) {
    return {.code = "bad-usage", .message = {pattern, std::move(what)}};
}

/// The first line that a command prints; nullopt: it failed. Its errors go to standard error.
std::optional<std::string> firstLine(const std::string& command, int* status = nullptr) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (!pipe) return std::nullopt;
    std::string text;
    for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    const int ended = pclose(pipe);
    if (status) *status = ended;
    if (ended != 0) return std::nullopt;
    return text.substr(0, text.find('\n'));
}

/// The words of the command that its jobs repeat.
std::vector<std::string> repeatedWords(const std::vector<std::string>& words) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == "--out")
            ++i;
        else if (words[i] != "--resume" && !words[i].starts_with("--slurm") && !words[i].starts_with("--out="))
            out.push_back(words[i]);
    return out;
}

Problems unsuited(const KeepOptions& keep, const std::string& file, const std::string& out) {
    Problems problems;
    std::error_code none;
    if (keep.processes) problems.push_back(slurmProblem(TRAINYARD_TEXT("--slurm submits jobs: leave out mpirun")));
    if (!keep.shard.empty())
        problems.push_back(slurmProblem(
            TRAINYARD_TEXT("with --slurm each task has a shard of its own: leave out --shard {0}"), {keep.shard}));
    if (out.empty())
        problems.push_back(slurmProblem(
            TRAINYARD_TEXT("--slurm needs --out DIR, a directory that all machines of the cluster share")));
    if (!file.empty() && !fs::is_regular_file(file, none) && !fs::is_directory(file, none))
        problems.push_back(slurmProblem(
            TRAINYARD_TEXT("with --slurm the jobs read the scenario: give a file instead of {0}"), {file}));
    return problems;
}

/// That the directory has runs of another command, or jobs that are not over.
Problems taken(const SlurmJobs& jobs, bool submits) {
    const fs::path out = jobs.out;
    const auto script = readWholeFile(out / SlurmJobs::arrayFile, scriptBytes);
    if (script && !script->ends_with("\n" + jobs.taskLine()))
        return {slurmProblem(TRAINYARD_TEXT("{0} has the runs of another command or another number of tasks, of which "
                                            "{1} tells; choose another directory for --out"),
                             {readableName(jobs.out), SlurmJobs::arrayFile})};
    const auto before = readWholeFile(out / "jobs", scriptBytes);
    if (!submits || !before) return {};
    const std::string ids = before->substr(0, before->find_first_not_of("0123456789,"));
    const auto alive = firstLine("squeue -h -j " + shellWord(ids) + " 2>/dev/null"); // fails where Slurm knows none
    if (!alive || alive->empty()) return {};
    return {slurmProblem(TRAINYARD_TEXT("jobs {0} with runs in {1} are not over; wait, or end them: scancel {0}"),
                         {ids, readableName(jobs.out)})};
}

struct Submitted {
    std::string id;
    int status = exitDone; ///< else why there is no id, which has been said
};

Submitted submit(const std::string& options, const fs::path& script) {
    int status = 0;
    const auto line = firstLine("sbatch --parsable " + options + shellWord(script.string()), &status);
    if (line) return {.id = line->substr(0, line->find(';'))}; // "12;cluster"
    constexpr int notFound = 127 << 8;                         // as a shell says it
    if (status != notFound) return {.status = exitFailed};
    say("there is no sbatch here: submit on a machine of the cluster, or write the scripts with --slurm-script");
    return {.status = exitBadInput};
}

} // namespace

int submitToSlurm(const KeepOptions& keep, const std::string& file, const std::string& out) {
    Problems wrong = unsuited(keep, file, out);
    if (!wrong.empty()) return refuse(wrong);
    std::error_code none;
    SlurmJobs jobs{.program = fs::read_symlink("/proc/self/exe", none).string(),
                   .command = repeatedWords(keep.words),
                   .directory = fs::current_path(none).string(),
                   .out = fs::absolute(out, none).lexically_normal().string()};
    if (jobs.out.ends_with('/')) jobs.out.pop_back();
    wrong = jobs.take(keep.sbatch);
    if (wrong.empty()) wrong = taken(jobs, !keep.slurmScript);
    if (!wrong.empty()) return refuse(wrong);
    const fs::path directory = jobs.out, array = directory / SlurmJobs::arrayFile,
                   merge = directory / SlurmJobs::mergeFile;
    wrong = probeDirectory(directory / "shards");
    if (wrong.empty()) wrong = replaceFile(array, jobs.arrayScript());
    if (wrong.empty()) wrong = replaceFile(merge, jobs.mergeScript());
    if (!wrong.empty()) return refuse(wrong);
    if (keep.slurmScript) {
        std::cout << "To submit:\n  job=$(sbatch --parsable " << shellWord(array.string())
                  << ")\n  sbatch --dependency=afterany:$job " << shellWord(merge.string()) << "\n";
        return exitDone;
    }
    const Submitted first = submit("", array);
    if (first.status != exitDone) return first.status;
    const Submitted second = submit("--dependency=afterany:" + shellWord(first.id) + " ", merge);
    const std::string ids = second.id.empty() ? first.id : first.id + "," + second.id;
    printProblems(replaceFile(directory / "jobs", ids + "\n"));
    std::cout << jobs.tasks << " tasks are submitted as job " << first.id;
    if (!second.id.empty()) std::cout << "; job " << second.id << " puts their results together";
    std::cout << ", in " << readableName(jobs.out) << "\nWatch:  squeue -j " << ids << "\nCancel: scancel " << ids
              << "\nThe same command goes on with what is missing.\n";
    if (second.id.empty())
        say("the job that puts the results together was not accepted; when the array is over, submit " +
            readableName(merge.string()));
    return second.status;
}

} // namespace trainyard::cli
