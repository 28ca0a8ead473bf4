// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "RenderCharts.h"

#include "Common.h"

#include "run/files/RunFiles.h"

#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

extern char** environ;

namespace trainyard::cli {

namespace {

constexpr int pollMilliseconds = 20, patiencePolls = 20; // it cleans up in less than .4 seconds, or is killed

/// This program's, and how messages are to name the directory that the child works in (export/Render.h).
std::vector<std::string> environmentFor(const std::string& shown) {
    std::vector<std::string> out;
    for (char** entry = environ; *entry; ++entry) out.emplace_back(*entry);
    if (!shown.empty()) out.push_back("TRAINYARD_SHOWN_DIRECTORY=" + readableName(shown));
    return out;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {
    std::vector<char*> out;
    for (std::string& word : words) out.push_back(word.data());
    out.push_back(nullptr);
    return out;
}

/// The child must not inherit the signals that Interrupt keeps blocked; the names of its files, on its standard output, are not asked
/// for.
pid_t start(const std::filesystem::path& program, std::vector<std::string> words, const std::string& directory,
            const std::string& shown, int& error) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
    words.insert(words.begin(), program.string());
    std::vector<std::string> environment = environmentFor(shown);
    pid_t child = -1;
    error = posix_spawn(&child, program.c_str(), &actions, &attributes, pointersTo(words).data(),
                        pointersTo(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : -1;
}

/// Waits for its end; asked to stop, it is asked once, and killed where it does not. Its status.
int waitFor(pid_t child, const std::stop_token& stop) {
    int status = 0;
    for (int polls = 0; waitpid(child, &status, WNOHANG) == 0;) {
        if (stop.stop_requested()) {
            if (polls == 0) kill(child, SIGTERM);
            if (++polls == patiencePolls) kill(child, SIGKILL);
        }
        const timespec pause{0, pollMilliseconds * 1'000'000L};
        nanosleep(&pause, nullptr);
    }
    return status;
}

std::size_t chartsIn(const std::filesystem::path& directory) { // 0 also where there is no such directory
    std::size_t charts = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
        const std::string ending = it->path().extension().string();
        charts += ending == ".svg" || ending == ".pdf" || ending == ".png";
    }
    return charts;
}

bool isEnding(int signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGHUP; }

/// How the renderer ended.
struct Rendered {
    enum class How { done, failed, notInstalled, notStarted } how = How::done;
    bool stopped = false, hasSaid = false; ///< the second: how far it came
    std::string why = {};                  ///< it failed
};

/// `trainyard` with these words, in the directory if there is one (its name need not be UTF-8). That it cannot be started goes to
/// standard error.
Rendered render(const std::vector<std::string>& words, const std::stop_token& stop, const std::string& directory = {},
                const std::string& shown = {}) {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "trainyard";
    if (error || access(program.c_str(), X_OK) != 0) {
        say("no charts: the program trainyard is not installed beside trainyard-cli");
        return {.how = Rendered::How::notInstalled};
    }
    int failure = 0;
    const pid_t child = start(program, words, directory, shown, failure);
    if (child < 0) {
        say("no charts: " + program.string() + ": " + std::strerror(failure));
        return {.how = Rendered::How::notStarted};
    }
    const int status = waitFor(child, stop);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
    const bool killed = WIFSIGNALED(status), said = !killed && isEnding(WEXITSTATUS(status) - 128);
    return {.how = Rendered::How::failed,
            .stopped = said || stop.stop_requested() || (killed && isEnding(WTERMSIG(status))),
            .hasSaid = said,
            .why = killed ? "trainyard --render was ended by signal " + std::to_string(WTERMSIG(status))
                          : std::string("trainyard --render failed")};
}

} // namespace

bool renderCharts(const std::string& recordDirectory, const std::string& shown, const std::stop_token& stop) {
    const Rendered result = render({"--render", ".", "--out", picturesFolder, "--formats", "svg,png,csv"}, stop,
                                   recordDirectory, (std::filesystem::path(shown) / picturesFolder).string());
    if (result.how == Rendered::How::failed && !result.hasSaid) {
        const std::size_t charts = chartsIn(std::filesystem::path(recordDirectory) / picturesFolder);
        const std::string there =
            charts == 0 ? "there are none" : std::to_string(charts) + (charts == 1 ? " is" : " are") + " there";
        if (result.stopped)
            say("stopped while charts were drawn: " + there);
        else
            say(charts == 0 ? "no charts: " + result.why : "not all charts were drawn: " + result.why + "; " + there);
    }
    return result.how == Rendered::How::done || result.how == Rendered::How::notInstalled;
}

bool renderView(const std::string& recordDirectory, const std::string& view, const std::vector<std::string>& arguments,
                const std::string& file, const std::stop_token& stop) {
    std::vector<std::string> words{"--render", recordDirectory, "--view", view};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {"-o", file});
    const Rendered result = render(words, stop);
    if (result.how == Rendered::How::failed && !result.hasSaid)
        say(result.stopped ? "stopped before the chart was drawn" : "no chart: " + result.why);
    return result.how == Rendered::How::done;
}

} // namespace trainyard::cli
