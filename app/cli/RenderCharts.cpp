#include "RenderCharts.h"

#include <csignal>
#include <ctime>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

extern char** environ;

namespace trainyard::cli {

namespace {

/// The child must not inherit the signals that Interrupt keeps blocked; its standard output is not ours to
/// fill.
pid_t startRenderer(const std::filesystem::path& program, const std::string& directory, int& error) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    std::string name = program.string(), render = "--render", record = directory, out = "--out",
                target = directory;
    const std::array<char*, 6> arguments{name.data(), render.data(), record.data(),
                                         out.data(),  target.data(), nullptr};
    pid_t child = -1;
    error = posix_spawn(&child, program.c_str(), &actions, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error == 0 ? child : -1;
}

} // namespace

void renderCharts(const std::string& recordDirectory, const std::stop_token& stop) {
    std::error_code error;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / "trainyard";
    if (error || access(program.c_str(), X_OK) != 0) {
        std::cerr << "no charts: the program trainyard is not installed beside trainyard-cli\n";
        return;
    }
    int failure = 0;
    const pid_t child = startRenderer(program, recordDirectory, failure);
    if (child < 0) {
        std::cerr << "no charts: " << program.string() << ": " << std::strerror(failure) << "\n";
        return;
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (stop.stop_requested()) kill(child, SIGTERM);
        const timespec pause{0, 20'000'000};
        nanosleep(&pause, nullptr);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) std::cerr << "no charts: trainyard --render failed\n";
}

} // namespace trainyard::cli
