// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Scenarios around one policy in which everything is drawn from its whole declared range, ends included: for the properties that
// hold whatever they are. What comes out passes validation.
#include "conformance/ConformancePolicies.h"
#include "support/RandomScenario.h"

namespace trainyard::test {

inline Scenario drawnScenario(PolicyFamily family, const std::string& id, std::uint64_t seed) {
    return randomScenario(
        seed, {.runnable = true, .wide = true, .registry = &conformanceRegistry(), .policy = {{family, id}}});
}

} // namespace trainyard::test
