// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/AgentTrainer.h"

#include "learning/nets/MaskedSoftmax.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {

constexpr std::size_t groupCount = 8; ///< fixed, so that results do not depend on threads
constexpr std::size_t shards = 4;     ///< of a batch

/// From `from` to a tenth of it.
double falling(double from, int done, int all) { return from * (1 - 0.9 * done / std::max(all, 1)); }

} // namespace

AgentTrainer::AgentTrainer(std::shared_ptr<const TrainingWorld> world, TrainingSettings settings, std::uint64_t seed)
    : m_world(std::move(world)), m_settings(std::move(settings)), m_seed(seed),
      m_policy(afterStateNet(m_world->states()->optionSize(), m_settings.hidden)),
      m_value(afterStateNet(m_world->states()->stateSize() + EpisodeGroup::arrivalNumbers, m_settings.hidden)) {
    RandomStream random(seed, Purpose::initialWeights, 46);
    m_state.policy.resize(m_policy.parameters());
    m_policy.initialise(m_state.policy, random, 0.1);
    m_state.value.resize(m_value.parameters());
    m_value.initialise(m_state.value, random, 1);
    m_state.policyAdam = nets::Adam<float>(m_policy.parameters());
    m_state.valueAdam = nets::Adam<float>(m_value.parameters());
    for (std::size_t g = 0; g < groupCount; ++g) m_groups.push_back(std::make_unique<EpisodeGroup>(*m_world));
}

AgentTrainer::Phase AgentTrainer::phase() const {
    if (m_state.iteration < m_settings.distillIterations) return Phase::distillation;
    if (m_state.iteration < m_settings.distillIterations + m_settings.valueIterations) return Phase::value;
    return m_state.iteration < iterations() ? Phase::policy : Phase::done;
}

int AgentTrainer::iterations() const {
    return m_settings.distillIterations + m_settings.valueIterations + m_settings.policyIterations;
}

bool AgentTrainer::restore(TrainingState state) {
    if (state.policy.size() != m_policy.parameters() || state.value.size() != m_value.parameters() ||
        state.policyAdam.first.size() != m_policy.parameters() ||
        state.policyAdam.second.size() != m_policy.parameters() ||
        state.valueAdam.first.size() != m_value.parameters() || state.valueAdam.second.size() != m_value.parameters() ||
        state.iteration < 0 || state.iteration > iterations())
        return false;
    m_state = std::move(state);
    return true;
}

bool AgentTrainer::step(const Parallel& parallel, std::stop_token stop) {
    require(phase() != Phase::done, "a training that is done has no next step");
    if (!(phase() == Phase::distillation ? distil(parallel, stop) : improve(parallel, stop))) return false;
    ++m_state.iteration;
    if (m_state.iteration == m_settings.distillIterations)
        m_state.policyAdam = nets::Adam<float>(m_policy.parameters());
    return true;
}

std::vector<std::uint32_t> AgentTrainer::shuffled(std::size_t count, std::uint32_t epoch, std::uint32_t of) const {
    std::vector<std::uint32_t> out(count);
    std::iota(out.begin(), out.end(), 0U);
    RandomStream random(m_seed, Purpose::training, entityOf(static_cast<std::uint32_t>(m_state.iteration), epoch), of);
    for (std::size_t left = count; left > 1; --left) std::swap(out[random.below(left)], out[left - 1]);
    return out;
}

bool AgentTrainer::distil(const Parallel& parallel, const std::stop_token& stop) {
    const std::size_t each = static_cast<std::size_t>(m_settings.distillEpisodes) / groupCount;
    parallel.forEach(groupCount, [&](std::size_t g) {
        if (stop.stop_requested()) return;
        const auto first = static_cast<std::uint32_t>(g * each);
        m_groups[g]->begin(m_seed, static_cast<std::uint32_t>(m_state.iteration), first, each,
                           static_cast<std::size_t>(std::max(400, m_settings.warmUp + m_settings.distillArrivals)));
        m_groups[g]->label(player(), m_seed, first);
    });
    if (stop.stop_requested()) return false;
    Decisions all;
    all.clear(m_world->states()->optionSize());
    std::size_t served = 0;
    for (const auto& group : m_groups) {
        all.append(group->decisions, 0);
        served += group->served;
    }
    const auto arrivals = static_cast<std::size_t>(m_settings.distillArrivals) * each * groupCount;
    m_state.steps += arrivals;
    m_state.reward = static_cast<double>(served) / static_cast<double>(arrivals);
    fitLabels(all, parallel);
    return true;
}

