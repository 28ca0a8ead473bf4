// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/SlurmScripts.h"

#include <algorithm>
#include <charconv>

namespace trainyard {

namespace slurm_scripts {

/// "1-8" or "1-8%4"; 0: neither.
std::size_t tasksIn(std::string_view array) {
    std::size_t last = 0;
    if (!array.starts_with("1-")) return 0;
    const char* end = array.data() + array.size();
    const auto read = std::from_chars(array.data() + 2, end, last);
    if (read.ec != std::errc{} || last > 1'000'000) return 0;
    if (read.ptr == end) return last;
    std::size_t most = 0;
    const auto second = *read.ptr == '%' ? std::from_chars(read.ptr + 1, end, most) : read;
    return second.ec == std::errc{} && second.ptr == end && most > 0 ? last : 0;
}

std::string words(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& word : all) text += " " + shellWord(word);
    return text;
}

std::string head(const SlurmJobs& jobs, const std::string& log) {
    std::string text = "#!/bin/sh\n# Written by trainyard-cli " TRAINYARD_VERSION ".\n#SBATCH --job-name=trainyard\n"
                       "#SBATCH --requeue --open-mode=append --output=" +
                       shellWord(log) + "\n";
    if (!jobs.options.empty()) text += "#SBATCH" + words(jobs.options) + "\n";
    return text;
}

std::string place(const SlurmJobs& jobs) {
    return jobs.directory.empty() ? "" : "cd " + shellWord(jobs.directory) + " || exit 1\n";
}

/// The command, on the cores that the job has.
std::string commandOf(const SlurmJobs& jobs) {
    const bool hasThreads = std::ranges::any_of(
        jobs.command, [](const std::string& word) { return word == "--threads" || word.starts_with("--threads="); });
    return shellWord(jobs.program) + words(jobs.command) +
           (hasThreads ? "" : " --threads \"${SLURM_CPUS_ON_NODE:-1}\"");
}

} // namespace slurm_scripts

using namespace slurm_scripts;

std::string shellWord(const std::string& word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
    std::string text = "'";
    for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

Problems SlurmJobs::take(const std::vector<std::string>& given) {
    for (std::size_t i = 0; i < given.size(); ++i) {
        std::string array;
        if (given[i].starts_with("--array="))
            array = given[i].substr(8);
        else if ((given[i] == "--array" || given[i] == "-a") && i + 1 < given.size())
            array = given[++i];
        else {
            if (given[i].find('\n') != std::string::npos)
                return {{.code = "bad-usage",
                         .message = {TRAINYARD_TEXT("an option for sbatch has more than one line: {0}"), {given[i]}}}};
            options.push_back(given[i]);
            continue;
        }
        tasks = tasksIn(array);
        if (tasks == 0)
            return {{.code = "bad-usage",
                     .message = {TRAINYARD_TEXT("the array must be 1-N, or 1-N%M for at most M tasks at a time, such "
                                                "as --array=1-8; got {0}"),
                                 {array}}}};
        const auto share = array.find('%');
        atATime = share == std::string::npos ? "" : array.substr(share);
    }
    return {};
}

std::string SlurmJobs::taskLine() const {
    const std::string task = "\"$SLURM_ARRAY_TASK_ID/" + std::to_string(tasks) + "\"";
    return "exec " + commandOf(*this) + " --shard " + task + " --resume --out " + shellWord(out) +
           "/shards/\"$SLURM_ARRAY_TASK_ID\" >/dev/null\n";
}

std::string SlurmJobs::arrayScript() const {
    return head(*this, out + "/shards/%a.log") + "#SBATCH --array=1-" + std::to_string(tasks) + atATime +
           "\n# A task that is requeued goes on with the runs that are not in its directory.\n" + place(*this) +
           taskLine();
}

std::string SlurmJobs::mergeScript() const {
    return head(*this, out + "/merge.log") + place(*this) + shellWord(program) + " merge " + shellWord(out) +
           "/shards/*/ --out " + shellWord(out) +
           "\n# What tasks have left out is computed here; then the exports are written.\nexec " + commandOf(*this) +
           " --resume --out " + shellWord(out) + "\n";
}

} // namespace trainyard
