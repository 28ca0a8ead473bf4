// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/EpisodeGroup.h"

#include "learning/nets/MaskedSoftmax.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {

namespace {

void writeArrival(const GraphArrival& job, std::span<const GraphOption> options, double gap, float* out) {
    std::fill_n(out, EpisodeGroup::arrivalNumbers, 0.0F);
    for (const GraphOption& option : options) {
        const auto at = std::ranges::find(AfterStates::degrees, option.degree);
        if (at == std::end(AfterStates::degrees) || option.state != OptionState::inTime) continue;
        const auto i = static_cast<std::size_t>(at - std::begin(AfterStates::degrees));
        out[i] = 1;
        out[std::size(AfterStates::degrees) + i] = static_cast<float>(option.seconds / gap / 8);
    }
    out[EpisodeGroup::arrivalNumbers - 1] = static_cast<float>(job.beta);
}

void appendRow(nets::Matrix<float>& to, const float* row) {
    to.numbers.insert(to.numbers.end(), row, row + to.columns);
    ++to.rows;
}

} // namespace

void EpisodeGroup::begin(std::uint64_t seed, std::uint32_t iteration, std::uint32_t firstEpisode, std::size_t episodes,
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

void EpisodeGroup::label(const Player& player, std::uint64_t seed, std::uint32_t firstEpisode) {
    const TrainingSettings& s = player.settings;
    decisions.clear(m_world.states()->optionSize());
    served = 0;
    for (const Episode& e : m_episodes) m_rules.push_back(bestFloorOf(m_pricer, e, 400));
    const std::size_t all = static_cast<std::size_t>(s.warmUp + s.distillArrivals);
    for (std::size_t t = 0; t < all; ++t) {
        price(s.mayRefuse);
        const bool labelled = t >= static_cast<std::size_t>(s.warmUp);
        gather(labelled ? &decisions : nullptr);
        evaluate(player);
        for (std::size_t e = 0; e < m_episodes.size(); ++e) {
            const auto& options = m_options[e];
            const std::vector<std::size_t>& choices = m_choices[e];
            std::optional<std::size_t> chosen;
            if (!choices.empty()) chosen = choices.front();
            if (choices.size() > 1) {
                Episode& episode = m_episodes[e];
                const GraphArrival& job = episode.arrival();
                if (labelled) {
                    const auto number = static_cast<std::uint32_t>((firstEpisode + e) * all + t);
                    const RolloutChoice choice =
                        rolledOut({m_rules[e], s.futures, s.futureArrivals, s.mayRefuse}, m_pricer, episode.system,
                                  episode.workload, options, job.seconds, job.beta,
                                  seed + player.iteration * 0x9E3779B97F4A7C15U, number);
                    const auto value = [&](std::size_t i) {
                        return i < options.size() ? choice.values[i] : choice.refusing;
                    };
                    double mean = 0;
                    for (const std::size_t i : choices) mean += value(i);
                    mean /= static_cast<double>(choices.size());
                    for (const std::size_t i : choices) decisions.targets.push_back(value(i) - mean);
                }
                if (m_random[e].unit() < s.exploration) {
                    chosen = choices[m_random[e].below(choices.size())];
                } else if (e % 2 == 0) {
                    chosen = chosenOption(m_rules[e], options, job.beta, m_random[e]);
                } else {
                    const float* score = m_scores.data() + m_firstRow[e];
                    chosen = choices[static_cast<std::size_t>(std::max_element(score, score + choices.size()) - score)];
                }
            }
            if (chosen == options.size()) chosen.reset(); // refused
            if (labelled && chosen) ++served;
            place(e, chosen);
        }
    }
    m_rules.clear();
}

void EpisodeGroup::play(const Player& player) {
    const TrainingSettings& s = player.settings;
    const std::size_t warmUp = static_cast<std::size_t>(s.warmUp), arrivals = static_cast<std::size_t>(s.arrivals);
    const std::size_t columns = m_world.states()->stateSize() + arrivalNumbers;
    decisions.clear(m_world.states()->optionSize());
    states = nets::Matrix<float>(0, columns);
    rewards.clear();
    served = 0;
    entropy = 0;
    std::vector<float> state(columns);
    for (std::size_t t = 0; t <= warmUp + arrivals; ++t) {
        price(s.mayRefuse);
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
        evaluate(player);
        for (std::size_t e = 0; e < m_episodes.size(); ++e) {
            const std::vector<std::size_t>& choices = m_choices[e];
            std::optional<std::size_t> chosen;
            if (!choices.empty()) chosen = choices.front();
            if (choices.size() > 1) chosen = choices[draw(player, e, recorded)];
            if (chosen == m_options[e].size()) chosen.reset(); // refused
            if (recorded) {
                if (choices.size() > 1) decisions.step.push_back(rewards.size());
                rewards.push_back(chosen ? 1.0F : 0.0F);
                served += chosen ? 1 : 0;
            }
            place(e, chosen);
        }
    }
}

void EpisodeGroup::price(bool mayRefuse) {
    m_choices.assign(m_episodes.size(), {});
    for (std::size_t e = 0; e < m_episodes.size(); ++e) {
        Episode& episode = m_episodes[e];
        const GraphArrival& job = episode.arrival();
        episode.system.advance(job.seconds);
        m_pricer.priceAll(job.graph, job.beta * m_pricer.sequentialSeconds(job.graph), episode.system.occupied(),
                          m_options[e], episode.system.ending());
        for (std::size_t i = 0; i < m_options[e].size(); ++i)
            if (m_options[e][i].state == OptionState::inTime) m_choices[e].push_back(i);
        if (mayRefuse && !m_choices[e].empty()) m_choices[e].push_back(m_options[e].size());
    }
}

void EpisodeGroup::gather(Decisions* record) {
    const std::size_t columns = m_world.states()->optionSize();
    m_firstRow.assign(m_episodes.size(), 0);
    std::size_t count = 0;
    for (std::size_t e = 0; e < m_episodes.size(); ++e) {
        m_firstRow[e] = count;
        if (m_choices[e].size() > 1) count += m_choices[e].size();
    }
    m_rows.resize(count, columns);
    std::size_t row = 0;
    for (std::size_t e = 0; e < m_episodes.size(); ++e) {
        if (m_choices[e].size() < 2) continue;
        const Episode& episode = m_episodes[e];
        for (const std::size_t i : m_choices[e]) {
            const std::span<float> out{m_rows.row(row), columns};
            if (i < m_options[e].size())
                m_world.states()->writeOption(episode.system, episode.arrival().seconds, m_options[e], i, episode.load,
                                              out);
            else
                m_world.states()->writeRefusal(episode.system, episode.arrival().seconds, episode.load, out);
            if (record) appendRow(record->rows, m_rows.row(row));
            ++row;
        }
        if (record) record->first.push_back(record->rows.rows);
    }
}

void EpisodeGroup::evaluate(const Player& player) {
    if (m_rows.rows == 0) return m_scores.clear();
    m_scores = player.net.forward(player.parameters, m_rows, m_tape).numbers;
}

std::size_t EpisodeGroup::draw(const Player& player, std::size_t e, bool recorded) {
    const std::size_t count = m_choices[e].size();
    const auto p = probabilities(player.settings, m_scores.data() + m_firstRow[e], count);
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

void EpisodeGroup::place(std::size_t e, std::optional<std::size_t> chosen) {
    Episode& episode = m_episodes[e];
    if (chosen)
        episode.system.place(m_options[e][*chosen].servers, episode.arrival().seconds + m_options[e][*chosen].seconds);
    ++episode.next;
}

std::vector<double> EpisodeGroup::probabilities(const TrainingSettings& settings, const float* scores,
                                                std::size_t count) {
    std::array<float, 64> scaled{};
    std::array<bool, 64> allowed{};
    for (std::size_t i = 0; i < count; ++i) {
        scaled[i] = scores[i] / static_cast<float>(settings.temperature);
        allowed[i] = true;
    }
    return nets::maskedSoftmax<float>({scaled.data(), count}, {allowed.data(), count});
}

} // namespace trainyard
