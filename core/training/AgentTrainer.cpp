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

/// Numbers of a state before a decision: as after one, and what can be done with the job that has arrived.
constexpr std::size_t arrivalNumbers = 2 * std::size(AfterStates::degrees) + 1;

void writeArrival(const GraphArrival& job, std::span<const GraphOption> options, double gap, float* out) {
    std::fill_n(out, arrivalNumbers, 0.0F);
    for (const GraphOption& option : options) {
        const auto at = std::ranges::find(AfterStates::degrees, option.degree);
        if (at == std::end(AfterStates::degrees) || option.state != OptionState::inTime) continue;
        const auto i = static_cast<std::size_t>(at - std::begin(AfterStates::degrees));
        out[i] = 1;
        out[std::size(AfterStates::degrees) + i] = static_cast<float>(option.seconds / gap / 8);
    }
    out[arrivalNumbers - 1] = static_cast<float>(job.beta);
}

void appendRow(nets::Matrix<float>& to, const float* row) {
    to.numbers.insert(to.numbers.end(), row, row + to.columns);
    ++to.rows;
}

/// From `from` to a tenth of it.
double falling(double from, int done, int all) { return from * (1 - 0.9 * done / std::max(all, 1)); }

} // namespace

/// Decisions with more than one option in time: rows of their after-states one after another.
struct AgentTrainer::Decisions {
    nets::Matrix<float> rows;
    std::vector<std::size_t> first; ///< row of each decision, and the end
    std::vector<double> targets;    ///< by row; of labels
    std::vector<std::uint32_t> chosen;
    std::vector<double> logarithms, advantages; ///< of the chosen one's probability; by decision
    std::vector<std::size_t> step;              ///< position among all arrivals

    std::size_t count() const { return first.size() - 1; }
    void clear(std::size_t columns) {
        *this = {};
        rows.columns = columns;
        first.push_back(0);
    }
    void append(const Decisions& other, std::size_t steps) {
        const std::size_t before = rows.rows;
        rows.numbers.insert(rows.numbers.end(), other.rows.numbers.begin(), other.rows.numbers.end());
        rows.rows += other.rows.rows;
        for (std::size_t i = 1; i < other.first.size(); ++i) first.push_back(before + other.first[i]);
        targets.insert(targets.end(), other.targets.begin(), other.targets.end());
        chosen.insert(chosen.end(), other.chosen.begin(), other.chosen.end());
        logarithms.insert(logarithms.end(), other.logarithms.begin(), other.logarithms.end());
        for (const std::size_t s : other.step) step.push_back(steps + s);
    }
};

/// Episodes that are played side by side, one arrival of each at a time, so that their nets are evaluated together.
class AgentTrainer::Group {
public:
    explicit Group(const TrainingWorld& world) : m_world(world), m_pricer(world.pricer()) {}

    void begin(std::uint64_t seed, std::uint32_t iteration, std::uint32_t firstEpisode, std::size_t episodes,
               std::size_t arrivals) {
        m_pricer.forget();
        m_episodes.clear();
        m_random.clear();
        for (std::size_t e = 0; e < episodes; ++e) {
            const auto number = firstEpisode + static_cast<std::uint32_t>(e);
            m_episodes.push_back(drawEpisode(m_world, m_pricer, seed, iteration, number, arrivals));
            m_random.emplace_back(seed, Purpose::training, entityOf(iteration, number), 1);
        }
        m_options.resize(episodes);
    }

