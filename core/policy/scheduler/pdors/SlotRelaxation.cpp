// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/scheduler/pdors/SlotRelaxation.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard {

namespace {

constexpr double negligible = 1e-11; ///< relative, of reduced costs
constexpr int mostExchanges = 2000;

/// The part of a convex polygon with a·x + b·y ≤ c.
template <class Point>
std::vector<Point> clipped(const std::vector<Point>& polygon, double a, double b, double c) {
    std::vector<Point> out;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Point &from = polygon[i], &to = polygon[(i + 1) % polygon.size()];
        const double over = a * from.workers + b * from.servers - c, next = a * to.workers + b * to.servers - c;
        if (over <= 0) out.push_back(from);
        if ((over < 0 && next > 0) || (over > 0 && next < 0)) {
            const double part = over / (over - next);
            out.push_back(
                {from.workers + part * (to.workers - from.workers), from.servers + part * (to.servers - from.servers)});
        }
    }
    return out;
}

} // namespace

SlotRelaxation::SlotRelaxation(const SlotOffer& offer, int most) {
    const SlotJob& job = *offer.job;
    const std::size_t resources = offer.ledger->cluster().resources;
    std::map<std::vector<double>, std::size_t> known;
    std::vector<double> key;
    for (std::size_t h = 0; h < offer.workerCost.size(); ++h) {
        key.assign({offer.workerCost[h], offer.serverCost[h]});
        for (std::size_t r = 0; r < resources; ++r)
            key.push_back(offer.ledger->isUp(h) ? std::max(0.0, offer.ledger->free(offer.slot, h, r)) : 0.0);
        const auto [it, isNew] = known.try_emplace(key, m_groups.size());
        if (!isNew) {
            m_groups[it->second].machines.push_back(h);
            continue;
        }
        const double workers = most, servers = job.serversFor(most);
        std::vector<Point> corners{{0, 0}, {workers, 0}, {workers, servers}, {0, servers}};
        for (std::size_t r = 0; r < resources; ++r)
            if (job.demandOf(r) > 0) corners = clipped(corners, job.workerDemand[r], job.serverDemand[r], key[2 + r]);
        if (!offer.ledger->isUp(h)) corners.resize(1);
        m_groups.push_back({offer.workerCost[h], offer.serverCost[h], {h}, std::move(corners)});
    }
    m_answers.push_back({0, 0, 0, std::vector<std::uint16_t>(m_groups.size(), 0)});
}

SlotRelaxation::Answer SlotRelaxation::best(const Multipliers& multipliers, bool priced) const {
    Answer out{0, 0, 0, std::vector<std::uint16_t>(m_groups.size(), 0)};
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        const Group& group = m_groups[g];
        const double worker = multipliers.worker - (priced ? group.workerCost : 0);
        const double server = multipliers.server - (priced ? group.serverCost : 0);
        if (worker <= 0 && server <= 0) continue;
        double most = 0;
        std::size_t chosen = 0;
        for (std::size_t v = 1; v < group.corners.size(); ++v)
            if (const double gain = worker * group.corners[v].workers + server * group.corners[v].servers;
                gain > most) {
                most = gain;
                chosen = v;
            }
        if (chosen == 0) continue;
        const Point& corner = group.corners[chosen];
        const auto machines = static_cast<double>(group.machines.size());
        out.corner[g] = static_cast<std::uint16_t>(chosen);
        out.workers += machines * corner.workers;
        out.servers += machines * corner.servers;
        out.cost += machines * (corner.workers * group.workerCost + corner.servers * group.serverCost);
    }
    return out;
}

/// Three columns for the rows: workers, servers, and weights that add up to one.
struct SlotRelaxation::Basis {
    static constexpr int surplusWorkers = -1, surplusServers = -2, missingWorkers = -3, missingServers = -4;
    using Row = std::array<double, 3>;

    std::array<int, 3> columns{missingWorkers, missingServers, 0}; ///< an answer, or one of the above
    std::array<Row, 3> inverse{Row{1, 0, 0}, Row{0, 1, 0}, Row{0, 0, 1}};
    Row value{};    ///< of the columns
    Row demanded{}; ///< by row

