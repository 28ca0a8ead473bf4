// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/QLearning.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr std::size_t playGroups = 8; ///< fixed, so that results do not depend on threads
constexpr std::size_t batchShares = 2;

/// The best allowed one by its value; `observation`: whose last numbers say what is allowed.
std::size_t bestAction(const float* values, const float* observation) {
    std::size_t best = 0; // refusing is always allowed
    for (std::size_t a = 1; a < JobObservation::actions; ++a)
        if (observation[JobObservation::jobNumbers + a] > 0 && values[a] > values[best]) best = a;
    return best;
}

} // namespace

/// Episodes that are played side by side, so that their net is evaluated for all together.
class QLearning::Group {
public:
    explicit Group(const TrainingWorld& world) : m_world(world), m_pricer(world.pricer()) {}

    struct Play {
        std::uint64_t seed;
        std::uint32_t iteration, firstEpisode;
        std::size_t episodes, warmUp, arrivals;
        double exploration;
        bool demonstrate;
        std::span<const std::uint8_t> forced; ///< of these episodes, or none
        const std::vector<float>& parameters;
        const Embedded& embedded;
    };
    ReplayedArrivals play(const Play& p, const Net& net, const std::shared_ptr<const JobGraphs>& graphs) {
        begin(p, graphs);
        const std::size_t all = p.warmUp + p.arrivals, rows = p.arrivals + 1;
        ReplayedArrivals out;
        out.observations.resize(p.episodes * rows, JobObservation::size);
        out.graphs.resize(p.episodes * rows);
        out.all.resize(p.episodes * all);
        out.actions.resize(p.episodes * p.arrivals);
        out.rewards.resize(p.episodes * p.arrivals);
        nets::Matrix<float> now(p.episodes, JobObservation::size);
        std::vector<std::uint32_t> graphsNow(p.episodes);
        Net::Tape tape;
        for (std::size_t t = 0; t <= all; ++t) {
            observe(now, graphsNow);
            for (std::size_t e = 0; t >= p.warmUp && e < p.episodes; ++e) {
                const std::size_t row = e * rows + t - p.warmUp;
                std::copy_n(now.row(e), JobObservation::size, out.observations.row(row));
                out.graphs[row] = graphsNow[e];
            }
            if (t == all) break;
            if (p.forced.empty()) net.forward(p.parameters, p.embedded, graphsNow, now, tape);
            for (std::size_t e = 0; e < p.episodes; ++e) {
                const std::size_t action =
                    !p.forced.empty() ? p.forced[e * all + t] : choose(p, e, tape.actions.row(e), now.row(e));
                const bool served = place(e, action);
                out.all[e * all + t] = static_cast<std::uint8_t>(action);
                if (t < p.warmUp) continue;
                const std::size_t item = e * p.arrivals + t - p.warmUp;
                out.actions[item] = static_cast<std::uint8_t>(action);
                out.rewards[item] = served ? 1.0F : -1.0F;
            }
        }
        return out;
    }

private:
    void begin(const Play& p, const std::shared_ptr<const JobGraphs>& graphs) {
        m_pricer.forget();
        m_episodes.clear();
        m_random.clear();
        m_observations.clear();
        m_rules.clear();
        for (std::size_t e = 0; e < p.episodes; ++e) {
            const auto number = p.firstEpisode + static_cast<std::uint32_t>(e);
            m_episodes.push_back(
                drawEpisode(m_world, m_pricer, p.seed, p.iteration, number, p.warmUp + p.arrivals + 1));
            m_random.emplace_back(p.seed, Purpose::training, entityOf(p.iteration, number), 1);
            m_observations.emplace_back(graphs, m_episodes.back().workload);
            if (p.demonstrate && p.forced.empty() && e % 2 == 0)
                m_rules.emplace_back(bestFloorOf(m_pricer, m_episodes.back(), p.warmUp + p.arrivals));
            else
                m_rules.emplace_back();
        }
        m_options.resize(p.episodes);
    }
    void observe(nets::Matrix<float>& now, std::vector<std::uint32_t>& graphs) {
        for (std::size_t e = 0; e < m_episodes.size(); ++e) {
            Episode& episode = m_episodes[e];
            const GraphArrival& job = episode.arrival();
            episode.system.advance(job.seconds);
            m_pricer.priceAll(job.graph, job.beta * m_pricer.sequentialSeconds(job.graph), episode.system.occupied(),
                              m_options[e], episode.system.ending());
            m_observations[e].write(job.graph, job.beta, episode.system, m_options[e],
                                    {now.row(e), JobObservation::size});
            graphs[e] = job.graph;
        }
    }
    std::size_t choose(const Play& p, std::size_t e, const float* values, const float* observation) {
        if (m_random[e].unit() < p.exploration) {
            std::vector<std::size_t> allowed;
            for (std::size_t a = 0; a < JobObservation::actions; ++a)
                if (observation[JobObservation::jobNumbers + a] > 0) allowed.push_back(a);
            return allowed[m_random[e].below(allowed.size())];
        }
        if (!m_rules[e]) return bestAction(values, observation);
        const auto option = chosenOption(*m_rules[e], m_options[e], m_episodes[e].arrival().beta, m_random[e]);
        return option ? static_cast<std::size_t>(m_options[e][*option].degree) : 0;
    }
    /// Whether the job is in time.
    bool place(std::size_t e, std::size_t action) {
        Episode& episode = m_episodes[e];
        const double now = episode.arrival().seconds;
        ++episode.next;
        const auto option = std::ranges::find(m_options[e], static_cast<int>(action), &GraphOption::degree);
        if (option == m_options[e].end() || option->state != OptionState::inTime) return false;
        episode.system.place(option->servers, now + option->seconds);
        return true;
    }