    /// Plays by a floor rule, or greedily by the net, with exploration; labels the last arrivals of each.
    void label(const AgentTrainer& trainer, std::uint64_t seed, std::uint32_t firstEpisode) {
        const TrainingSettings& s = trainer.m_settings;
        decisions.clear(m_world.states()->optionSize());
        served = 0;
        for (const Episode& e : m_episodes) m_rules.push_back(bestFloorOf(m_pricer, e, 400));
        const std::size_t all = static_cast<std::size_t>(s.warmUp + s.distillArrivals);
        for (std::size_t t = 0; t < all; ++t) {
            price();
            const bool labelled = t >= static_cast<std::size_t>(s.warmUp);
            gather(labelled ? &decisions : nullptr);
            evaluate(trainer);
            for (std::size_t e = 0; e < m_episodes.size(); ++e) {
                const auto& options = m_options[e];
                const std::vector<std::size_t>& inTime = m_inTime[e];
                std::optional<std::size_t> chosen;
                if (!inTime.empty()) chosen = inTime.front();
                if (inTime.size() > 1) {
                    Episode& episode = m_episodes[e];
                    const GraphArrival& job = episode.arrival();
                    if (labelled) {
                        const auto number = static_cast<std::uint32_t>((firstEpisode + e) * all + t);
                        const RolloutChoice choice =
                            rolledOut({m_rules[e], s.futures, s.futureArrivals}, m_pricer, episode.system,
                                      episode.workload, options, job.seconds, job.beta,
                                      seed + trainer.m_state.iteration * 0x9E3779B97F4A7C15U, number);
                        double mean = 0;
                        for (const std::size_t i : inTime) mean += choice.values[i];
                        mean /= static_cast<double>(inTime.size());
                        for (const std::size_t i : inTime) decisions.targets.push_back(choice.values[i] - mean);
                    }
                    if (m_random[e].unit() < s.exploration) {
                        chosen = inTime[m_random[e].below(inTime.size())];
                    } else if (e % 2 == 0) {
                        chosen = chosenOption(m_rules[e], options, job.beta, m_random[e]);
                    } else {
                        const float* score = m_scores.data() + m_firstRow[e];
                        chosen =
                            inTime[static_cast<std::size_t>(std::max_element(score, score + inTime.size()) - score)];
                    }
                }
                if (labelled && chosen) ++served;
                place(e, chosen);
            }
        }
        m_rules.clear();
    }

    /// Plays by the net's distribution; records the last arrivals of each.
    void play(const AgentTrainer& trainer) {
        const TrainingSettings& s = trainer.m_settings;
        const std::size_t warmUp = static_cast<std::size_t>(s.warmUp), arrivals = static_cast<std::size_t>(s.arrivals);
        const std::size_t columns = m_world.states()->stateSize() + arrivalNumbers;
        decisions.clear(m_world.states()->optionSize());
        states = nets::Matrix<float>(0, columns);
        rewards.clear();
        served = 0;
        entropy = 0;
        std::vector<float> state(columns);
        for (std::size_t t = 0; t <= warmUp + arrivals; ++t) {
            price();
            const bool recorded = t >= warmUp, last = t == warmUp + arrivals;
            if (recorded)
                for (std::size_t e = 0; e < m_episodes.size(); ++e) {
                    const Episode& episode = m_episodes[e];
                    m_world.states()->writeState(episode.system, episode.arrival().seconds, 0, 0, episode.load,
                                                 {state.data(), m_world.states()->stateSize()});
                    writeArrival(episode.arrival(), m_options[e], episode.load.gapSeconds,
                                 state.data() + m_world.states()->stateSize());
                    appendRow(states, state.data());
                }
            if (last) break;
            gather(recorded ? &decisions : nullptr);
            evaluate(trainer);
            for (std::size_t e = 0; e < m_episodes.size(); ++e) {
                const std::vector<std::size_t>& inTime = m_inTime[e];
                std::optional<std::size_t> chosen;
                if (!inTime.empty()) chosen = inTime.front();
                if (inTime.size() > 1) chosen = inTime[draw(trainer, e, recorded)];
                if (recorded) {
                    if (inTime.size() > 1) decisions.step.push_back(rewards.size());
                    rewards.push_back(chosen ? 1.0F : 0.0F);
                    served += chosen ? 1 : 0;
                }
                place(e, chosen);
            }
        }
    }

