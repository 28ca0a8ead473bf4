// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What each metric means. The texts are the specification that MetricsFold implements and tst_Metrics checks.
#include "record/MetricGroup.h"

#include <algorithm>

// One line per group, in the order in which they are listed.
#define TRAINYARD_METRICS(GROUP)                                                                                       \
    GROUP(completion)                                                                                                  \
    GROUP(waiting)                                                                                                     \
    GROUP(work)                                                                                                        \
    GROUP(resources)                                                                                                   \
    GROUP(keyed)                                                                                                       \
    GROUP(admission)                                                                                                   \
    GROUP(learning)

namespace trainyard {

namespace metric_group {

#define GROUP(name) MetricGroup name();
TRAINYARD_METRICS(GROUP)
#undef GROUP

using enum MetricDefinition::Of;
using enum MetricDefinition::Group;

MetricGroup completion() {
    return {{
        {"makespan_s", "Makespan", "s",
         "From the first arrival to the end of the last job (finished, failed or rejected; the "
         "run's end while one is running).",
         run, time},
        {"total_jct_s", "Sum of completion times", "s",
         "Σ (completion − arrival) over finished jobs; 0 if none has finished."},
        {"mean_jct_s", "Mean job completion time", "s", "Mean over finished jobs of completion − arrival.", run, time},
        {"median_jct_s", "Median of completion time", "s",
         "Nearest rank: the ⌈0.5·n⌉-th smallest of the n finished jobs' completion times."},
        {"training_time_s", "Median training time", "s",
         "Nearest rank over all jobs that arrived, ⌈0.5·n⌉-th smallest: completion − arrival of a "
         "finished job; for one that has not finished (rejected, failed or still in the system), "
         "the time at which the run ends."},
        {"p95_jct_s", "95th percentile of completion time", "s",
         "Nearest rank: the ⌈0.95·n⌉-th smallest of the n finished jobs' completion times.", run, time},
        {"jct_s", "Job completion time", "s", "Completion − arrival of a finished job. Per job only.", job},
        {"queueing_s", "Queueing delay", "s",
         "Time in the waiting phase: from arrival to start and from preemption to restart; the run's end "
         "closes it. Per job "
         "only.",
         job},
        {"mean_queueing_s", "Mean queueing delay", "s", "Mean of the queueing delay over jobs that arrived.", run,
         time},
        {"running_s", "Running time", "s", "Time in the running phase; whole run: the sum over jobs.", sum},
        {"arrived_jobs", "Jobs arrived", "", "Number of jobs that arrived."},
        more({"finished_jobs", "Jobs finished", "", "Number of jobs that met a stopping condition."}),
        {"rejected_jobs", "Jobs rejected", "", "Number of jobs that a scheduler or partitioner rejected."},
        {"failed_jobs", "Jobs failed", "", "Number of jobs that were killed, diverged or could never continue."},
        {"diverged_jobs", "Jobs diverged", "",
         "Number of jobs whose loss or parameters became no finite numbers, or whose last loss is above the first by ten "
         "times its absolute value or more; of a job: 1 if it is one of them.",
         sum},
        {"preemptions", "Preemptions", "", "Number of times a running job went back to waiting, whatever the reason.",
         sum, time},
    }};
}

MetricGroup waiting() {
    return {{
        {"straggler_wait_s", "Waiting for stragglers", "s",
         "Σ over workers of the time for which they wait for others: from the arrival of a worker's gradient (or the cancellation "
         "of its task) until the last gradient of the update after which it goes on has arrived, and while its synchronization "
         "blocks it.",
         sum},
        {"update_wait_s", "Waiting for updates", "s",
         "Σ over workers of the time for which they wait for servers: from the arrival of the last gradient of an update, or a "
         "worker's own if that is later, until the worker goes on after the update.",
         sum},
        {"idle_s", "Idle time of workers", "s",
         "Σ over workers of the time, from the first task after they were placed, in which they neither "
         "pulled, computed "
         "nor pushed: without a task, or waiting for others or for servers.",
         sum},
        {"straggler_wait_share", "Share of waiting", "",
         "Time of waiting for stragglers / Σ over workers of the time they were placed.", both, time, true},
        {"mean_staleness", "Mean staleness", "updates",
         "Mean over gradients used of the updates applied between reading the parameters (at the servers; of "
         "several the oldest) and using the gradient for the first time.",
         both, training},
        {"max_staleness", "Maximum staleness", "updates",
         "Maximum over gradients used of the updates applied between reading the parameters and "
         "using the gradient for the first time.",
         both},
    }};
}

MetricGroup work() {
    return {{
        {"assigned_samples", "Samples assigned", "samples",
         "Σ of the samples of every task whose computation began; of all local steps and partitions of a "
         "task.",
         sum},
        {"executed_samples", "Samples computed", "samples",
         "Σ of the samples of tasks computed to the end, plus share done × samples of tasks cancelled while "
         "computing.",
         sum},
        more({"used_samples", "Samples used", "samples",
              "Σ of the samples behind every applied update (redone updates count again).", sum}),
        {"discarded_samples", "Samples discarded", "samples",
         "Samples of gradients that arrived and entered no update (dropped by the synchronization, or there when the job stopped), plus "
         "what cancelled tasks had computed. What is computed is used or discarded, but for "
         "what is on its way when a run is cut off.",
         sum},
        {"discarded_share", "Share discarded", "", "Samples discarded / samples computed.", both, training, true,
         "discarded_samples", "executed_samples"},
        more({"updates", "Updates", "", "Number of parameter updates applied, redone ones included.", sum, training}),
        more({"updates_per_s", "Updates per second", "1/s",
              "Updates / running time, summed over jobs for the whole run.", both, none, false, "updates",
              "running_s"}),
        {"mean_iteration_s", "Mean iteration time", "s",
         "Mean time from one update to the next, counted from the start for the first of each "
         "running period; whole run: mean over updates.",
         both, training},
        {"lost_updates", "Updates lost", "", "Updates lost by failures and preemptions, to be repeated.", sum,
         training},
        {"checkpoint_bytes", "Bytes of checkpoints", "bytes", "Σ of the bytes of checkpoints begun.", sum},
    }};
}

MetricGroup resources() {
    return {{
        {"uplinks", "Uploads", "", "Number of gradients that reached the servers.", sum},
        {"cancelled_uplinks", "Uploads cancelled", "",
         "Number of pushes begun whose task was cancelled before the gradient reached the servers; their "
         "bytes count.",
         sum},
        {"downlinks", "Downloads", "", "Number of pulls begun by workers.", sum},
        {"bytes_sent", "Bytes sent", "bytes",
         "Σ of the bytes of pulls and pushes of workers, of messages between parameter nodes that belong to neither "
         "(parameters that move or are copied), of checkpoints and of restores, each counted once however many links it "
         "crosses. Analytic jobs under the rate model have no single pulls and pushes.",
         sum, cluster},
        {"link_bytes", "Bytes over links", "bytes",
         "Σ over directed links of ∫ load dt, plus bytes accounted at once."},
        {"busiest_link_bytes", "Bytes on the busiest link", "bytes",
         "Maximum over directed links of ∫ load dt, plus bytes accounted at once."},
        {"mean_link_utilization", "Mean link utilization", "",
         "Mean over directed links of bytes carried / (bandwidth × time from the first arrival to the end).", run,
         cluster, true},
        more({"utilization_RESOURCE", "Allocated share of a resource", "",
              "∫ amount held by placed tasks dt / ∫ capacity of the machines that are up dt, from the first "
              "arrival to the end. One metric "
              "per resource of the cluster, e.g. utilization_gpu.",
              run, cluster, true}),
        more({"busy_RESOURCE", "Busy share of a resource", "",
              "As the allocated share, of busy tasks only: workers while they compute, servers while "
              "a worker reads from them or sends to them. The rest of the allocated share waits or "
              "transfers. Only in runs with single tasks: the rate model has none.",
              run, cluster, true}),
        {"attained_service_s", "Attained service", "s",
         "∫ of the dominant share held, dt: over its placed tasks, the maximum over resources of "
         "Σ demand / total capacity of the cluster. Per job only.",
         job},
        more({"jain_fairness", "Jain's fairness index", "",
              "(Σx)² / (n·Σx²) over jobs that spent time in the system, with x = attained service / (weight × "
              "time in the system). 1: every job held the same weighted share while it was there.",
              run, cluster}),
    }};
}

MetricGroup keyed() {
    return {{
        more({"local_pulls", "Local pulls", "", "Keyed jobs: pulls of keys that the worker's machine had.", sumWhereAny,
              keys}),
        {"remote_pulls", "Remote pulls", "", "Keyed jobs: pulls for which a request was sent.", sumWhereAny},
        {"pulls_not_local", "Pulls not local", "",
         "Keyed jobs: remote pulls, plus pulls of keys that were under way to the worker's machine.", sumWhereAny,
         keys},
        {"messages", "Messages", "", "Keyed jobs: messages between machines, without those of replica rounds.",
         sumWhereAny, keys},
        {"pull_requests", "Pull requests", "", "Keyed jobs: requests for values, forwarded ones included.",
         sumWhereAny},
        {"pull_answers", "Pull answers", "", "Keyed jobs: values sent to the machine that asked.", sumWhereAny},
        {"pushes", "Pushes", "", "Keyed jobs: additions sent, forwarded ones included.", sumWhereAny},
        {"push_answers", "Push answers", "", "Keyed jobs: acknowledgements of additions.", sumWhereAny},
        {"localize_messages", "Localize messages", "", "Keyed jobs: requests to homes to have keys moved.",
         sumWhereAny},
        {"hand_over_messages", "Hand-over messages", "", "Keyed jobs: requests to owners to give keys away.",
         sumWhereAny},
        {"transfer_messages", "Transfer messages", "", "Keyed jobs: messages in which keys move.", sumWhereAny},
        {"clock_messages", "Clock messages", "",
         "Keyed jobs: messages that tell how far workers have come, where their synchronization bounds it.",
         sumWhereAny},
        {"intent_messages", "Intent messages", "",
         "Keyed jobs: messages in which machines say which keys they will need, or do not need any more.", sumWhereAny},
        {"replica_messages", "Replica messages", "",
         "Keyed jobs: messages of rounds that make replicas equal, and of copies.", sumWhereAny},
        {"replica_bytes", "Replica bytes", "bytes", "Keyed jobs: Σ of the bytes of replica messages.", sumWhereAny},
        {"relocations", "Relocations", "", "Keyed jobs: keys that came to a machine and stayed.", sumWhereAny, keys},
        {"delivery_s", "Delivery of messages", "s",
         "Keyed jobs: mean from the sending of a message, those of replica rounds included, until the other machine's server thread, or "
         "the worker that waits for it, takes it up; whole run: mean over keyed jobs that send any.",
         mean},
        {"replica_staleness_s", "Staleness of replicas", "s",
         "Keyed jobs: the longest from an addition to a replica until another machine saw it; whole run: mean over jobs "
         "that have replicas.",
         mean},
        {"copies_held", "Copies held", "",
         "Keyed jobs: copies and replicas that a machine holds of keys, mean over time, of the machine with most; whole run: mean "
         "over keyed jobs that have any.",
         mean, keys},
        {"copy_age_s", "Age of copies", "s",
         "Keyed jobs: mean over refreshes of copies and replicas of the time since the values that are replaced left their owner, "
         "or were collected; whole run: mean over jobs that have copies.",
         mean, keys},
        {"sample_dispersion", "Dispersion of samples", "",
         "Keyed jobs that sample: Σ (n − N·p)²/(N·p) over the keys that can be sampled, over their number less one; n: samples of "
         "a key, p: its probability, N: all samples, of one worker, mean over workers. 1 in the mean for independent samples, U "
         "where groups are used U times, more the longer a job runs where samples are biased; whole run: mean over jobs.",
         mean},
        {"server_thread_use", "Use of the busiest server thread", "",
         "Keyed jobs: of the time from each start to the last worker's last iteration, the share that the busiest machine's "
         "server thread handled messages; whole run: mean over keyed jobs.",
         mean, keys, true},
        {"sending_use", "Use of the busiest sender", "",
         "As the use of the busiest server thread, of network interfaces that send.", mean, none, true},
        {"receiving_use", "Use of the busiest receiver", "",
         "As the use of the busiest server thread, of network interfaces that receive.", mean, none, true},
        more(
            {"iterations_per_s", "Iterations per second", "1/s",
             "Keyed jobs: iterations / time from each start to the last worker's last iteration; whole run: sum over jobs.",
             sumWhereAny, keys}),
    }};
}

MetricGroup learning() {
    return {{
        {"first_loss", "First loss", "", "The first evaluated loss; whole run: mean over jobs that have one.", mean,
         training},
        {"final_loss", "Final loss", "", "The last evaluated loss; whole run: mean over jobs that have one.", mean,
         training},
        {"final_QUALITY", "Last value of a quality", "",
         "Keyed jobs that train a model: the last evaluated value of one of its qualities, on examples that are not trained on; "
         "whole run: mean over jobs that have one. One metric per quality, e.g. final_mrr.",
         mean, training},
        {"best_loss", "Best loss", "", "The lowest evaluated loss; whole run: mean over jobs that have one.", mean},
        {"mean_normalised_loss", "Mean normalised loss", "",
         "Time average, while the job is in the system, of (L − L_min)/(L_first − L_min), where L "
         "is the last evaluated loss (before the first: L_first) and L_min that of the mean normalised loss of active jobs; "
         "whole run: mean over jobs whose loss can fall.",
         mean},
        {"time_to_target_s", "Time to the target loss", "s",
         "From arrival to the first evaluated loss ≤ the job's target; whole run: mean over jobs that reached "
         "theirs.",
         mean, training},
        {"mean_active_loss", "Mean normalised loss of active jobs", "",
         "Time average, over the time with active jobs (arrived and not over; jobs that have no loss do not count), of the "
         "mean over them of (L − L_min)/(L_first − "
         "L_min), where L is the last evaluated loss; 1 before the first, and for a job whose loss does not fall. L_min is the "
         "limit of an analytic job's formula or the least of its recorded curve, the same for all policies; of a trained job, "
         "and of a formula without a limit, the least of the run, or of all runs of a comparison with the same seed."},
        {"time_to_90_s", "Time to 90 % of the drop", "s",
         "From arrival to the first evaluated loss at most L_first − 0.9·(L_first − L_min), with the L_min of the "
         "mean normalised loss of active jobs; whole run: mean over the jobs that came so far.",
         mean, training},
        {"time_to_95_s", "Time to 95 % of the drop", "s", "As the time to 90 %, of 95 %.", mean},
        {"time_to_99_s", "Time to 99 % of the drop", "s", "As the time to 90 %, of 99 %.", mean},
        more({"jobs_to_90", "Jobs to 90 % of the drop", "",
              "Jobs that came so far: those that the time to 90 % is the mean of."}),
        more({"jobs_to_95", "Jobs to 95 % of the drop", "", "As the jobs to 90 %, of 95 %."}),
        more({"jobs_to_99", "Jobs to 99 % of the drop", "", "As the jobs to 90 %, of 99 %."}),
        more({"utility_total", "Utility", "", "Σ over finished jobs of their utility u(completion − arrival).", sum,
              cluster}),
    }};
}

} // namespace metric_group

const std::vector<MetricGroup>& metricGroups() {
#define GROUP(name) metric_group::name(),
    static const std::vector<MetricGroup> all{TRAINYARD_METRICS(GROUP)};
#undef GROUP
    return all;
}

const std::vector<MetricDefinition>& metricDefinitions() {
    static const std::vector<MetricDefinition> all = [] {
        std::vector<MetricDefinition> list;
        for (const MetricGroup& group : metricGroups())
            list.insert(list.end(), group.definitions.begin(), group.definitions.end());
        return list;
    }();
    return all;
}

namespace {

constexpr std::string_view eachResource = "RESOURCE", eachQuality = "QUALITY";

} // namespace

bool standsForSeveral(const MetricDefinition& metric) {
    return metric.id.ends_with(eachResource) || metric.id.ends_with(eachQuality);
}

std::vector<MetricDefinition> metricDefinitionsFor(const Cluster& cluster, const std::vector<std::string>& qualities) {
    std::vector<MetricDefinition> all;
    const auto addEach = [&](const MetricDefinition& metric, std::string_view each,
                             const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            all.push_back(metric);
            all.back().id.replace(metric.id.size() - each.size(), each.size(), name);
        }
    };
    for (const MetricDefinition& metric : metricDefinitions()) {
        if (metric.id.ends_with(eachResource))
            addEach(metric, eachResource, cluster.resourceNames);
        else if (metric.id.ends_with(eachQuality))
            addEach(metric, eachQuality, qualities);
        else
            all.push_back(metric);
    }
    return all;
}

std::vector<MetricDefinition> metricDefinitionsFor(const Workload& workload) {
    std::vector<std::string> qualities;
    for (const Job& job : workload.jobs)
        if (const KeyedAccess* access = job.keyedAccess())
            for (const std::string& quality : access->qualities)
                if (std::ranges::find(qualities, quality) == qualities.end()) qualities.push_back(quality);
    return metricDefinitionsFor(workload.cluster, qualities);
}

std::string finalQuality(const std::string& quality) { return "final_" + quality; }

} // namespace trainyard
