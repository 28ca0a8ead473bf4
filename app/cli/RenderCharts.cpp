// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "RenderCharts.h"

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

/// The child must not inherit the signals that Interrupt keeps blocked; the names of its files, on its standard output, are not asked
/// for.
pid_t start(const std::filesystem::path& program, std::vector<std::string> words, const std::string& directory,
            int& error) {
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
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = -1;
    error = posix_spawn(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : -1;
}

enum class Rendered { done, failed, notInstalled };

/// `trainyard` with these words, in the directory if there is one (its name need not be UTF-8); the reason why not goes to standard
/// error.
Rendered render(const std::vector<std::string>& words, const std::stop_token& stop, const std::string& directory = {}) {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "trainyard";
    if (error || access(program.c_str(), X_OK) != 0) {
        say("no charts: the program trainyard is not installed beside trainyard-cli");
        return Rendered::notInstalled;
    }
    int failure = 0;
    const pid_t child = start(program, words, directory, failure);
    if (child < 0) {
        say("no charts: " + program.string() + ": " + std::strerror(failure));
        return Rendered::failed;
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (stop.stop_requested()) kill(child, SIGTERM);
        const timespec pause{0, 20'000'000};
        nanosleep(&pause, nullptr);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return Rendered::done;
    say("no charts: trainyard --render failed");
    return Rendered::failed;
}

} // namespace

bool renderCharts(const std::string& recordDirectory, const std::stop_token& stop) {
    return render({"--render", ".", "--out", "."}, stop, recordDirectory) != Rendered::failed;
}

bool renderView(const std::string& recordDirectory, const std::string& view, const std::vector<std::string>& arguments,
                const std::string& file, const std::stop_token& stop) {
    std::vector<std::string> words{"--render", recordDirectory, "--view", view};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {"-o", file});
    return render(words, stop) == Rendered::done;
}

} // namespace trainyard::cli
