#pragma once
// Synchronous rounds, the common part of full-sync, fastest-k and backup-workers: every present worker gets a
// task at the same parameters; when enough gradients have come they are averaged, the rest is cancelled and
// the next round begins.
#include "policy/Synchronization.h"

namespace trainyard {

class RoundSync : public Synchronization {
public:
    void onStart(const PolicyContext&, const TrainingView&, SyncActions&) override;
    void onArrival(const PolicyContext&, const TrainingView&, const HeldGradient& arrival,
                   SyncActions&) override;
    void onMembership(const PolicyContext&, const TrainingView&, SyncActions&) override;
    IterationShape shape(int workers) const override;
    std::optional<std::uint64_t> stalenessBound() const override { return 0; }

protected:
    explicit RoundSync(std::string id) : m_id(std::move(id)) {}
    /// How many gradients of a round that `launched` workers began are enough; at least 1, may exceed
    /// `launched`.
    virtual int wanted(int launched) const = 0;

private:
    void begin(const PolicyContext&, const TrainingView&, SyncActions&);
    /// Ends the round if no more gradients are needed, or none can come. A worker that was lost counts as
    /// out; one that came during a round waits for the next.
    void settle(const PolicyContext&, const TrainingView&, SyncActions&);
    void explainTarget(const PolicyContext&, const TrainingView&, int launched, int obtainable) const;
    void explainUpdate(const PolicyContext&, const TrainingView&, std::span<const HeldGradient> fresh,
                       int target) const;

    std::string m_id;
    int m_launched = 0; ///< tasks that this round began with
};

} // namespace trainyard
