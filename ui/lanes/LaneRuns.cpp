// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "lanes/LaneRuns.h"

#include <algorithm>

namespace trainyard {

namespace lane_runs {

constexpr double column = 2, window = 16; // pixels: of narrow intervals between wide ones, and of averages
// Pixels: where intervals are narrower in all that is seen, averages are drawn. Pieces that are hardly wider or narrower
// look like the others.
constexpr double usualWidth = 2;

class Scan {
public:
    Scan(const IntervalTrack& track, const TimeScale& time, double first, double last, SimTime head, double finest)
        : m_track(track), m_time(time), m_x(std::max(first, time.x(track.start(0).toSeconds()))),
          m_last(std::min(last, time.x(head.toSeconds()))), m_head(head), m_finest(finest),
          m_leastWidth(widthOf(time.left, time.right) < usualWidth ? 1.5 * usualWidth : usualWidth / 1.5) {}

    std::vector<LaneRun> runs() {
        while (m_x < m_last) {
            if (isDense(lanePieceAt(m_x))) {
                addMean(std::min(m_last, window * (std::floor(m_x / window) + 1)));
                continue;
            }
            const SimTime at = timeOf(m_x);
            m_i = indexAt(at, m_i);
            double end = std::min(m_last, endOf(m_i));
            if (end <= m_x && m_i + 1 < m_track.size()) // rounding of pixels to nanoseconds put us before the boundary
                end = std::min(m_last, endOf(++m_i));
            if (end - m_time.x(m_track.start(m_i).toSeconds()) >= m_finest || end >= m_last)
                addInterval(end);
            else
                addShares(std::min(m_last, column * (std::floor(m_x / column) + 1)));
        }
        return std::move(m_runs);
    }

private:
    SimTime timeOf(double x) const { return SimTime::seconds(m_time.seconds(x)); }
    double endOf(std::size_t i) const { return m_time.x(m_track.end(i, m_head).toSeconds()); }
    std::size_t indexAt(SimTime t, std::size_t hint) const {
        const std::size_t at = m_track.indexAt(t, hint);
        return at == IntervalTrack::none ? hint : std::max(at, hint);
    }

    bool isDense(double piece) {
        if (piece == m_judged) return m_dense;
        m_judged = piece;
        m_dense = widthOf(piece, piece + lanePiece) < m_leastWidth;
        return m_dense;
    }
    /// Of an interval between two pixels, on average.
    double widthOf(double left, double right) const {
        const double from = std::max(left, m_time.x(m_track.start(0).toSeconds())),
                     to = std::min(right, m_time.x(m_head.toSeconds()));
        const std::size_t first = indexAt(timeOf(from), 0);
        const auto count = static_cast<double>(indexAt(timeOf(std::max(from, to)), first) - first);
        return (to - from) / std::max(count, 1e-9);
    }

    void addInterval(double end) {
        // What reaches into a piece of means ends where that begins.
        if (const double piece = lanePieceAt(end); piece > m_x && piece < end && isDense(piece)) end = piece;
        m_runs.push_back({.x0 = m_x, .x1 = std::max(end, m_x), .index = m_i, .phase = m_track.phase(m_i)});
        m_x = end > m_x ? end : m_last;
    }

    void addShares(double end) {
        const SimTime from = std::max(timeOf(m_x), m_track.start(m_i)), to = timeOf(end);
        add(end, from, m_i, to, indexAt(to, m_i));
    }

    static bool isAway(WorkerPhase phase) { return phase == WorkerPhase::absent || phase == WorkerPhase::failed; }

    /// Of a mean until there, where the worker leaves or comes back before: it is of what is done, or of none of it.
    double endOfMean(double end) const {
        const std::size_t first = indexAt(std::max(timeOf(m_x), m_track.start(0)), 0);
        const std::size_t last = indexAt(timeOf(end), first);
        double until = end;
        if (isAway(m_track.phase(first)))
            until = endOf(first);
        else if (isAway(m_track.phase(last)))
            until = m_time.x(m_track.start(last).toSeconds());
        return std::min(end, std::max(until, m_x + m_finest));
    }

    /// Over whole tasks: from the beginning of that which is under way at the left edge to that at the right edge.
    void addMean(double end) {
        end = endOfMean(end);
        SimTime from = std::max(timeOf(m_x), m_track.start(0)), to = timeOf(end);
        std::size_t first = indexAt(from, 0), last = indexAt(to, first);
        const std::size_t begin = beginOfTask(first), until = end >= m_last ? last : beginOfTask(last);
        if (begin < until) {
            first = begin;
            from = m_track.start(begin);
            if (end < m_last) {
                last = until;
                to = m_track.start(until);
            }
        }
        add(end, from, first, to, last);
        m_i = last;
    }

    std::size_t beginOfTask(std::size_t i) const {
        constexpr std::size_t most = 16; // intervals of one task
        const std::size_t least = i > most ? i - most : 0;
        while (i > least && m_track.task(i - 1) == m_track.task(i)) --i;
        return i;
    }

    void add(double end, SimTime from, std::size_t i, SimTime to, std::size_t j) {
        const auto before = m_track.sumsUntil(from, i), after = m_track.sumsUntil(to, j);
        LaneRun run{.x0 = m_x, .x1 = end, .index = i, .merged = true};
        std::int64_t most = -1, total = 0;
        for (std::size_t k = 0; k < IntervalTrack::kinds; ++k) {
            const std::int64_t d = after[k] - before[k];
            total += d;
            if (d > most) {
                most = d;
                run.phase = static_cast<WorkerPhase>(k);
            }
        }
        for (std::size_t k = 0; k < IntervalTrack::kinds; ++k)
            run.shares[k] = total > 0 ? static_cast<float>(after[k] - before[k]) / static_cast<float>(total) : 0.0f;
        m_runs.push_back(run);
        m_i = j;
        m_x = end;
    }

    const IntervalTrack& m_track;
    const TimeScale& m_time;
    double m_x, m_last;
    SimTime m_head;
    double m_finest, m_leastWidth, m_judged = -1e300;
    bool m_dense = false;
    std::size_t m_i = 0;
    std::vector<LaneRun> m_runs;
};

} // namespace lane_runs

std::vector<LaneRun> laneRuns(const IntervalTrack& track, const TimeScale& time, double fromX, double toX, SimTime head,
                              double finest) {
    if (track.empty()) return {};
    return lane_runs::Scan(track, time, fromX, toX, head, finest).runs();
}

} // namespace trainyard