namespace {

/// Rows of the decisions order[from] … order[end − 1].
template <class Decided>
void gatherRows(const Decided& decisions, std::span<const std::uint32_t> order, nets::Matrix<float>& out) {
    std::size_t count = 0;
    for (const std::uint32_t d : order) count += decisions.first[d + 1] - decisions.first[d];
    out.resize(count, decisions.rows.columns);
    float* to = out.numbers.data();
    for (const std::uint32_t d : order)
        to = std::copy(decisions.rows.row(decisions.first[d]), decisions.rows.row(decisions.first[d + 1]), to);
}

/// Calls shard(part of a batch, its gradient) for each part of each batch of the order, adds gradients in order, and steps.
template <class Shard>
void overBatches(std::span<const std::uint32_t> order, std::size_t batch, std::vector<float>& parameters,
                 nets::Adam<float>& adam, const nets::AdamSettings& settings, const Parallel& parallel, Shard shard) {
    std::vector<std::vector<float>> gradients(shards, std::vector<float>(parameters.size()));
    for (std::size_t at = 0; at < order.size(); at += batch) {
        const std::span<const std::uint32_t> now = order.subspan(at, std::min(batch, order.size() - at));
        parallel.forEach(shards, [&](std::size_t s) {
            std::ranges::fill(gradients[s], 0.0F);
            const std::size_t from = now.size() * s / shards, end = now.size() * (s + 1) / shards;
            if (from < end) shard(s, now.subspan(from, end - from), now.size(), gradients[s]);
        });
        for (std::size_t s = 1; s < shards; ++s)
            for (std::size_t i = 0; i < parameters.size(); ++i) gradients[0][i] += gradients[s][i];
        adam.step(settings, parameters, gradients[0]);
    }
}

} // namespace

void AgentTrainer::fitLabels(const Decisions& decisions, const Parallel& parallel) {
    const auto order = shuffled(decisions.count(), 0, 2);
    std::array<double, shards> losses{};
    const nets::AdamSettings settings{
        .rate = falling(m_settings.distillRate, m_state.iteration, m_settings.distillIterations), .mostNorm = 1};
    overBatches(
        order, static_cast<std::size_t>(m_settings.distillBatch), m_state.policy, m_state.policyAdam, settings,
        parallel,
        [&](std::size_t s, std::span<const std::uint32_t> part, std::size_t batch, std::vector<float>& gradient) {
            nets::Matrix<float> rows;
            nets::Mlp<float>::Tape tape;
            gatherRows(decisions, part, rows);
            nets::Matrix<float> dy = m_policy.forward(m_state.policy, rows, tape);
            std::size_t row = 0;
            for (const std::uint32_t d : part) {
                const std::size_t first = decisions.first[d], count = decisions.first[d + 1] - first;
                float mean = 0;
                for (std::size_t i = 0; i < count; ++i) mean += dy.numbers[row + i] / static_cast<float>(count);
                for (std::size_t i = 0; i < count; ++i) { // targets have mean 0, so the gradients add up to 0
                    const double off = dy.numbers[row + i] - mean - decisions.targets[first + i];
                    losses[s] += off * off / static_cast<double>(count * decisions.count());
                    dy.numbers[row + i] = static_cast<float>(2 * off / static_cast<double>(count * batch));
                }
                row += count;
            }
            m_policy.backward(m_state.policy, tape, dy, gradient);
        });
    m_state.loss = std::accumulate(losses.begin(), losses.end(), 0.0);
}

bool AgentTrainer::improve(const Parallel& parallel, const std::stop_token& stop) {
    const std::size_t each = static_cast<std::size_t>(m_settings.episodes) / groupCount;
    const std::size_t arrivals = static_cast<std::size_t>(m_settings.arrivals);
    parallel.forEach(groupCount, [&](std::size_t g) {
        if (stop.stop_requested()) return;
        m_groups[g]->begin(m_seed, static_cast<std::uint32_t>(m_state.iteration), static_cast<std::uint32_t>(g * each),
                           each, static_cast<std::size_t>(m_settings.warmUp) + arrivals + 1);
        m_groups[g]->play(player());
    });
    if (stop.stop_requested()) return false;

    // Values of all states, generalized advantages, returns.
    std::vector<std::vector<double>> advantages(groupCount);
    std::vector<std::vector<double>> returns(groupCount);
    parallel.forEach(groupCount, [&](std::size_t g) {
        nets::Mlp<float>::Tape tape;
        const std::vector<float>& values = m_value.forward(m_state.value, m_groups[g]->states, tape).numbers;
        const std::vector<float>& rewards = m_groups[g]->rewards;
        advantages[g].resize(rewards.size());
        returns[g].resize(rewards.size());
        std::vector<double> carried(each, 0.0);
        for (std::size_t i = rewards.size(); i-- > 0;) { // by arrival, then episode
            const double delta = rewards[i] + m_settings.discount * values[i + each] - values[i];
            double& carry = carried[i % each];
            carry = delta + m_settings.discount * m_settings.lambda * carry;
            advantages[g][i] = carry;
            returns[g][i] = carry + values[i];
        }
    });
    Decisions all;
    all.clear(m_world->states()->optionSize());
    nets::Matrix<float> states(0, m_groups[0]->states.columns);
    std::vector<double> targets;
    std::size_t served = 0;
    double entropy = 0;
    for (std::size_t g = 0; g < groupCount; ++g) {
        const EpisodeGroup& group = *m_groups[g];
        all.append(group.decisions, 0);
        for (const std::size_t step : group.decisions.step) all.advantages.push_back(advantages[g][step]);
        states.numbers.insert(states.numbers.end(), group.states.numbers.begin(),
                              group.states.numbers.begin() +
                                  static_cast<std::ptrdiff_t>(group.rewards.size() * states.columns));
        states.rows += group.rewards.size();
        targets.insert(targets.end(), returns[g].begin(), returns[g].end());
        served += group.served;
        entropy += group.entropy;
    }
    m_state.steps += targets.size();
    m_state.reward = static_cast<double>(served) / static_cast<double>(targets.size());
    m_state.entropy = entropy / static_cast<double>(std::max<std::size_t>(all.count(), 1));
    const int before = m_settings.distillIterations + m_settings.valueIterations;
    const int done = std::max(0, m_state.iteration - before);
    if (m_state.iteration >= before)
        fitPolicy(all, parallel, falling(m_settings.policyRate, done, m_settings.policyIterations));
    fitValue(states, targets, parallel, falling(m_settings.valueRate, done, m_settings.policyIterations));
    return true;
}

