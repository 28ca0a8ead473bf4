// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Whether two choices are the same policy with the same parameters, those that are not given as they usually are: for the caption and the
// comparison, which offer no variant that is what the scenario has anyway.
#include "policy/Registry.h"

namespace trainyard {

inline bool isSameChoice(const Registry& registry, PolicyFamily family, const Choice& a, const Choice& b) {
    const PolicyInfo* info = registry.find(family, a.id);
    return a == b ||
           (a.id == b.id && info && info->schema.complete(a.parameters) == info->schema.complete(b.parameters));
}

} // namespace trainyard
