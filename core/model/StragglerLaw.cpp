// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "model/StragglerLaw.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

struct PersistentField {
    double factor = 1;
};

const ParamSchema& persistentSchema() {
    static const ParamSchema schema =
        bindSchema(field(&PersistentField::factor, "persistent_factor", "Persistent factor", {1e-3, 1e3}, "",
                         "Compute time of this machine, always, relative to normal."))
            .schema;
    return schema;
}

const ParamSchema& burstSchema() {
    static const ParamSchema schema =
        bindSchema(
            field(&Burst::enter, "enter", "Enter", {0, 1}, "",
                  "Probability per bin of a normal machine becoming slow."),
            field(&Burst::leave, "leave", "Leave", {0, 1}, "", "Probability per bin of a slow machine recovering."),
            field(&Burst::factor, "factor", "Factor", {1e-3, 1e3}, "", "Compute time while slow, relative to normal."),
            field(&Burst::binSeconds, "bin_seconds", "Bin", {1e-3, 1e9}, "s", "Length of one step of the chain."))
            .schema;
    return schema;
}

void append(Problems& to, Problems from) { to.insert(to.end(), from.begin(), from.end()); }

} // namespace

Problems Burst::check(const std::string& pointer) const {
    return burstSchema().check({{"enter", enter}, {"leave", leave}, {"factor", factor}, {"bin_seconds", binSeconds}},
                               pointer);
}

Problems StragglerLaw::check(const std::string& pointer) const {
    Problems out = persistentSchema().check({{"persistent_factor", persistentFactor}}, pointer);
    append(out, factor.check(pointer + "/factor"));
    if (burst) append(out, burst->check(pointer + "/burst"));
    if (delay) append(out, delay->check(pointer + "/delay"));
    return out;
}

BurstChain::BurstChain(const Burst& burst, std::uint64_t seed, std::uint32_t machine)
    : m_burst(burst), m_binNs(std::max<std::int64_t>(1, Duration::seconds(burst.binSeconds).ns)),
      m_random(seed, Purpose::burst, entityOf(machine)), m_firstSlow(m_random.unit() < burst.stationaryShare()) {}

// P(stay = L bins) = (1 − p)^(L−1) p, so L = ⌈ln u / ln(1 − p)⌉.
void BurstChain::drawStay() {
    constexpr auto never = std::numeric_limits<std::uint64_t>::max();
    const bool inSlow = m_firstSlow == (m_ends.size() % 2 == 0);
    const double change = inSlow ? m_burst.leave : m_burst.enter;
    const std::uint64_t begin = m_ends.empty() ? 0 : m_ends.back();
    const double length = change >= 1 ? 1 : std::ceil(std::log(m_random.unit()) / std::log1p(-change));
    const bool forever = !(length < 1e18) || begin > never - static_cast<std::uint64_t>(length);
    m_ends.push_back(forever ? never : begin + static_cast<std::uint64_t>(std::max(1.0, length)));
}

bool BurstChain::slow(std::uint64_t bin) {
    while (m_ends.empty() || m_ends.back() <= bin) {
        if (!m_ends.empty() && m_ends.back() == std::numeric_limits<std::uint64_t>::max()) break;
        drawStay();
    }
    const auto stay = std::upper_bound(m_ends.begin(), m_ends.end(), bin) - m_ends.begin();
    return m_firstSlow == (stay % 2 == 0);
}

double BurstChain::factorAt(SimTime t) {
    return slow(static_cast<std::uint64_t>(std::max<std::int64_t>(0, t.ns) / m_binNs)) ? m_burst.factor : 1;
}

} // namespace trainyard
