// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeyNodes.h"

#include "policy/keys/AdaptiveNode.h"
#include "policy/keys/CachingNode.h"

namespace trainyard {

std::unique_ptr<KeyNode> makeKeyNode(std::shared_ptr<const KeyJob> job, std::uint32_t self) {
    if (job->plan.adapts) return std::make_unique<AdaptiveNode>(std::move(job), self);
    if (job->plan.caches && job->nodes > 1) return std::make_unique<CachingNode>(std::move(job), self);
    return std::make_unique<KeyNode>(std::move(job), self);
}

} // namespace trainyard
