// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Counter-based random numbers (Philox 4x32-10, Random123). A draw is a pure function of
// (seed, purpose, entity, item, position): no call order and no thread changes it, and two policies meet the same noise
// because they ask for the same coordinates. Draws are unit variates; policies and laws scale them.
#include <array>
#include <cstdint>

namespace trainyard {

/// What a random number is for. Values are part of the file format of runs: append, never renumber.
enum class Purpose : std::uint32_t {
    arrival = 1,
    jobShape,
    compute,
    communication,
    burst,
    persistent,
    fault,
    batch,
    initialWeights,
    dataset,
    policy,
    test,
    executeCompute,
    executeCommunication,
    executeFault,
    drawnField,
    keySample,
    training,
};

/// One sequence of draws: position advances with every call. Copyable; a copy repeats the original's future.
class RandomStream {
public:
    /// entity: e.g. job and worker packed by entityOf(); item: e.g. the task number.
    RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t entity = 0, std::uint32_t item = 0);

    std::uint64_t bits();
    /// Uniform on the open interval (0, 1), 53 bits.
    double unit();
    /// Standard normal by the inverse distribution function: one draw each, so positions stay aligned.
    double normal();
    /// Uniform on {0 … n−1}, n ≥ 1, without modulo bias (Lemire's multiply and reject).
    std::uint64_t below(std::uint64_t n);

private:
    std::array<std::uint32_t, 2> m_key;
    std::array<std::uint32_t, 4> m_counter;
    std::array<std::uint32_t, 4> m_block{};
    int m_left = 0;
};

/// Packs two 32-bit ids (a job and a worker, say) into one entity coordinate.
constexpr std::uint64_t entityOf(std::uint32_t major, std::uint32_t minor = 0) {
    return (static_cast<std::uint64_t>(major) << 32) | minor;
}

/// Φ⁻¹(p) for 0 < p < 1: Wichura's AS 241 (PPND16), relative error below 1e-15.
double normalQuantile(double p);

} // namespace trainyard
