// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// backup-workers: of n workers, the update averages the first n − b and cancels the b slowest.
// Chen et al., Revisiting distributed synchronous SGD, 2016.
#include "base/Format.h"
#include "policy/Builtin.h"
#include "policy/Compatibility.h"
#include "policy/synchronization/RoundSync.h"

#include <algorithm>

namespace trainyard {

namespace {

struct BackupWorkersParams {
    int backups = 1;
    double timeout = 0;
};

class BackupWorkers final : public RoundSync {
public:
    explicit BackupWorkers(BackupWorkersParams params)
        : RoundSync("backup-workers", params.timeout), m_params(params) {}
    std::unique_ptr<Synchronization> clone() const override { return std::make_unique<BackupWorkers>(*this); }

protected:
    int wanted(int launched) const override { return std::max(1, launched - m_params.backups); }

private:
    BackupWorkersParams m_params;
};

std::optional<Text> leavesNone(const Job& job, const ParamValues& given) {
    const double backups = compatibility::numberOf(given, "backups", 0);
    if (job.workers.maximum <= 1 || backups < job.workers.maximum) return std::nullopt;
    return Text{
        TRAINYARD_TEXT("{0} backup workers leave no worker to wait for: the job has at most {1} {1:worker|workers}, so "
                       "\"backups\" must be less than that"),
        {formatNumber(backups), std::to_string(job.workers.maximum)}};
}

} // namespace

SynchronizationEntry builtin::backupWorkers() {
    using P = BackupWorkersParams;
    return policyEntry<Synchronization, BackupWorkers, P>(
        {.id = "backup-workers",
         .label = "Backup workers",
         .summary = "Every update averages all gradients but those of the b slowest workers, which are cancelled.",
         .source = "Chen et al., Revisiting distributed synchronous SGD, 2016",
         .incompatible = leavesNone,
         .compatibilityWarning =
             [](const Job& job, const ParamValues& given) {
                 const double backups = compatibility::numberOf(given, "backups", P{}.backups);
                 return compatibility::unstableStep(job, given, job.workers.maximum - backups);
             }},
        field(&P::backups, "backups", "Backup workers", {0, 100000}, "",
              "Number of workers that an update does not wait for; it always waits for at least one.")
            .effect("Stragglers delay less, but more computation is discarded.")
            .amongWorkers(),
        timeoutField<P>());
}

} // namespace trainyard