void AgentTrainer::fitPolicy(const Decisions& decisions, const Parallel& parallel, double rate) {
    double mean = 0, squares = 0;
    for (const double a : decisions.advantages) mean += a / static_cast<double>(decisions.count());
    for (const double a : decisions.advantages)
        squares += (a - mean) * (a - mean) / static_cast<double>(decisions.count());
    const double deviation = std::sqrt(squares) + 1e-8;
    for (int epoch = 0; epoch < m_settings.epochs; ++epoch) {
        const auto order = shuffled(decisions.count(), static_cast<std::uint32_t>(epoch), 3);
        overBatches(
            order, static_cast<std::size_t>(m_settings.batch), m_state.policy, m_state.policyAdam,
            {.rate = rate, .mostNorm = 0.5}, parallel,
            [&](std::size_t, std::span<const std::uint32_t> part, std::size_t batch, std::vector<float>& gradient) {
                nets::Matrix<float> rows;
                nets::Mlp<float>::Tape tape;
                gatherRows(decisions, part, rows);
                nets::Matrix<float> dy = m_policy.forward(m_state.policy, rows, tape);
                std::size_t row = 0;
                std::vector<double> scoreGradient;
                for (const std::uint32_t d : part) {
                    const std::size_t count = decisions.first[d + 1] - decisions.first[d];
                    const auto p = EpisodeGroup::probabilities(m_settings, dy.numbers.data() + row, count);
                    const double advantage = (decisions.advantages[d] - mean) / deviation;
                    const double ratio =
                        std::exp(std::log(std::max(p[decisions.chosen[d]], 1e-30)) - decisions.logarithms[d]);
                    const bool clipped = advantage > 0 ? ratio > 1 + m_settings.clip : ratio < 1 - m_settings.clip;
                    scoreGradient.assign(count, 0.0);
                    nets::addScoreGradients(p, decisions.chosen[d], clipped ? 0 : -advantage * ratio,
                                            -m_settings.entropy, scoreGradient);
                    for (std::size_t i = 0; i < count; ++i)
                        dy.numbers[row + i] =
                            static_cast<float>(scoreGradient[i] / m_settings.temperature / static_cast<double>(batch));
                    row += count;
                }
                m_policy.backward(m_state.policy, tape, dy, gradient);
            });
    }
}

void AgentTrainer::fitValue(const nets::Matrix<float>& states, std::span<const double> returns,
                            const Parallel& parallel, double rate) {
    std::array<double, shards> losses{};
    for (int epoch = 0; epoch < m_settings.epochs; ++epoch) {
        const auto order = shuffled(states.rows, static_cast<std::uint32_t>(epoch), 4);
        losses = {};
        overBatches(
            order, static_cast<std::size_t>(m_settings.batch), m_state.value, m_state.valueAdam,
            {.rate = rate, .mostNorm = 10}, parallel,
            [&](std::size_t s, std::span<const std::uint32_t> part, std::size_t batch, std::vector<float>& gradient) {
                nets::Matrix<float> rows(part.size(), states.columns);
                for (std::size_t i = 0; i < part.size(); ++i)
                    std::copy_n(states.row(part[i]), states.columns, rows.row(i));
                nets::Mlp<float>::Tape tape;
                nets::Matrix<float> dy = m_value.forward(m_state.value, rows, tape);
                for (std::size_t i = 0; i < part.size(); ++i) {
                    const double off = dy.numbers[i] - returns[part[i]];
                    losses[s] += off * off / static_cast<double>(states.rows);
                    dy.numbers[i] = static_cast<float>(2 * off / static_cast<double>(batch));
                }
                m_value.backward(m_state.value, tape, dy, gradient);
            });
    }
    m_state.loss = std::accumulate(losses.begin(), losses.end(), 0.0);
}

} // namespace trainyard
