#pragma once
// How a machine strays from its nominal speed. A task's compute time is
//   nominal × samples × factor(draw) × persistentFactor × (burst factor at that time),
// and each upload waits `delay` seconds extra before it leaves. Draws are keyed by job, worker and task number, bursts by
// wall-clock bin, so that every policy meets the same noise.
#include "base/Distribution.h"
#include "base/SimTime.h"

#include <optional>

namespace trainyard {

/// Two-state Markov chain over bins of fixed length: normal ↔ slow.
struct Burst {
    double enter = 0.01;   ///< P(normal → slow) per bin
    double leave = 0.1;    ///< P(slow → normal) per bin
    double factor = 5;     ///< compute time is multiplied by this while slow
    double binSeconds = 1;
    friend bool operator==(const Burst&, const Burst&) = default;
};

struct StragglerLaw {
    Distribution factor;                ///< of the compute time; constant 1 = no noise
    double persistentFactor = 1;        ///< > 1: this machine is always slower
    std::optional<Burst> burst;
    std::optional<Distribution> delay;  ///< extra seconds per upload (communication noise)
    friend bool operator==(const StragglerLaw&, const StragglerLaw&) = default;
};

/// The burst chain of one machine. The state of bin b is a pure function of (seed, machine, b); bins are cached forward.
class BurstChain {
public:
    BurstChain(const Burst& burst, std::uint64_t seed, std::uint32_t machine);
    double factorAt(SimTime t);

private:
    Burst m_burst;
    std::uint64_t m_seed;
    std::uint32_t m_machine;
    std::vector<bool> m_slow;
};

} // namespace trainyard
