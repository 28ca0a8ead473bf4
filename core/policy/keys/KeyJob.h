// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What all nodes of a keyed job know and never changes while they live.
#include "policy/keys/KeyPlan.h"

#include <memory>

namespace trainyard {

struct KeyJob {
    KeyJob(KeyPlan plan, std::shared_ptr<const ZipfKeys> keys, std::uint32_t valuesPerKey, std::uint32_t nodes)
        : plan(std::move(plan)), keys(std::move(keys)), valuesPerKey(valuesPerKey), nodes(nodes),
          homes(this->plan.homes, this->keys->keys(), nodes),
          replicated(this->plan.replicatedKeys(*this->keys, nodes)) {}

    KeyPlan plan;
    std::shared_ptr<const ZipfKeys> keys;
    std::uint32_t valuesPerKey, nodes;
    KeyHomes homes;
    std::vector<std::uint32_t> replicated; ///< ascending; replica number → key
};

} // namespace trainyard
