// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Accounts of losses as they are kept in a store of results.
#include "record/LossAccounts.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard {

nlohmann::ordered_json lossesJson(const LossAccounts& losses);
/// nullopt: not such a value.
std::optional<LossAccounts> lossesFrom(const nlohmann::ordered_json& json);

} // namespace trainyard
