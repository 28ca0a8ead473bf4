// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// full-sync: every update is the mean of one gradient of every worker (bulk-synchronous SGD).
// Valiant, A bridging model for parallel computation, CACM 1990; K-sync with K = n in Dutta et al., AISTATS
// 2018.
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/RoundSync.h"

namespace trainyard {

namespace {

struct FullSyncParams {
    double timeout = 0;
};

class FullSync final : public RoundSync {
public:
    explicit FullSync(FullSyncParams params) : RoundSync("full-sync", params.timeout) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<FullSync>(*this); }

protected:
    int wanted(int launched) const override { return launched; }
};

} // namespace

SynchronizationEntry builtin::fullSync() {
    return policyEntry<Synchronization, FullSync, FullSyncParams>(
        {.id = "full-sync",
         .label = "Full synchronization",
         .summary = "Every update averages one gradient of every worker; all wait for the slowest.",
         .source = "Valiant, CACM 1990; K-sync with K = n in Dutta et al., AISTATS 2018",
         .compatibilityWarning =
             [](const Job& job, const ParamValues& given) {
                 return compatibility::unstableStep(job, given, job.workers.maximum);
             }},
        timeoutField<FullSyncParams>());
}

} // namespace trainyard