    static Row rowsOf(int column, const std::vector<Answer>& answers) {
        switch (column) {
        case surplusWorkers: return {-1, 0, 0};
        case surplusServers: return {0, -1, 0};
        case missingWorkers: return {1, 0, 0};
        case missingServers: return {0, 1, 0};
        default: {
            const Answer& answer = answers[static_cast<std::size_t>(column)];
            return {answer.workers, answer.servers, 1};
        }
        }
    }
    static double costOf(int column, const std::vector<Answer>& answers, bool priced) {
        if (column == missingWorkers || column == missingServers) return priced ? 0 : 1;
        return column >= 0 && priced ? answers[static_cast<std::size_t>(column)].cost : 0;
    }
    Multipliers multipliers(const std::vector<Answer>& answers, bool priced) const {
        Row y{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) y[j] += costOf(columns[i], answers, priced) * inverse[i][j];
        return {y[0], y[1], y[2]};
    }
    double cost(const std::vector<Answer>& answers, bool priced) const {
        double sum = 0;
        for (std::size_t i = 0; i < 3; ++i) sum += costOf(columns[i], answers, priced) * value[i];
        return sum;
    }
    /// Lets a column in; the one that reaches zero first leaves. false: none does.
    bool enter(int column, const std::vector<Answer>& answers) {
        const Row rows = rowsOf(column, answers);
        Row change{};
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) change[i] += inverse[i][j] * rows[j];
        std::size_t leaving = 3;
        double step = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            if (change[i] <= 1e-12 * (std::abs(rows[0]) + std::abs(rows[1]) + 1)) continue;
            const double reach = std::max(0.0, value[i]) / change[i];
            if (leaving < 3 && (reach > step || (reach == step && columns[i] > columns[leaving]))) continue;
            leaving = i;
            step = reach;
        }
        if (leaving == 3) return false;
        for (std::size_t i = 0; i < 3; ++i)
            if (i != leaving) value[i] = std::max(0.0, value[i] - step * change[i]);
        value[leaving] = step;
        for (double& x : inverse[leaving]) x /= change[leaving];
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; i != leaving && j < 3; ++j) inverse[i][j] -= change[i] * inverse[leaving][j];
        columns[leaving] = column;
        return true;
    }
};

bool SlotRelaxation::optimize(Basis& basis, bool priced) {
    for (int exchange = 0; exchange < mostExchanges; ++exchange) {
        const Multipliers y = basis.multipliers(m_answers, priced);
        const double scale = std::abs(basis.cost(m_answers, priced));
        const double least = -negligible * scale;
        const auto reduced = [&](const Answer& answer) {
            return (priced ? answer.cost : 0) - y.worker * answer.workers - y.server * answer.servers - y.one;
        };
        if (scale == 0) return true; // nothing costs less than nothing
        double lowest = least;
        std::optional<int> entering;
        for (std::size_t k = 0; k < m_answers.size(); ++k)
            if (const double cost = reduced(m_answers[k]); cost < lowest) {
                lowest = cost;
                entering = static_cast<int>(k);
            }
        if (y.worker * basis.demanded[0] < least) entering = Basis::surplusWorkers;
        if (y.server * basis.demanded[1] < least) entering = Basis::surplusServers;
        if (!entering) {
            Answer answer = best(y, priced);
            if (reduced(answer) >= least) return true;
            m_answers.push_back(std::move(answer));
            entering = static_cast<int>(m_answers.size()) - 1;
        }
        if (!basis.enter(*entering, m_answers)) return false;
    }
    return false;
}

SlotRelaxation::Solution SlotRelaxation::solve(double workers, double servers) {
    Basis basis;
    basis.value = basis.demanded = {workers, servers, 1};
    if (!optimize(basis, false)) return {};
    if (basis.cost(m_answers, false) > 1e-9 * (workers + servers)) return {Status::infeasible, {}};
    for (std::size_t i = 0; i < 3; ++i) { // nothing is missing: a surplus of nothing stands in its place
        if (basis.columns[i] > Basis::missingWorkers) continue;
        basis.columns[i] = basis.columns[i] == Basis::missingWorkers ? Basis::surplusWorkers : Basis::surplusServers;
        basis.value[i] = 0;
        for (double& x : basis.inverse[i]) x = -x;
    }
    if (!optimize(basis, true)) return {};
    return {Status::optimal, tasksOf(basis)};
}