    const TrainingWorld& m_world;
    GraphPricer m_pricer;
    std::vector<Episode> m_episodes;
    std::vector<RandomStream> m_random;
    std::vector<JobObservation> m_observations;
    std::vector<std::optional<DegreeRule>> m_rules;
    std::vector<std::vector<GraphOption>> m_options;
};

QLearning::QLearning(std::shared_ptr<const TrainingWorld> world, QLearningSettings settings, std::uint64_t seed)
    : m_world(std::move(world)), m_settings(std::move(settings)), m_seed(seed),
      m_net(JobObservation::widths(m_settings.hidden)), m_graphs(std::make_shared<const JobGraphs>(m_world->pricer())),
      m_replay(static_cast<std::size_t>(m_settings.replay)), m_priorities(m_replay.size() * itemsOfIteration()) {
    RandomStream random(seed, Purpose::initialWeights, 46);
    m_state.policy.resize(m_net.parameters());
    m_net.initialise(m_state.policy, random);
    m_state.value = m_state.policy;
    m_state.policyAdam = nets::Adam<float>(m_net.parameters());
    m_state.valueAdam = nets::Adam<float>(0);
    for (std::size_t g = 0; g < m_graphs->count(); ++g) m_inputs.push_back(&m_graphs->graph(g));
    for (std::size_t g = 0; g < playGroups; ++g) m_groups.push_back(std::make_unique<Group>(*m_world));
    m_target = embed(m_state.value, Parallel(1));
}

QLearning::~QLearning() = default;

std::size_t QLearning::episodes() const {
    return static_cast<std::size_t>(m_settings.episodes) / playGroups * playGroups;
}

double QLearning::exploration() const {
    const double done = std::min(1.0, 2.0 * m_state.iteration / std::max(m_settings.iterations, 1));
    return m_settings.mostExploration + (m_settings.leastExploration - m_settings.mostExploration) * done;
}

QLearning::Embedded QLearning::embed(const std::vector<float>& parameters, const Parallel& parallel) const {
    Embedded out(m_inputs.size());
    parallel.forEach(out.size(), [&](std::size_t g) { m_net.embed(parameters, *m_inputs[g], out[g]); });
    return out;
}

ReplayedArrivals QLearning::play(int iteration, std::span<const std::uint8_t> forced, const Parallel& parallel) {
    const std::size_t each = episodes() / playGroups,
                      all = static_cast<std::size_t>(m_settings.warmUp) + static_cast<std::size_t>(m_settings.arrivals);
    const Embedded embedded = forced.empty() ? embed(m_state.policy, parallel) : Embedded();
    std::vector<ReplayedArrivals> parts(playGroups);
    parallel.forEach(playGroups, [&](std::size_t g) {
        parts[g] = m_groups[g]->play({.seed = m_seed,
                                      .iteration = static_cast<std::uint32_t>(iteration),
                                      .firstEpisode = static_cast<std::uint32_t>(g * each),
                                      .episodes = each,
                                      .warmUp = static_cast<std::size_t>(m_settings.warmUp),
                                      .arrivals = static_cast<std::size_t>(m_settings.arrivals),
                                      .exploration = exploration(),
                                      .demonstrate = iteration < m_settings.demonstrations,
                                      .forced = forced.empty() ? forced : forced.subspan(g * each * all, each * all),
                                      .parameters = m_state.policy,
                                      .embedded = embedded},
                                     m_net, m_graphs);
    });
    ReplayedArrivals out = std::move(parts[0]);
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (std::size_t g = 1; g < playGroups; ++g) {
        append(out.observations.numbers, parts[g].observations.numbers);
        out.observations.rows += parts[g].observations.rows;
        append(out.graphs, parts[g].graphs);
        append(out.all, parts[g].all);
        append(out.actions, parts[g].actions);
        append(out.rewards, parts[g].rewards);
    }
    return out;
}

