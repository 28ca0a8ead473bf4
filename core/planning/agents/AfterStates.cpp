// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "planning/agents/AfterStates.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

struct HeldServers {
    double end;
    ServerMask servers;
};

/// Jobs that hold servers after the decision, first end first.
struct HeldJobs {
    std::array<HeldServers, OpticalNetwork::mostServers + 1> jobs;
    std::size_t count = 0;

    HeldJobs(const LossSystem& system, ServerMask servers, double end) {
        system.forEachRunning([&](double until, ServerMask of) { jobs[count++] = {until, of}; });
        if (servers == 0) return;
        std::size_t i = count++;
        for (; i > 0 && jobs[i - 1].end > end; --i) jobs[i] = jobs[i - 1];
        jobs[i] = {end, servers};
    }
};

constexpr double longest = 1000; ///< mean gaps: what is never free counts as so long

/// 0 for none, 1 at 16 mean gaps: twice as long says little more.
float compressed(double gaps) { return static_cast<float>(std::log1p(std::min(gaps, longest)) / std::log(17.0)); }

} // namespace

AfterStates::AfterStates(std::shared_ptr<const ServerBlocks> blocks) : m_blocks(std::move(blocks)) {
    for (const int size : sizes) {
        std::vector<ServerMask>& masks = m_masks.emplace_back();
        if (size <= m_blocks->network().serverCount())
            for (const ServerBlock& block : m_blocks->blocks(size)) masks.push_back(block.mask);
    }
    m_servers = static_cast<std::size_t>(m_blocks->network().serverCount());
    m_stateSize = m_servers + (3 * std::size(horizons) + 1) * std::size(sizes) + 2 + loadNumbers;
}

std::vector<std::string> AfterStates::names() const {
    std::vector<std::string> out;
    for (std::size_t s = 0; s < m_servers; ++s) out.push_back("server " + std::to_string(s) + " taken");
    for (const int size : sizes) {
        for (const double h : horizons) {
            const std::string of = std::to_string(size) + "-blocks at " + std::to_string(static_cast<int>(h));
            out.push_back("share of " + of);
            out.push_back("disjoint " + of);
            out.push_back("any of " + of);
        }
        out.push_back("until a " + std::to_string(size) + "-block");
    }
    out.insert(out.end(), {"jobs", "work left"});
    for (const int d : degrees) out.push_back("in time at " + std::to_string(d));
    for (const int d : degrees) out.push_back("length at " + std::to_string(d));
    out.insert(out.end(), {"load", "in time at any", "mean deadline", "poisson"});
    for (const int d : degrees) out.push_back("is " + std::to_string(d));
    for (const int d : degrees) out.push_back("as floor-" + std::to_string(d));
    return out;
}

ExpectedLoad AfterStates::expect(GraphPricer& pricer, const GraphWorkload& workload) {
    const double graphs = static_cast<double>(workload.graphs);
    ExpectedLoad out{workload.gapSeconds, std::vector<float>(loadNumbers)};
    double mass = 0;
    for (const double p : workload.beta.probabilities) mass += p;
    const auto inTime = [&](std::size_t g, double seconds) {
        double sum = 0;
        for (std::size_t i = 0; i < workload.beta.values.size(); ++i)
            if (pricer.meets(seconds, workload.beta.values[i] * pricer.sequentialSeconds(g)))
                sum += workload.beta.probabilities[i];
        return sum / mass;
    };
    double work = 0, any = 0;
    for (std::size_t i = 0; i < workload.graphs; ++i) {
        const std::size_t g = workload.number(i);
        double fastest = std::numeric_limits<double>::infinity();
        for (std::size_t d = pricer.offered(g).first; d < pricer.offered(g).end; ++d) {
            const auto at = std::ranges::find(degrees, pricer.degrees()[d]);
            const double seconds = pricer.emptySeconds(g, d);
            if (!std::isfinite(seconds)) continue;
            fastest = std::min(fastest, seconds);
            if (at == std::end(degrees)) continue;
            const auto column = static_cast<std::size_t>(at - std::begin(degrees));
            out.numbers[column] += static_cast<float>(inTime(g, seconds) / graphs);
            out.numbers[std::size(degrees) + column] += static_cast<float>(seconds / workload.gapSeconds / graphs / 8);
        }
        work += pricer.sequentialSeconds(g) / graphs;
        any += inTime(g, fastest) / graphs;
    }
    const std::size_t rest = 2 * std::size(degrees);
    out.numbers[rest] = static_cast<float>(work / workload.gapSeconds / pricer.blocks().network().serverCount());
    out.numbers[rest + 1] = static_cast<float>(any);
    out.numbers[rest + 2] = static_cast<float>(workload.beta.expectation());
    out.numbers[rest + 3] = workload.poisson ? 1.0F : 0.0F;
    return out;
}

