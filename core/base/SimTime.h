// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Simulated time: whole nanoseconds, so that no order of events depends on rounding. A Duration is a difference of
// two SimTimes. Both span ±292 years; conversions from seconds saturate instead of overflowing.
#include <compare>
#include <cstdint>
#include <limits>

namespace trainyard {

struct Duration {
    std::int64_t ns = 0;

    static constexpr Duration nanoseconds(std::int64_t n) { return Duration{n}; }
    /// Rounds to the nearest nanosecond; NaN becomes 0, values beyond ±292 years saturate.
    static Duration seconds(double s);
    /// Rounds up to whole nanoseconds, to one at least: the shortest time in which `s` seconds have passed and the clock
    /// has moved on. NaN becomes 1 ns, values beyond 292 years saturate.
    static Duration secondsUp(double s);
    static constexpr Duration max() { return Duration{std::numeric_limits<std::int64_t>::max()}; }
    constexpr double toSeconds() const { return static_cast<double>(ns) * 1e-9; }
    friend constexpr auto operator<=>(Duration, Duration) = default;
    friend constexpr Duration operator+(Duration a, Duration b) { return {a.ns + b.ns}; }
    friend constexpr Duration operator-(Duration a, Duration b) { return {a.ns - b.ns}; }
    constexpr Duration& operator+=(Duration d) {
        ns += d.ns;
        return *this;
    }
};

struct SimTime {
    std::int64_t ns = 0;

    static constexpr SimTime zero() { return {}; }
    static constexpr SimTime never() { return SimTime{std::numeric_limits<std::int64_t>::max()}; }
    static SimTime seconds(double s) { return SimTime{Duration::seconds(s).ns}; }
    constexpr double toSeconds() const { return static_cast<double>(ns) * 1e-9; }
    friend constexpr auto operator<=>(SimTime, SimTime) = default;
    friend constexpr Duration operator-(SimTime a, SimTime b) { return {a.ns - b.ns}; }
    /// Saturates at never().
    friend constexpr SimTime operator+(SimTime t, Duration d) {
        return d.ns > 0 && t.ns > std::numeric_limits<std::int64_t>::max() - d.ns ? never() : SimTime{t.ns + d.ns};
    }
    friend constexpr SimTime operator-(SimTime t, Duration d) { return SimTime{t.ns - d.ns}; }
};

} // namespace trainyard
