// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Random.h"

#include <Random123/philox.h>

#include <cmath>

namespace trainyard {

// The purpose is mixed into the key, so that the whole counter serves entity, item and position.
RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t entity, std::uint32_t item)
    : m_key{static_cast<std::uint32_t>(seed),
            static_cast<std::uint32_t>(seed >> 32) ^ (static_cast<std::uint32_t>(purpose) * 0x9E3779B9u)},
      m_counter{0, item, static_cast<std::uint32_t>(entity), static_cast<std::uint32_t>(entity >> 32)} {}

std::uint64_t RandomStream::bits() {
    if (m_left == 0) {
        const auto block =
            r123::Philox4x32()({{m_counter[0], m_counter[1], m_counter[2], m_counter[3]}}, {{m_key[0], m_key[1]}});
        m_block = {block[0], block[1], block[2], block[3]};
        ++m_counter[0];
        m_left = 2;
    }
    const int at = (2 - m_left--) * 2;
    return (static_cast<std::uint64_t>(m_block[at + 1]) << 32) | m_block[at];
}

double RandomStream::unit() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1.0p-53; }

double RandomStream::normal() { return normalQuantile(unit()); }

std::uint64_t RandomStream::below(std::uint64_t n) {
    __extension__ using Wide = unsigned __int128;
    const std::uint64_t threshold = (0 - n) % n;
    for (;;) {
        const auto product = static_cast<Wide>(bits()) * n;
        if (static_cast<std::uint64_t>(product) >= threshold) return static_cast<std::uint64_t>(product >> 64);
    }
}

// clang-format off
double normalQuantile(double p) {
    const double q = p - 0.5;
    if (std::abs(q) <= 0.425) {
        const double r = 0.180625 - q * q;
        return q *
               (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r +
                    45921.953931549871457) * r + 13731.693765509461125) * r + 1971.5909503065514427) * r +
                 133.14166789178437745) * r + 3.387132872796366608) /
               (((((((5226.495278852545925 * r + 28729.085735721942674) * r + 39307.89580009271061) * r +
                    21213.794301586595867) * r + 5394.1960214247511077) * r + 687.1870074920579083) * r +
                 42.313330701600911252) * r + 1.0);
    }
    double r = std::sqrt(-std::log(q < 0 ? p : 1.0 - p));
    double value;
    if (r <= 5.0) {
        r -= 1.6;
        value = (((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r +
                     1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.7694972214606914055) * r +
                  4.6303378461565452959) * r + 1.42343711074968357734) /
                (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r +
                     0.14810397642748007459) * r + 0.68976733498510000455) * r + 1.6763848301838038494) * r +
                  2.05319162663775882187) * r + 1.0);
    } else {
        r -= 5.0;
        value = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r +
                     0.026532189526576123093) * r + 0.29656057182850489123) * r + 1.7848265399172913358) * r +
                  5.4637849111641143699) * r + 6.6579046435011037772) /
                (((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r +
                     7.868691311456132591e-4) * r + 0.0148753612908506148525) * r + 0.13692988092273580531) * r +
                  0.59983220655588793769) * r + 1.0);
    }
    return q < 0 ? -value : value;
}
// clang-format on

} // namespace trainyard
