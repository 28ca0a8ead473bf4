// backup-workers: of n workers, the update averages the first n − b and cancels the b slowest.
// Chen et al., Revisiting distributed synchronous SGD, 2016.
#include "policy/Builtin.h"
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

} // namespace

SynchronizationEntry builtin::backupWorkers() {
    using P = BackupWorkersParams;
    return policyEntry<Synchronization, BackupWorkers, P>(
        {.id = "backup-workers",
         .label = "Backup workers",
         .summary =
             "Every update averages all gradients but those of the b slowest workers, which are cancelled.",
         .source = "Chen et al., Revisiting distributed synchronous SGD, 2016"},
        field(&P::backups, "backups", "Backup workers", {0, 100000}, "",
              "How many of the job's workers an update does not wait for; it always waits for at least one.")
            .effect("Stragglers delay less, but more computation is thrown away.")
            .amongWorkers(),
        timeoutField<P>());
}

} // namespace trainyard