RelaxedTasks SlotRelaxation::tasksOf(const Basis& basis) const {
    RelaxedTasks out;
    for (std::size_t g = 0; g < m_groups.size(); ++g) {
        const auto machines = static_cast<double>(m_groups[g].machines.size());
        std::vector<std::pair<std::size_t, double>> weights; // corners, and on how many machines
        for (std::size_t i = 0; i < 3; ++i) {
            if (basis.columns[i] < 0) continue;
            const std::size_t corner = m_answers[static_cast<std::size_t>(basis.columns[i])].corner[g];
            const auto it =
                std::find_if(weights.begin(), weights.end(), [corner](const auto& w) { return w.first == corner; });
            if (it == weights.end())
                weights.emplace_back(corner, basis.value[i] * machines);
            else
                it->second += basis.value[i] * machines;
        }
        std::erase_if(weights, [](const auto& w) { return w.first == 0; });
        spreadGroup(m_groups[g], weights, out);
    }
    std::sort(out.on.begin(), out.on.end(), [](const auto& a, const auto& b) { return a.machine < b.machine; });
    return out;
}

/// Whole machines at each corner; what is left over shares as few machines as it can.
void SlotRelaxation::spreadGroup(const Group& group, std::span<const std::pair<std::size_t, double>> weights,
                                 RelaxedTasks& out) const {
    std::size_t next = 0;
    const auto put = [&](double workers, double servers) {
        out.on.push_back({group.machines[next++], workers, servers});
        out.cost += workers * group.workerCost + servers * group.serverCost;
    };
    for (const auto& [corner, weight] : weights)
        for (int i = 0; i < static_cast<int>(std::floor(weight + 1e-9)); ++i)
            put(group.corners[corner].workers, group.corners[corner].servers);
    Point shared;
    double room = 1;
    for (const auto& [corner, weight] : weights) {
        double rest = std::max(0.0, weight - std::floor(weight + 1e-9));
        while (rest > 1e-12) {
            const double part = std::min(rest, room);
            shared.workers += part * group.corners[corner].workers;
            shared.servers += part * group.corners[corner].servers;
            rest -= part;
            room -= part;
            if (room > 1e-12) continue;
            put(shared.workers, shared.servers);
            shared = {};
            room = 1;
        }
    }
    if (shared.workers + shared.servers > 1e-9) put(shared.workers, shared.servers);
}

LinearProgram relaxedProgram(const SlotOffer& offer, int workers) {
    const SlotJob& job = *offer.job;
    const SlotLedger& ledger = *offer.ledger;
    const std::size_t machines = offer.workerCost.size();
    LinearProgram program;
    for (const auto* costs : {&offer.workerCost, &offer.serverCost})
        for (std::size_t h = 0; h < machines; ++h)
            program.add(
                LinearProgram::Column{.cost = (*costs)[h], .upper = ledger.isUp(h) ? LinearProgram::infinity : 0});
    for (std::size_t h = 0; h < machines; ++h)
        for (std::size_t r = 0; r < ledger.cluster().resources; ++r)
            if (job.demandOf(r) > 0)
                program.add(LinearProgram::Row{.terms = {{h, job.workerDemand[r]}, {machines + h, job.serverDemand[r]}},
                                               .upper = std::max(0.0, ledger.free(offer.slot, h, r))});
    LinearProgram::Row all, cover, servers;
    for (std::size_t h = 0; h < machines; ++h) {
        cover.terms.emplace_back(h, 1);
        servers.terms.emplace_back(machines + h, 1);
    }
    all.terms = cover.terms;
    all.upper = job.batch;
    cover.lower = workers;
    servers.lower = job.serversFor(workers);
    for (auto& row : {all, cover, servers}) program.add(row);
    return program;
}

} // namespace trainyard
