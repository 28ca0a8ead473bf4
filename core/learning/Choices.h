// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Looking up a Choice in a list of entries (models, optimizers, data sets) and checking its parameters.
// Internal to learning/.
#include "base/Result.h"
#include "model/Job.h"

#include <algorithm>

namespace trainyard {

template <class Info, class Entry>
std::vector<Info> infosOf(const std::vector<Entry>& entries) {
    std::vector<Info> out;
    for (const auto& entry : entries) out.push_back(entry.info);
    return out;
}

/// The entry with the choice's id, its parameters checked. `unknown` is a text of {0} = id and {1} = known
/// ids.
template <class Entry>
Result<const Entry*> findChoice(const std::vector<Entry>& entries, const Choice& choice, const char* unknown,
                                const char* code) {
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.info.id == choice.id; });
    if (it == entries.end()) {
        std::string known;
        for (const auto& e : entries) known += (known.empty() ? "" : ", ") + e.info.id;
        return Problem{.code = code, .message = {unknown, {choice.id, known}}, .pointer = "/id"};
    }
    Problems problems = it->info.schema.check(choice.parameters, "/parameters");
    if (!problems.empty()) return problems;
    return &*it;
}

} // namespace trainyard
