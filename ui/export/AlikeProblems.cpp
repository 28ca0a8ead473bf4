// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/AlikeProblems.h"

#include <algorithm>
#include <string_view>

namespace trainyard {

namespace alike_problems {

constexpr std::size_t named = 3;

bool areAlike(const Problem& a, const Problem& b) {
    return a.code == b.code && a.message == b.message && a.severity == b.severity;
}

/// Of files in the directory.
Problem bundle(const Problem& first, std::size_t count, std::vector<std::string> names,
               const std::filesystem::path& directory) {
    names.insert(names.begin(), std::to_string(count));
    Problem out{.code = first.code, .message = {}, .severity = first.severity, .file = directory.string()};
    if (first.code == "cannot-write" && first.message.arguments.size() == 1) {
        names.push_back(first.message.arguments.front());
        out.message = {TRAINYARD_TEXT("{0} files ({1}, {2}, {3} and others) cannot be written: {4}"), names};
    } else {
        out.message = {TRAINYARD_TEXT("{0} pictures ({1}, {2}, {3} and others) do not fit into memory: choose fewer "
                                      "dots per inch or a smaller size"),
                       names};
    }
    return out;
}

bool canBeBundled(const Problem& problem) {
    return problem.code == "cannot-write" || problem.code == "figure-too-large";
}

} // namespace alike_problems

Problems bundled(const Problems& problems, const std::filesystem::path& directory) {
    using namespace alike_problems;
    Problems out;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const Problem& first = problems[i];
        const auto isSame = [&](const Problem& other) { return areAlike(first, other); };
        const auto count = static_cast<std::size_t>(std::ranges::count_if(problems, isSame));
        if (count <= named || !canBeBundled(first)) {
            out.push_back(first);
            continue;
        }
        if (std::any_of(problems.begin(), problems.begin() + static_cast<std::ptrdiff_t>(i), isSame)) continue;
        std::vector<std::string> names;
        for (const Problem& problem : problems)
            if (names.size() < named && isSame(problem))
                names.push_back(std::filesystem::path(problem.file).filename().string());
        out.push_back(bundle(first, count, std::move(names), directory));
    }
    return out;
}

} // namespace trainyard