bool QLearning::step(const Parallel& parallel, std::stop_token stop) {
    require(!done(), "a training that is done has no next step");
    if (stop.stop_requested()) return false;
    ReplayedArrivals arrivals = play(m_state.iteration, {}, parallel);
    const auto served = std::ranges::count_if(arrivals.rewards, [](float reward) { return reward > 0; });
    m_state.reward = static_cast<double>(served) / static_cast<double>(arrivals.rewards.size());
    m_state.steps += arrivals.rewards.size();
    // What is new has the greatest priority that there is.
    const std::size_t items = itemsOfIteration(), slot = slotOf(m_state.iteration);
    m_replay[slot] = std::move(arrivals);
    double most = 0;
    for (std::size_t i = 0; i < m_replay.size() * items; ++i) most = std::max(most, m_priorities.weight(i));
    for (std::size_t i = 0; i < items; ++i) m_priorities.set(slot * items + i, most > 0 ? most : 1);
    m_state.loss = 0;
    for (int u = 0; u < m_settings.updates; ++u)
        update(static_cast<std::uint32_t>(m_state.iteration * m_settings.updates + u), parallel);
    ++m_state.iteration;
    rememberReplay();
    return true;
}

QLearning::Sample QLearning::sampleOf(std::size_t item) const {
    const auto arrivals = static_cast<std::size_t>(m_settings.arrivals);
    const std::size_t within = item % itemsOfIteration(), episode = within / arrivals, at = within % arrivals;
    const std::size_t end = std::min(at + static_cast<std::size_t>(m_settings.returns), arrivals);
    return {.item = item,
            .of = &m_replay[item / itemsOfIteration()],
            .first = within,
            .last = within + end - at,
            .row = episode * (arrivals + 1) + at,
            .rowAfter = episode * (arrivals + 1) + end};
}

double QLearning::targetOf(const Sample& sample, double after) const {
    double sum = 0, discount = 1;
    for (std::size_t at = sample.first; at < sample.last; ++at, discount *= m_settings.discount)
        sum += discount * sample.of->rewards[at];
    return sum + discount * after;
}

std::vector<QLearning::Sample> QLearning::draw(std::uint32_t number) const {
    const auto count = static_cast<std::size_t>(m_settings.batch);
    const auto kept =
        static_cast<double>(std::min<std::size_t>(m_replay.size(), m_state.iteration + 1) * itemsOfIteration());
    RandomStream random(m_seed, Purpose::training, number, 5);
    std::vector<Sample> out;
    double most = 0;
    for (std::size_t i = 0; i < count; ++i) { // one from each of as many equal parts of the sum
        const double share = (static_cast<double>(i) + random.unit()) / static_cast<double>(count);
        Sample& s = out.emplace_back(sampleOf(m_priorities.find(std::min(share, 1 - 1e-12) * m_priorities.total())));
        s.weight = std::pow(kept * m_priorities.weight(s.item) / m_priorities.total(), -m_settings.importance);
        most = std::max(most, s.weight);
    }
    for (Sample& s : out) s.weight /= most;
    return out;
}

double QLearning::backpropagate(std::span<const Sample> samples, std::size_t batch, const Embedded& online,
                                std::span<double> off, std::span<float> gradient) const {
    nets::Matrix<float> now(samples.size(), JobObservation::size), then = now,
                                                                   d(samples.size(), JobObservation::actions);
    std::vector<std::uint32_t> graphs, graphsThen;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Sample& s = samples[i];
        std::copy_n(s.of->observations.row(s.row), JobObservation::size, now.row(i));
        std::copy_n(s.of->observations.row(s.rowAfter), JobObservation::size, then.row(i));
        graphs.push_back(s.of->graphs[s.row]);
        graphsThen.push_back(s.of->graphs[s.rowAfter]);
    }
    Net::Tape tape, chosen, judged; // the present net chooses what comes after, the other one says what it is worth
    m_net.forward(m_state.policy, online, graphsThen, then, chosen);
    m_net.forward(m_state.value, m_target, graphsThen, then, judged);
    const nets::Matrix<float>& values = m_net.forward(m_state.policy, online, graphs, now, tape);
    double loss = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const Sample& s = samples[i];
        const std::size_t action = s.of->actions[s.first], next = bestAction(chosen.actions.row(i), then.row(i));
        off[i] = values.row(i)[action] - targetOf(s, judged.actions.row(i)[next]);
        const double size = std::abs(off[i]); // Huber's loss
        loss += s.weight * (size < 1 ? size * size / 2 : size - 0.5);
        d.row(i)[action] = static_cast<float>(s.weight * std::clamp(off[i], -1.0, 1.0) / static_cast<double>(batch));
    }
    m_net.backward(m_state.policy, m_inputs, online, tape, d, gradient);
    return loss;
}

