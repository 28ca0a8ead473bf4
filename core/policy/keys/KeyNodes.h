// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The node that carries out a plan.
#include "policy/keys/KeyNode.h"

namespace trainyard {

std::unique_ptr<KeyNode> makeKeyNode(std::shared_ptr<const KeyJob> job, std::uint32_t self);

} // namespace trainyard
