// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Synchronous rounds, the common part of full-sync, fastest-k, backup-workers, local-sgd and the adaptive
// policies: every present worker gets a task at the same parameters; when enough gradients have come they are
// averaged, the rest is cancelled and the next round begins.
#include "base/ParamSchema.h"
#include "policy/Synchronization.h"

namespace trainyard {

class RoundSync : public Synchronization {
public:
    void onStart(const PolicyContext&, const TrainingView&, SyncActions&) override;
    void onArrival(const PolicyContext&, const TrainingView&, const HeldGradient& arrival, SyncActions&) override;
    void onMembership(const PolicyContext&, const TrainingView&, SyncActions&) override;
    void onTimer(const PolicyContext&, const TrainingView&, std::uint32_t tag, SyncActions&) override;
    IterationShape shape(int workers) const override;
    std::optional<UpdateTime> updateTime(const JobTimes& job) const override;
    std::optional<std::uint64_t> stalenessBound() const override { return 0; }

protected:
    /// `timeoutSeconds` after its beginning a round is content with what has come, if anything has; else with
    /// the first that comes. 0: it waits as long as it takes.
    explicit RoundSync(std::string id, double timeoutSeconds = 0) : m_id(std::move(id)), m_timeout(timeoutSeconds) {}
    /// How many gradients of a round that `launched` workers began are enough; at least 1, may exceed
    /// `launched`.
    virtual int wanted(int launched) const = 0;
    /// What a worker computes in a round.
    virtual Assignment work(const TrainingView&, std::uint32_t /*worker*/) const { return {}; }
    /// A first round begins, also after a restart.
    virtual void starting(const PolicyContext&, const TrainingView&) {}
    /// `fresh` are about to be averaged into an update; the next round's wanted() and work() are asked after
    /// it.
    virtual void roundOver(const PolicyContext&, const TrainingView&, std::span<const HeldGradient> /*fresh*/) {}
    /// Of one of `gradients` that are made into an update.
    virtual double weightOf(std::uint32_t /*worker*/, int gradients) const { return 1.0 / gradients; }
    /// What else tells why a worker's gradient weighs what it does, for explanations.
    virtual std::vector<NamedNumber> weightNumbers(std::uint32_t /*worker*/, int /*gradients*/) const { return {}; }
    /// Tasks that the present round began with.
    int launched() const { return m_launched; }

private:
    void begin(const PolicyContext&, const TrainingView&, SyncActions&);
    /// Ends the round if no more gradients are needed, or none can come. A worker that was lost counts as
    /// out; one that came during a round waits for the next.
    void settle(const PolicyContext&, const TrainingView&, SyncActions&);
    void explainTarget(const PolicyContext&, const TrainingView&, int launched, int obtainable) const;
    void explainUpdate(const PolicyContext&, const TrainingView&, std::span<const HeldGradient> fresh,
                       int target) const;
    void explainTimeout(const PolicyContext&, const TrainingView&, int held, int wanted) const;

    std::string m_id;
    double m_timeout;
    std::uint32_t m_round = 0; ///< tag of its timer
    bool m_expired = false;    ///< the round's timeout has passed
    int m_launched = 0;
};

/// Samples of a task of `load` × the batch, at least one.
int samplesOfLoad(int batch, double load);

/// Declares the member `timeout` of P, seconds; for policies that hand it to RoundSync.
template <class P>
BoundField<P, double> timeoutField() {
    return field<P, double>(&P::timeout, "timeout", "Timeout of a round", {0, 1e9}, "s",
                            "After this time an update uses the gradients that have arrived, or else the first "
                            "that arrives; 0: no timeout.")
        .effect("Lost and very slow workers delay an update longer.")
        .usual(60);
}

} // namespace trainyard