    std::size_t episodes() const { return m_episodes.size(); }
    Decisions decisions;
    nets::Matrix<float> states; ///< by arrival and episode; one more arrival than rewards
    std::vector<float> rewards; ///< by arrival and episode
    std::size_t served = 0;
    double entropy = 0; ///< sum over recorded decisions

private:
    void price() {
        m_inTime.assign(m_episodes.size(), {});
        for (std::size_t e = 0; e < m_episodes.size(); ++e) {
            Episode& episode = m_episodes[e];
            const GraphArrival& job = episode.arrival();
            episode.system.advance(job.seconds);
            m_pricer.priceAll(job.graph, job.beta * m_pricer.sequentialSeconds(job.graph), episode.system.occupied(),
                              m_options[e], episode.system.ending());
            for (std::size_t i = 0; i < m_options[e].size(); ++i)
                if (m_options[e][i].state == OptionState::inTime) m_inTime[e].push_back(i);
        }
    }
    /// After-states of all decisions between several options; also to those that are learned from.
    void gather(Decisions* record) {
        const std::size_t columns = m_world.states()->optionSize();
        m_firstRow.assign(m_episodes.size(), 0);
        std::size_t count = 0;
        for (std::size_t e = 0; e < m_episodes.size(); ++e) {
            m_firstRow[e] = count;
            if (m_inTime[e].size() > 1) count += m_inTime[e].size();
        }
        m_rows.resize(count, columns);
        std::size_t row = 0;
        for (std::size_t e = 0; e < m_episodes.size(); ++e) {
            if (m_inTime[e].size() < 2) continue;
            const Episode& episode = m_episodes[e];
            for (const std::size_t i : m_inTime[e]) {
                m_world.states()->writeOption(episode.system, episode.arrival().seconds, m_options[e], i, episode.load,
                                              {m_rows.row(row), columns});
                if (record) appendRow(record->rows, m_rows.row(row));
                ++row;
            }
            if (record) record->first.push_back(record->rows.rows);
        }
    }
    void evaluate(const AgentTrainer& trainer) {
        if (m_rows.rows == 0) return m_scores.clear();
        m_scores = trainer.m_policy.forward(trainer.m_state.policy, m_rows, m_tape).numbers;
    }
    std::size_t draw(const AgentTrainer& trainer, std::size_t e, bool recorded) {
        const std::size_t count = m_inTime[e].size();
        const auto p = probabilities(trainer.m_settings, m_scores.data() + m_firstRow[e], count);
        double u = m_random[e].unit();
        std::size_t at = 0;
        while (at + 1 < count && u >= p[at]) u -= p[at++];
        if (recorded) {
            decisions.chosen.push_back(static_cast<std::uint32_t>(at));
            decisions.logarithms.push_back(std::log(std::max(p[at], 1e-30)));
            entropy += nets::entropyOf(p);
        }
        return at;
    }
    void place(std::size_t e, std::optional<std::size_t> chosen) {
        Episode& episode = m_episodes[e];
        if (chosen)
            episode.system.place(m_options[e][*chosen].servers,
                                 episode.arrival().seconds + m_options[e][*chosen].seconds);
        ++episode.next;
    }

public:
    static std::vector<double> probabilities(const TrainingSettings& settings, const float* scores, std::size_t count) {
        std::array<float, 64> scaled{};
        std::array<bool, 64> allowed{};
        for (std::size_t i = 0; i < count; ++i) {
            scaled[i] = scores[i] / static_cast<float>(settings.temperature);
            allowed[i] = true;
        }
        return nets::maskedSoftmax<float>({scaled.data(), count}, {allowed.data(), count});
    }

private:
    const TrainingWorld& m_world;
    GraphPricer m_pricer;
    std::vector<Episode> m_episodes;
    std::vector<RandomStream> m_random;
    std::vector<DegreeRule> m_rules;
    std::vector<std::vector<GraphOption>> m_options;
    std::vector<std::vector<std::size_t>> m_inTime;
    std::vector<std::size_t> m_firstRow;
    nets::Matrix<float> m_rows;
    nets::Mlp<float>::Tape m_tape;
    std::vector<float> m_scores;
};

AgentTrainer::AgentTrainer(std::shared_ptr<const TrainingWorld> world, TrainingSettings settings, std::uint64_t seed)
    : m_world(std::move(world)), m_settings(std::move(settings)), m_seed(seed),
      m_policy(afterStateNet(m_world->states()->optionSize(), m_settings.hidden)),
      m_value(afterStateNet(m_world->states()->stateSize() + arrivalNumbers, m_settings.hidden)) {
    RandomStream random(seed, Purpose::initialWeights, 46);
    m_state.policy.resize(m_policy.parameters());
    m_policy.initialise(m_state.policy, random, 0.1);
    m_state.value.resize(m_value.parameters());
    m_value.initialise(m_state.value, random, 1);
    m_state.policyAdam = nets::Adam<float>(m_policy.parameters());
    m_state.valueAdam = nets::Adam<float>(m_value.parameters());
    for (std::size_t g = 0; g < groupCount; ++g) m_groups.push_back(std::make_unique<Group>(*m_world));
}

AgentTrainer::~AgentTrainer() = default;

AgentTrainer::Phase AgentTrainer::phase() const {
    if (m_state.iteration < m_settings.distillIterations) return Phase::distillation;
    if (m_state.iteration < m_settings.distillIterations + m_settings.valueIterations) return Phase::value;
    return m_state.iteration < iterations() ? Phase::policy : Phase::done;
}

int AgentTrainer::iterations() const {
    return m_settings.distillIterations + m_settings.valueIterations + m_settings.policyIterations;
}

void AgentTrainer::restore(TrainingState state) { m_state = std::move(state); }

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
        m_groups[g]->label(*this, m_seed, first);
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
        m_groups[g]->play(*this);
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
        const Group& group = *m_groups[g];
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
                    const auto p = Group::probabilities(m_settings, dy.numbers.data() + row, count);
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
