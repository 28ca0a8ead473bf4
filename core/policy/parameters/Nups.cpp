// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// nups: keys relocate, but for the most frequent ones, of which every machine has a replica; replicas are made equal in rounds at a
// targeted rate. Renz-Wieland, Gemulla, Kaoudi and Markl, NuPS: a parameter server for machine learning with non-uniform parameter
// access, SIGMOD 2022. The protocol is core/policy/keys/KeyNode.h, rounds are ReplicaRounds.h.
#include "base/Format.h"
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/keys/KeyedPolicy.h"

namespace trainyard {

namespace {

struct NupsParams {
    std::string rule = "above-mean";
    int replicate = 1000;
    double timesMean = 100;
    double syncsPerSecond = 25;
    double clip = 0;
    double threshold = 0;
    bool average = false;
    int waitReplicaSync = 0;
    std::string homes = "range";
};

class Nups final : public KeyedPolicy<NupsParams> {
public:
    using KeyedPolicy::KeyedPolicy;
    std::optional<KeyPlan> keyPlan() const override {
        return KeyPlan{.homes = homes(),
                       .relocates = true,
                       .replication =
                           ReplicationPlan{.count = m_params.replicate,
                                           .timesMean = m_params.rule == "above-mean" ? m_params.timesMean : 0,
                                           .syncsPerSecond = m_params.syncsPerSecond,
                                           .average = m_params.average,
                                           .clip = m_params.clip,
                                           .threshold = m_params.threshold,
                                           .waitEvery = m_params.waitReplicaSync}};
    }
};

bool replicatesCount(const ParamValues& given) {
    const auto rule = given.find("rule");
    return rule != given.end() && rule->second == ParamValue(std::string("most-frequent"));
}

std::optional<Text> tooManyReplicas(const Job& job, const ParamValues& given) {
    if (!job.keyedAccess()) return std::nullopt;
    const double count = compatibility::numberOf(given, "replicate", NupsParams{}.replicate);
    const std::int64_t keys = job.keyedAccess()->keys;
    if (!replicatesCount(given) || count <= static_cast<double>(keys)) return std::nullopt;
    return Text{
        TRAINYARD_TEXT("{0} {0:key is|keys are} to be replicated, but the job has {1}; replicate must be at most that"),
        {formatNumber(count, 15), std::to_string(keys)}};
}

} // namespace

ParametersEntry builtin::nups() {
    using P = NupsParams;
    return policyEntry<ParameterPolicy, Nups, P>(
        {.id = "nups",
         .label = "NuPS",
         .summary =
             "The most frequent keys have a replica on every machine; all others move to where they are used next.",
         .source = "Renz-Wieland et al., SIGMOD 2022",
         .incompatible = tooManyReplicas,
         .series = {{"changed_replicas", "Changed replicas", "",
                     "Replicated keys of which any machine told a change in the round.", "round", ""}}},
        choice(
            &P::rule, "rule", "Replicated keys", {"above-mean", "most-frequent"},
            "above-mean: keys that are used more often than times_mean × the mean over all keys; most-frequent: so many "
            "of the most frequent ones."),
        field(&P::replicate, "replicate", "Number of replicated keys", {0, 1e9}, "", "Of rule most-frequent.")
            .logarithmic(),
        field(&P::timesMean, "times_mean", "Times the mean", {1e-3, 1e9}, "", "c, of rule above-mean.").logarithmic(),
        field(&P::syncsPerSecond, "syncs_per_second", "Rounds per second", {1e-3, 1e5}, "1/s",
              "Rounds that make replicas equal; one that takes longer delays the next.")
            .effect("More rounds make replicas fresher and cost time of networks and servers.")
            .logarithmic(),
        field(&P::clip, "clip", "Clipping", {0, 1e6}, "",
              "Above 0: the norm of a replica's change is cut to this times the mean norm of changes so far."),
        field(&P::threshold, "threshold", "Threshold", {0, 1e12}, "",
              "Changes of a smaller norm wait for a later round, as long as the machine has workers to do."),
        flag(&P::average, "average", "Average changes", "The sum of the machines' changes is divided by their number."),
        field(&P::waitReplicaSync, "wait_replica_sync", "Wait for replicas", {0, 1e9}, "iterations",
              "After so many iterations a worker waits until two more rounds have ended; 0: never.")
            .effect("Workers see all that was added before, and wait for up to two intervals each time.")
            .usual(1000),
        homesField<P>());
}

} // namespace trainyard
