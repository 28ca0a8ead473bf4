// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/ProblemLine.h"

#include "base/ReadableName.h"

namespace trainyard {

std::string problemLine(const Problem& problem, std::string_view program) {
    std::string out(program);
    if (!problem.file.empty())
        out = readableName(problem.file) + (problem.line > 0 ? ":" + std::to_string(problem.line) : "");
    out += ": ";
    if (problem.severity == Severity::warning) out += "warning: ";
    if (problem.severity == Severity::note) out += "note: ";
    if (!problem.pointer.empty()) out += problem.pointer + ": ";
    return out + problem.message.english();
}

} // namespace trainyard
