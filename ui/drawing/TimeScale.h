// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Seconds to pixels and back for one plot area, where ticks go, and how an instant is written. The same for
// every lane, for the ruler and for exported figures, so that times align exactly.
#include <QString>

#include <vector>

namespace trainyard {

struct TimeScale {
    double from = 0, to = 1;    ///< seconds
    double left = 0, right = 1; ///< pixels

    friend bool operator==(const TimeScale&, const TimeScale&) = default;
    double x(double seconds) const { return left + (seconds - from) / (to - from) * (right - left); }
    double seconds(double x) const { return from + (x - left) / (right - left) * (to - from); }
    double pixelsPerSecond() const { return (right - left) / (to - from); }
    /// A round step (1, 2, 5 × 10ⁿ s; 1, 2, 5, 10, 15, 30 s and min; 1, 2, 3, 6, 12 h; days) at least
    /// `pixels` wide.
    double tickStep(double pixels) const;
    /// Multiples of the step within the range, in seconds.
    std::vector<double> ticks(double step) const;
};

/// "03:12.450", "1:03:12", "2 d 03:12:00"; `step` says how fine (seconds): digits below it are left out, at
/// most nine are shown. Independent of the locale.
QString clockText(double seconds, double step);
/// What the parts of such a text are, on an axis up to `seconds`: "min:s", "h:min:s".
QString clockUnit(double seconds);
/// An instant or a length as people say it, three digits: "420 µs", "1.25 s", "3:12 min".
QString durationText(double seconds);
/// At most `digits` significant digits, with a multiplication sign instead of e: "0.412", "2.3×10⁻⁵".
QString numberText(double value, int digits);

} // namespace trainyard
