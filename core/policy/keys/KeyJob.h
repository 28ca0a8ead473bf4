// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What all nodes of a keyed job know and never changes while they live.
#include "policy/keys/KeyPlan.h"
#include "policy/keys/KeyUpdate.h"
#include "record/KeyCounters.h"

#include <memory>

namespace trainyard {

struct KeyJob {
    KeyJob(KeyPlan plan, std::shared_ptr<const KeyRanks> keys, KeyUpdate update, std::uint32_t nodes,
           KeyedPace pace = {})
        : plan(std::move(plan)), keys(std::move(keys)), update(update), valuesPerKey(update.values), nodes(nodes),
          pace(pace), homes(this->plan.homes, this->keys->keys(), nodes),
          replicated(this->plan.replicatedKeys(*this->keys, nodes)), buckets(bucketsOf(*this->keys)) {}
    KeyJob(KeyPlan plan, std::shared_ptr<const KeyRanks> keys, std::uint32_t valuesPerKey, std::uint32_t nodes)
        : KeyJob(std::move(plan), std::move(keys), KeyUpdate(valuesPerKey), nodes) {}

    KeyPlan plan;
    std::shared_ptr<const KeyRanks> keys;
    KeyUpdate update;
    std::uint32_t valuesPerKey, nodes;
    KeyedPace pace;
    KeyHomes homes;
    std::vector<std::uint32_t> replicated; ///< ascending; replica number → key
    std::vector<std::uint8_t> buckets;     ///< by key: that of its rank (rankBucket)

private:
    static std::vector<std::uint8_t> bucketsOf(const KeyRanks& keys) {
        std::vector<std::uint8_t> out(keys.keys());
        for (std::uint32_t rank = 0; rank < keys.keys(); ++rank)
            out[keys.keyAt(rank)] = static_cast<std::uint8_t>(rankBucket(rank));
        return out;
    }
};

} // namespace trainyard
