// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A registered thing, named: a policy, a model, a data set.
#include "base/ParamSchema.h"

namespace trainyard {

/// A registered thing and the parameters that differ from its defaults.
struct Choice {
    std::string id;
    ParamValues parameters;
    friend bool operator==(const Choice&, const Choice&) = default;
};

} // namespace trainyard
