// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A chosen policy in words, for the status line and the names of runs.
#include "policy/Registry.h"

#include <QString>

namespace trainyard {

/// "First in, first out (Skip jobs that do not fit)": as the panel of policies calls it, with the parameters that are not as they usually are.
QString choiceText(const Registry& registry, PolicyFamily family, const Choice& choice);

} // namespace trainyard
