// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Two kinds of curve over time, as arrays: StepSeries holds until it changes (utilization), LossSeries is a
// set of points. Filled by RunIndex, read by painters and by the tables of exported figures.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace trainyard {

/// A value that holds from one time to the next. Keeps its running integral, so that the mean over any span
/// costs two searches: a zoomed-out curve shows exact means, not samples.
class StepSeries {
public:
    void set(double seconds, double value);
    /// Adds to what it has held from `seconds` on: something that is known only now.
    void addFrom(double seconds, double change);
    std::size_t size() const { return m_time.size(); }
    double time(std::size_t i) const { return m_time[i]; }
    double value(std::size_t i) const { return m_value[i]; }
    /// 0 before the first.
    double at(double seconds) const;
    /// ∫ from the first time to `seconds`, the last value continuing.
    double integral(double seconds) const;
    double mean(double from, double to) const;
    /// First index with time > seconds.
    std::size_t after(double seconds) const;

private:
    std::vector<double> m_time, m_value, m_integral;
};

/// Where the least and the greatest number of each block of a growing list are: of a long part not every value is looked at.
class Extremes {
public:
    static constexpr std::size_t block = 64;
    struct Places {
        std::size_t least = 0, greatest = 0;
    };
    /// The list has one more.
    void append(const std::vector<double>& values);
    /// Of the values [from, to), from < to: the first of equal ones; NaN only where there is nothing else. `known` null: each is looked at.
    static Places of(const std::vector<double>& values, std::size_t from, std::size_t to, const Extremes* known);
    /// The first of the values from `from` on that is not above `most`; their number: none is.
    std::size_t firstAtMost(const std::vector<double>& values, std::size_t from, double most) const;

private:
    std::vector<Places> m_blocks;
};

/// A curve reduced to what pixels can show.
struct LinePoints {
    std::vector<double> x, y;
};

/// A growing line among many, as decimated() has it, but for its buckets: their widths are powers of √2, on a grid that stays where it is,
/// so that their points are kept from picture to picture and only the end of the line is looked at anew. One line, one thread.
class ThinnedLine {
public:
    /// In buckets of the least such width of which not more than `buckets` are seen. The line is always the same, and has only grown.
    LinePoints of(const std::vector<double>& x, const std::vector<double>& y, double from, double to, int buckets,
                  std::span<const std::size_t> breaks, const Extremes* extremes);

private:
    struct Level {
        double width = 0;
        LinePoints points;
        std::size_t size = 0;            ///< of the line, as far as it has been looked at
        std::size_t open = 0, whole = 0; ///< where its last bucket begins; points before it
    };
    static void extend(Level& level, const std::vector<double>& x, const std::vector<double>& y,
                       std::span<const std::size_t> breaks, const Extremes* extremes);
    std::vector<Level> m_levels; ///< none yet, or for two who look at it differently; the one asked for last first
};

/// Evaluated losses of one job. Updates may go back after a restore; times never do.
struct LossSeries {
    std::vector<double> time;   ///< seconds
    std::vector<double> update; ///< parameter updates applied
    std::vector<double> loss;
    Extremes extremes;           ///< of `loss`, as far as whoever fills it keeps them
    mutable ThinnedLine thinned; ///< `loss` over `time`, for the thread that fills it
    std::vector<float> norm;     ///< of the gradient that the update applied; NaN: not known
    std::vector<double> waited;  ///< seconds lost to waiting until then, see JobHistory::waitedUntil()
    /// Indices before which the job was interrupted: the line ends at the point before and begins anew.
    /// Increasing; the last may be size(), while the job has not gone on.
    std::vector<std::size_t> breaks;

    std::size_t size() const { return time.size(); }
    void interrupt(); ///< between the last point and the next
    /// Last index with time ≤ seconds, or size() if there is none.
    std::size_t indexAt(double seconds) const;
};

/// At most four points per bucket (first, least, greatest, last) for x in [from, to], plus one neighbour on
/// each side so that lines leave the picture. x must not decrease. A point with y = NaN stands at each of the
/// `breaks` (see LossSeries). Cost: the visible points, once; with the extremes of y, the buckets and a part of the points.
LinePoints decimated(const std::vector<double>& x, const std::vector<double>& y, double from, double to, int buckets,
                     std::span<const std::size_t> breaks = {}, const Extremes* extremes = nullptr);

/// Fewer corners: the line stays within `tolerance` (in units of y) of every point left out. x must not
/// decrease; points that are not finite and their neighbours are kept. Cost: the points, once.
LinePoints simplified(const LinePoints& line, double tolerance);

/// The points that count when a loss is drawn against updates: after a restore, those of the updates that
/// were lost go.
LossSeries keptUpdates(const LossSeries& series);

} // namespace trainyard
