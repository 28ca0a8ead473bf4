// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Loaded before the C library (LD_PRELOAD), counts the calls of a program that change files, from 1 on, and reads from the environment
// what is to happen:
//   TRAINYARD_END_AT=N     the program is killed before its N-th call
//   TRAINYARD_FAIL_AT=N    the N-th call and all later ones fail: the disk is full
//   TRAINYARD_OLD_SYSTEM=1 neither renameat2 nor files without a name (O_TMPFILE)
//   TRAINYARD_CALLS=FILE   gets the number of calls, when the program ends by itself
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

std::atomic<long> calls = 0;

long setting(const char* name) {
    const char* value = std::getenv(name);
    return value ? std::atol(value) : 0;
}

/// Whether the call may take place.
bool allowed() {
    static const long end = setting("TRAINYARD_END_AT"), failing = setting("TRAINYARD_FAIL_AT");
    const long now = ++calls;
    if (end > 0 && now == end) kill(getpid(), SIGKILL);
    if (failing == 0 || now < failing) return true;
    errno = ENOSPC;
    return false;
}

bool isOldSystem() {
    static const bool old = setting("TRAINYARD_OLD_SYSTEM") != 0;
    return old;
}

template <class F>
F* next(F*, const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

__attribute__((destructor)) void tell() {
    const char* file = std::getenv("TRAINYARD_CALLS");
    if (!file) return;
    char text[32];
    const int length = std::snprintf(text, sizeof text, "%ld\n", calls.load());
    const long out = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (out >= 0) syscall(SYS_write, out, text, length);
}

int opened(int directory, const char* name, int flags, va_list rest) {
    const bool nameless = (flags & O_TMPFILE) == O_TMPFILE, changes = nameless || (flags & O_CREAT) != 0;
    const mode_t mode = changes ? va_arg(rest, mode_t) : 0;
    if (nameless && isOldSystem()) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (changes && !allowed()) return -1;
    return static_cast<int>(syscall(SYS_openat, directory, name, flags, mode));
}

} // namespace

// NOLINTBEGIN: names and types are those of the C library
#define TRAINYARD_OPEN(name)                                                                                           \
    extern "C" int name(const char* path, int flags, ...) {                                                            \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const int file = opened(AT_FDCWD, path, flags, rest);                                                          \
        va_end(rest);                                                                                                  \
        return file;                                                                                                   \
    }
#define TRAINYARD_OPEN_AT(name)                                                                                        \
    extern "C" int name(int directory, const char* path, int flags, ...) {                                             \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const int file = opened(directory, path, flags, rest);                                                         \
        va_end(rest);                                                                                                  \
        return file;                                                                                                   \
    }
#define TRAINYARD_CALL(failure, type, name, parameters, arguments)                                                     \
    extern "C" type name parameters {                                                                                  \
        static const auto real = next(&name, #name);                                                                   \
        return allowed() ? real arguments : failure;                                                                   \
    }

TRAINYARD_OPEN(open)
TRAINYARD_OPEN(open64)
TRAINYARD_OPEN_AT(openat)
TRAINYARD_OPEN_AT(openat64)
TRAINYARD_CALL(-1, int, rename, (const char* from, const char* to) noexcept, (from, to))
TRAINYARD_CALL(-1, int, unlink, (const char* path) noexcept, (path))
TRAINYARD_CALL(-1, int, unlinkat, (int directory, const char* path, int flags) noexcept, (directory, path, flags))
TRAINYARD_CALL(-1, int, remove, (const char* path) noexcept, (path))
TRAINYARD_CALL(-1, int, rmdir, (const char* path) noexcept, (path))
TRAINYARD_CALL(-1, int, mkdir, (const char* path, mode_t mode) noexcept, (path, mode))
TRAINYARD_CALL(nullptr, char*, mkdtemp, (char* path) noexcept, (path))
TRAINYARD_CALL(-1, int, linkat, (int a, const char* from, int b, const char* to, int flags) noexcept,
               (a, from, b, to, flags))
TRAINYARD_CALL(-1, int, fchmodat, (int directory, const char* path, mode_t mode, int flags) noexcept,
               (directory, path, mode, flags))
TRAINYARD_CALL(-1, ssize_t, write, (int file, const void* from, size_t size), (file, from, size))
TRAINYARD_CALL(EOF, int, fflush, (FILE * file), (file))
TRAINYARD_CALL(-1, int, fsync, (int file), (file))

extern "C" int renameat2(int a, const char* from, int b, const char* to, unsigned flags) noexcept {
    static const auto real = next(&renameat2, "renameat2");
    if (!isOldSystem()) return allowed() ? real(a, from, b, to, flags) : -1;
    errno = EINVAL;
    return -1;
}
// NOLINTEND
