// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace trainyard {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

double pageBytes() { return static_cast<double>(sysconf(_SC_PAGESIZE)); }

/// The number in a file of a control group; endless if there is none, or it says "max".
double groupLimit(const std::string& file) {
    double bytes = 0;
    return std::ifstream(file) >> bytes ? bytes : endless;
}

} // namespace

double memoryOfMachine() {
    double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * pageBytes();
    bytes = std::min(bytes, groupLimit("/sys/fs/cgroup/memory.max"));
    bytes = std::min(bytes, groupLimit("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
    // the group of this process, where groups are not mounted as its root
    std::ifstream own("/proc/self/cgroup");
    for (std::string line; std::getline(own, line);)
        if (line.starts_with("0::/"))
            for (std::string group = line.substr(3); group.size() > 1; group.erase(group.rfind('/')))
                bytes = std::min(bytes, groupLimit("/sys/fs/cgroup" + group + "/memory.max"));
    return bytes;
}

MemoryInUse memoryInUse() {
    MemoryInUse pages;
    std::ifstream("/proc/self/statm") >> pages.addresses >> pages.resident;
    return {pages.addresses * pageBytes(), pages.resident * pageBytes()};
}

double addressLimit() {
    rlimit addresses{};
    if (getrlimit(RLIMIT_AS, &addresses) != 0 || addresses.rlim_cur == RLIM_INFINITY) return endless;
    return static_cast<double>(addresses.rlim_cur);
}

} // namespace trainyard
