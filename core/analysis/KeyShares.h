// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Which share of the accesses of a keyed job goes to keys of some ranks: by the power law where keys are drawn, as its model counts
// them where it trains one.
#include "model/KeyedAccess.h"

namespace trainyard {

class KeyShares {
public:
    explicit KeyShares(const KeyedAccess& access);
    /// Of ranks first … last, from 1.
    double of(std::uint64_t first, std::uint64_t last) const;

private:
    std::shared_ptr<const KeyRanks> m_ranks; ///< of a model; else null
    double m_exponent, m_all = 1;            ///< of the power law; Σ of what its ranks are drawn by
};

} // namespace trainyard
