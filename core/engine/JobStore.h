// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The parameters of one running job with their optimizer state, and at which node each key is. The numbers
// stay here while a key is between two nodes: an update decided meanwhile is in them when the key arrives, a
// snapshot has all of them, and what the coordinator sees is never stale. A copyable value; in execute mode
// JobExecution guards it by a mutex.
#include "base/Cloned.h"
#include "learning/NoiseScale.h"
#include "learning/TrainingProblem.h"
#include "model/Placement.h"
#include "policy/Parameters.h"
#include "policy/Synchronization.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace trainyard {

/// A job's own checkpoint: weights and optimizer state (by parameter, whole vectors), how far it had come, and its
/// synchronization as it was then (null under the rate model).
struct KeyedSnapshot;

struct JobSnapshot {
    std::vector<double> parameters, optimizerState;
    std::uint64_t updates = 0;
    double samplesUsed = 0;
    double ahead = 0; ///< on its loss curve: CurveCourse
    NoiseScale noise = {};
    Cloned<Synchronization> synchronization = {};
    std::shared_ptr<const KeyedSnapshot> keyed = nullptr; ///< of a keyed job
};

class JobStore {
public:
    static constexpr NodeIndex nowhere = ~NodeIndex{0};

    JobStore() = default;
    /// Analytic jobs have no numbers: those of their snapshot are empty.
    JobStore(SharedLayout layout, JobSnapshot snapshot);

    const StoreLayout& layout() const { return *m_layout; }
    const SharedLayout& sharedLayout() const { return m_layout; }
    std::span<const Key> keys() const { return m_keys; } ///< all, in order
    /// Updates applied to the parameters.
    std::uint64_t version() const { return m_version; }
    /// All parameters.
    const std::vector<double>& parameters() const { return m_parameters; }
    const std::vector<double>& optimizerState() const { return m_state; }
    std::span<const double> parameters(Key key) const;
    /// Whose store has the key; nowhere while it is between two nodes.
    NodeIndex home(Key key) const { return m_home[key]; }

    void place(Key key, NodeIndex home) { m_home[key] = home; }
    /// The key leaves its node: its parameters, then its optimizer state, as they are sent.
    std::vector<double> take(Key key);
    /// Update number `update`: one optimizer step with the aggregated message of the whole job. An analytic job (no problem) has no
    /// numbers; its updates count all the same.
    void apply(std::span<const double> message, const TrainingProblem* problem, std::uint64_t update) {
        if (problem) return apply(message, problem->optimizer(), update, &problem->model());
        m_version = update;
    }
    /// `model`: for optimizers that need the whole vector.
    void apply(std::span<const double> message, const Optimizer& optimizer, std::uint64_t update,
               const Model* model = nullptr);

private:
    SharedLayout m_layout;
    std::vector<Key> m_keys;
    std::vector<NodeIndex> m_home; ///< by key
    std::vector<double> m_parameters, m_state;
    std::uint64_t m_version = 0;
};

/// How many parameters a job has, and the bytes of each. An analytic job (no problem) has as many as give its bytes.
struct ParameterSize {
    std::uint64_t count = 0;
    double bytes = 8;
};
ParameterSize parameterSize(const Job& spec, const TrainingProblem* problem);
/// Bytes of all parameters, of a worker's message (a gradient, with the curvature where the model has one), and of a checkpoint
/// (parameters and optimizer state).
double parameterBytes(const StoreLayout& layout);
double gradientBytes(const StoreLayout& layout, const TrainingProblem* problem);
double checkpointBytes(const Job& spec, const TrainingProblem* problem);

/// Parameters on their way between two vertices of the network.
struct ParameterTransfer {
    std::uint32_t from = 0, to = 0;
    double bytes = 0;
};
/// What happens to the parameters before a job begins.
struct Restoring {
    std::vector<ParameterTransfer> transfers;
    double bytes = 0;   ///< sent, or loaded from a disk
    bool begins = true; ///< false: the job goes on where it is, at another pace
    double seconds = 0; ///< after the transfers
};
/// Where parameters are: at the servers, or at the workers of a job without.
inline const std::vector<MachineId>& ownersOf(const Placement& placement) {
    return placement.servers.empty() ? placement.workers : placement.servers;
}
/// From each owner a part to the storage; none where each machine has its own disk (nullopt).
std::vector<ParameterTransfer> checkpointTransfers(const Placement& placement, std::optional<std::uint32_t> storage,
                                                   double bytes);

/// Parameters of a job cut into `keys` nearly equal contiguous ranges. `message`: numbers of one, where they are not as many.
StoreLayout makeLayout(std::uint64_t parameters, std::uint32_t keys, std::uint32_t workers, std::uint32_t servers,
                       double bytesPerParameter, std::uint64_t message = 0);

/// The part of a whole message that belongs to a key: of the gradient, then of the curvature if there is one, then of anything more.
void appendKeyMessage(const StoreLayout& layout, Key key, std::span<const double> message, std::vector<double>& out);
/// Writes the parameters of these keys, which stand one after the other, into the whole.
void placeParameters(const StoreLayout& layout, std::span<const Key> keys, std::span<const double> values,
                     std::span<double> parameters);
/// Inverse of appendKeyMessage: writes the key's part into the whole message; returns how many numbers it
/// used.
std::size_t placeKeyMessage(const StoreLayout& layout, Key key, std::span<const double> part,
                            std::span<double> message);

} // namespace trainyard