void QLearning::update(std::uint32_t number, const Parallel& parallel) {
    const std::vector<Sample> samples = draw(number);
    const Embedded online = embed(m_state.policy, parallel);
    std::array<std::vector<float>, batchShares> gradients;
    std::array<double, batchShares> losses{};
    std::vector<double> off(samples.size());
    parallel.forEach(batchShares, [&](std::size_t share) {
        const std::size_t from = samples.size() * share / batchShares, end = samples.size() * (share + 1) / batchShares;
        gradients[share].assign(m_state.policy.size(), 0.0F);
        if (from < end)
            losses[share] = backpropagate(std::span(samples).subspan(from, end - from), samples.size(), online,
                                          std::span(off).subspan(from, end - from), gradients[share]);
    });
    for (std::size_t share = 1; share < batchShares; ++share)
        for (std::size_t i = 0; i < gradients[0].size(); ++i) gradients[0][i] += gradients[share][i];
    const double done = static_cast<double>(m_state.iteration) / std::max(m_settings.iterations, 1);
    m_state.policyAdam.step({.rate = m_settings.rate * (1 - 0.9 * done), .mostNorm = 10}, m_state.policy, gradients[0]);
    for (std::size_t i = 0; i < samples.size(); ++i) // in single precision, as checkpoints have them
        m_priorities.set(samples[i].item, static_cast<float>(std::pow(std::abs(off[i]) + 1e-3, m_settings.priority)));
    m_state.loss += (losses[0] + losses[1]) / static_cast<double>(samples.size() * m_settings.updates);
    if ((number + 1) % static_cast<std::uint32_t>(m_settings.targetEvery) != 0) return;
    m_state.value = m_state.policy;
    m_target = embed(m_state.value, parallel);
}

void QLearning::rememberReplay() {
    const std::size_t items = itemsOfIteration();
    const int first = std::max(0, m_state.iteration - m_settings.replay);
    m_state.actions.clear();
    m_state.priorities.clear();
    for (int i = first; i < m_state.iteration; ++i) {
        const std::size_t slot = slotOf(i);
        m_state.actions.insert(m_state.actions.end(), m_replay[slot].all.begin(), m_replay[slot].all.end());
        for (std::size_t item = 0; item < items; ++item)
            m_state.priorities.push_back(static_cast<float>(m_priorities.weight(slot * items + item)));
    }
}

bool QLearning::restore(TrainingState state) {
    const int first = std::max(0, state.iteration - m_settings.replay);
    const auto kept = static_cast<std::size_t>(state.iteration - first);
    const std::size_t items = itemsOfIteration(),
                      all = episodes() * static_cast<std::size_t>(m_settings.warmUp + m_settings.arrivals);
    const std::size_t size = m_net.parameters();
    if (state.iteration < 0 || state.iteration > m_settings.iterations || state.policy.size() != size ||
        state.value.size() != size || state.policyAdam.first.size() != size || state.policyAdam.second.size() != size ||
        state.actions.size() != kept * all || state.priorities.size() != kept * items ||
        std::ranges::any_of(state.priorities, [](float p) { return !(p > 0); }))
        return false;
    m_state = std::move(state);
    const Parallel parallel(1);
    for (std::size_t i = 0; i < kept; ++i) {
        const int iteration = first + static_cast<int>(i);
        const std::size_t slot = slotOf(iteration);
        m_replay[slot] = play(iteration, std::span(m_state.actions).subspan(i * all, all), parallel);
        for (std::size_t item = 0; item < items; ++item)
            m_priorities.set(slot * items + item, m_state.priorities[i * items + item]);
    }
    m_target = embed(m_state.value, parallel);
    return true;
}

} // namespace trainyard
