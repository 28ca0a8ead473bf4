// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The waiting jobs in the order in which a scheduler tries them, kept from call to call. Jobs of one shape, which ask for
// the same tasks, find room or find none alike: once one of them does not fit, the others are passed over until the room
// has changed, so that a call looks at each shape and not at each job.
#include "policy/Scheduler.h"

#include <compare>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>

namespace trainyard {

class WaitingJobs {
public:
    struct Place {
        double rank = 0, tie = 0; ///< tie: among equal ranks
        Place(double r, double t = 0) : rank(r), tie(t) {}
    };
    /// Least rank first, then least tie, then in order of arrival.
    struct Entry {
        double rank = 0;
        JobId job;
        double tie = 0;
        friend std::partial_ordering operator<=>(const Entry& a, const Entry& b) {
            if (a.rank != b.rank) return a.rank <=> b.rank;
            return a.tie != b.tie ? a.tie <=> b.tie : std::partial_ordering(a.job <=> b.job);
        }
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    /// What decides whether a job finds room.
    struct Shape {
        Bounds workers, servers;
        std::optional<std::int64_t> workersPerServer;
        ResourceVector workerDemand, serverDemand;
        friend bool operator<(const Shape& a, const Shape& b);
    };
    using Rank = std::function<Place(JobId)>;

    /// Follows what has happened; `rank` is asked for jobs that have begun to wait, or wait again.
    void update(const SchedulerView& view, std::span<const Event> since, const Rank& rank);
    /// Ranks all waiting jobs anew.
    void rebuild(const SchedulerView& view, const Rank& rank);
    bool empty() const { return m_places.empty(); }
    /// A job that add() of a walk has brought, and that does not wait after all; no walk may be under way.
    void remove(const SchedulerView& view, JobId job) { erase(view, job); }

private:
    struct Jobs {
        std::set<Entry> entries;
        bool failed = false; ///< in the walk under way
    };

public:
    /// One walk over the jobs, in order.
    class Walk {
    public:
        /// `all`: also over jobs of shapes that are known not to fit.
        Walk(WaitingJobs& waiting, bool all);
        ~Walk() { roomChanged(); }
        Walk(const Walk&) = delete;
        Walk& operator=(const Walk&) = delete;
        /// nullopt at the end.
        std::optional<Entry> next();
        /// The last job does not fit: neither do others of its shape.
        void fail();
        /// Whether the last job's shape is known not to fit.
        bool isKnown() const { return m_last.jobs && m_last.jobs->failed; }
        /// From here on, only shapes that may fit.
        void skipKnown() { m_all = false; }
        /// There is other room than before: jobs further on may fit, whatever their shapes.
        void roomChanged();
        /// A job that is about to wait again; the walk meets it too, if it comes after the last one.
        void add(const SchedulerView& view, Entry entry);
        /// The next `most` jobs, in order, whatever their shapes.
        std::vector<Entry> following(std::size_t most) const;

    private:
        struct Item {
            Entry entry;
            Jobs* jobs;
            friend bool operator<(const Item& a, const Item& b) { return b.entry < a.entry; } // the least on top
        };
        void pushAfterLast(Jobs& jobs);

        WaitingJobs& m_waiting;
        bool m_all;
        std::vector<Item> m_heap;    ///< of each shape the next job
        std::vector<Jobs*> m_failed; ///< shapes known not to fit
        Item m_last{{-std::numeric_limits<double>::infinity(), {}}, nullptr};
    };

private:
    static Shape shapeOf(const SchedulerView& view, JobId job);
    Jobs& insert(const SchedulerView& view, Entry entry);
    void insertAt(const SchedulerView& view, JobId job, Place place);
    void erase(const SchedulerView& view, JobId job);

    std::map<Shape, Jobs> m_byShape; ///< none empty
    std::map<JobId, Place> m_places;
};

} // namespace trainyard