bool AfterStates::anyFree(std::size_t size, ServerMask occupied) const {
    return std::ranges::any_of(m_masks[size], [&](ServerMask mask) { return (mask & occupied) == 0; });
}

AfterStates::Free AfterStates::countFree(std::size_t size, ServerMask occupied) const {
    Free out;
    ServerMask filled = occupied;
    for (const ServerMask mask : m_masks[size]) {
        out.blocks += (mask & occupied) == 0 ? 1 : 0;
        if ((mask & filled) != 0) continue; // blocks before it stay taken, so that one pass places them all
        filled |= mask;
        ++out.disjoint;
    }
    return out;
}

void AfterStates::writeState(const LossSystem& system, double now, ServerMask servers, double seconds,
                             const ExpectedLoad& load, std::span<float> out) const {
    require(out.size() == m_stateSize, "a state has as many numbers as stateSize() says");
    const double gap = load.gapSeconds;
    const HeldJobs held(system, servers, now + seconds);
    float* to = out.data();
    std::fill_n(to, m_servers, 0.0F);
    double work = 0;
    for (std::size_t j = 0; j < held.count; ++j) {
        const double gaps = std::min((held.jobs[j].end - now) / gap, longest);
        work += gaps * std::popcount(held.jobs[j].servers);
        for (ServerMask left = held.jobs[j].servers; left != 0; left &= left - 1)
            to[std::countr_zero(left)] = compressed(gaps);
    }
    to += m_servers;
    std::array<ServerMask, std::size(horizons)> taken{};
    for (std::size_t j = 0; j < held.count; ++j)
        for (std::size_t h = 0; h < taken.size(); ++h)
            if (held.jobs[j].end > now + horizons[h] * gap) taken[h] |= held.jobs[j].servers;
    for (std::size_t k = 0; k < m_masks.size(); ++k) {
        const float all = static_cast<float>(std::max<std::size_t>(m_masks[k].size(), 1));
        for (const ServerMask occupied : taken) {
            const Free free = countFree(k, occupied);
            *to++ = static_cast<float>(free.blocks) / all;
            *to++ = static_cast<float>(free.disjoint * sizes[k]) / static_cast<float>(m_servers);
            *to++ = free.blocks > 0 ? 1.0F : 0.0F;
        }
        ServerMask left = taken[0];
        double wait = 0;
        for (std::size_t j = 0; j <= held.count && !anyFree(k, left); ++j) {
            wait = j == held.count ? longest : (held.jobs[j].end - now) / gap;
            if (j < held.count) left &= ~held.jobs[j].servers;
        }
        *to++ = compressed(wait);
    }
    *to++ = static_cast<float>(held.count) / static_cast<float>(m_servers);
    *to++ = static_cast<float>(work / static_cast<double>(m_servers) / 8);
    std::ranges::copy(load.numbers, to);
}

void AfterStates::writeOption(const LossSystem& system, double now, std::span<const GraphOption> options,
                              std::size_t option, const ExpectedLoad& load, std::span<float> out) const {
    require(out.size() == optionSize(), "an option has as many numbers as optionSize() says");
    writeState(system, now, options[option].servers, options[option].seconds, load, out.first(m_stateSize));
    float* to = out.data() + m_stateSize;
    for (const int d : degrees) *to++ = options[option].degree == d ? 1.0F : 0.0F;
    for (const int k : degrees) { // the first in time from k on, else the last below
        std::size_t chosen = option;
        for (std::size_t i = 0, below = 1; i < options.size() && below != 0; ++i) {
            if (options[i].state != OptionState::inTime) continue;
            chosen = i;
            if (options[i].degree >= k) below = 0;
        }
        *to++ = chosen == option ? 1.0F : 0.0F;
    }
}

void AfterStates::writeRefusal(const LossSystem& system, double now, const ExpectedLoad& load,
                               std::span<float> out) const {
    require(out.size() == optionSize(), "an option has as many numbers as optionSize() says");
    writeState(system, now, 0, 0, load, out.first(m_stateSize));
    std::ranges::fill(out.last(optionNumbers), 0.0F);
}

AfterStates::Glance AfterStates::glance(const LossSystem& system, double now, ServerMask servers,
                                        double seconds) const {
    Glance out;
    const HeldJobs held(system, servers, now + seconds);
    ServerMask taken = 0;
    for (std::size_t j = 0; j < held.count; ++j) taken |= held.jobs[j].servers;
    for (std::size_t k = 0; k < m_masks.size(); ++k) {
        out.free[k] = countFree(k, taken).disjoint;
        ServerMask left = taken;
        for (std::size_t j = 0; j <= held.count && !anyFree(k, left); ++j) {
            out.wait[k] = j == held.count ? std::numeric_limits<double>::infinity() : held.jobs[j].end - now;
            if (j < held.count) left &= ~held.jobs[j].servers;
        }
    }
    return out;
}

} // namespace trainyard
