// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is doubtful about a job under a policy, and which value it is about, so that it is shown beside that value. Used by the registry
// and by the files of policies.
#include "base/Problem.h"

#include <string>

namespace trainyard {

struct PolicyWarning {
    Text text; ///< about a parameter: who knows the scenario adds as the last argument what the job is called
    std::string parameter = {}; ///< of the policy; empty: the warning is about the job
    std::string ofJob = {};     ///< JSON pointer from the job on
};

} // namespace trainyard
