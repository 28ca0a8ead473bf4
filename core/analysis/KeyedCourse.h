// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What keyed jobs have counted, by the intervals at whose ends it was logged, and the messages of their watched keys. A fold for the
// views of keyed jobs.
#include "analysis/RunIndex.h"
#include "record/KeyCounters.h"
#include "record/KeyMessageType.h"

#include <array>
#include <map>

namespace trainyard {

class KeyedCourse final : public LogFold {
public:
    struct Interval {
        double from = 0, to = 0; ///< seconds
        double iterations = 0;
        double relocated = 0;                      ///< keys that came to a node and stayed
        double ageSum = 0, refreshes = 0;          ///< of copies: Σ of their ages in seconds, and their number
        std::array<double, copyAgeBuckets> ages{}; ///< that number by age
        std::vector<double> dispersion;            ///< by node: of its samples so far; empty: unknown
        std::array<double, 3> pulls{};             ///< local, remote, waiting
        std::array<double, keyMessageTypes> messages{};
        /// By node: share of the interval that its server thread, and its network interface in one direction, were in use.
        std::vector<double> server, sending, receiving;
        std::vector<double> copiesAt; ///< by node: copies and replicas that it held, in the mean
    };
    /// One of the most frequent keys, and the nodes that it has been at; everyNode: a replica at each.
    struct Followed {
        struct Place {
            SimTime since;
            std::uint32_t node = 0;
        };
        std::uint32_t key = 0;
        std::vector<Place> places;
        const Place* at(SimTime time) const; ///< null: nowhere yet
    };
    /// Keys that nodes hold, by bucket of ranks.
    struct Holdings {
        std::array<double, rankBuckets> replicated{};
        std::vector<std::array<double, rankBuckets>> byNode;
        double total(std::size_t node) const;
    };
    struct Message {
        SimTime sent, received;
        KeyMessageType type = KeyMessageType::pullRequest;
        std::uint32_t key = 0, from = 0, to = 0;
    };

    explicit KeyedCourse(const RunSource& run);
    void apply(const Event& event, std::size_t position) override;
    std::size_t carryOn(const EventLog& log, std::size_t from, std::size_t to, std::size_t limit) override;

    const std::vector<Interval>& intervals(JobId job) const { return m_jobs[job.index()].intervals; }
    const std::vector<Message>& messages(JobId job) const { return m_jobs[job.index()].messages; }
    /// By rank, from the most frequent on.
    const std::vector<Followed>& followed(JobId job) const { return m_jobs[job.index()].followed; }
    Holdings holdings(JobId job, SimTime at) const;
    /// The same with neighbours as one where they are shorter than a 128th of them all: as curves, short ones would be spikes.
    std::vector<Interval> merged(JobId job) const;
    /// Seconds from each of its starts to its last iteration: messages and replicas may take longer.
    double workedSeconds(JobId job) const { return m_jobs[job.index()].worked; }
    /// Ends of intervals up to the instant, of which the last two: what has changed since the former is new.
    SimTime previousLog(JobId job, SimTime at) const;
    static bool concerns(const RunIndex& run, JobId job);

private:
    struct OfJob {
        std::vector<Interval> intervals;
        std::vector<Message> messages;
        std::vector<Followed> followed;
        std::map<std::uint32_t, std::size_t> rankOf; ///< of these keys
        struct Held {
            SimTime at;
            std::uint32_t node = 0, bucket = 0;
            double change = 0;
        };
        std::vector<Held> held; ///< in order of time; of node `restart`: the job begins anew, and nothing is held
        double updates = 0, started = 0;
        double since = 0;  ///< its start, or the last iterations that were told
        double worked = 0; ///< seconds from each start to the last iteration
        double uncounted =
            0; ///< iterations since the last interval ended: workers may finish, and messages be counted later
    };
    /// The one that ends now.
    static Interval& intervalAt(OfJob& job, double seconds);
    static void count(OfJob& job, const Event& event);
    static void locate(OfJob& job, const Event& event);
    static constexpr std::uint32_t restart = everyNode - 1;

    std::shared_ptr<const Workload> m_workload;
    std::vector<OfJob> m_jobs;
    bool m_anyKeyed = false; ///< else there is nothing to read
};

/// The machines that are the nodes of a job, in order; as they were last.
std::vector<MachineId> nodesOf(const RunIndex& run, JobId job);
/// "m3", or the number of the node where its machine is not known.
std::string nodeName(const RunIndex& run, const std::vector<MachineId>& nodes, std::uint32_t node);
/// The heading of the views of keyed jobs.
Text keysGroup();

} // namespace trainyard
