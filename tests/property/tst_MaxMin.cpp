// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Max-min fairness on random networks: optimality by its definition, the incremental solver against
// progressive filling, and independence of order. Every instance is a pure function of its number, which
// failures print.
#include "base/Random.h"
#include "engine/FlowNetwork.h"
#include "support/TestMain.h"

#include <map>
#include <numeric>

using namespace trainyard;

class tst_MaxMin : public QObject {
    Q_OBJECT
private slots:
    void allocationIsMaxMinOptimal();
    void repairEqualsFromScratchAfterAnyChange_data() { shapes_data(); }
    void repairEqualsFromScratchAfterAnyChange();
    void reportsAddUp_data() { shapes_data(); }
    void reportsAddUp();
    void historiesAgreeWithFromScratch_data() { shapes_data(); }
    void historiesAgreeWithFromScratch();
    void soleBottlenecksComeAndGo();
    void orderOfFlowsAndLinksChangesNothing();
    void copiesGoOnEqually();

private:
    static void shapes_data();
};

namespace {

using Links = std::vector<DirectedLink>;

constexpr double tolerance = 1e-9;
bool near(double a, double b) { return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); }

/// A random network: shapes from one link to sixty, capacities alike or over many orders of magnitude, some
/// links down.
enum class Shape {
    any, ///< without regard to topology
    star, ///< many leaves that send through few hubs: the shape of parameter servers, with links that hold back all flows
};

class Instance {
public:
    explicit Instance(std::uint32_t number, Shape shape = Shape::any)
        : m_random(7, Purpose::test, number), m_shape(shape) {
        if (shape == Shape::star) {
            m_hubs = 1 + m_random.below(4);
            const std::size_t leaves = 20 + m_random.below(150);
            for (std::size_t l = 0; l < m_hubs + leaves; ++l)
                capacities.push_back(l < m_hubs ? 1e7 : m_random.below(20) == 0 ? capacity() : 1e6);
            return;
        }
        const std::size_t links = 1 + m_random.below(60);
        const bool alike = m_random.below(3) == 0;
        for (std::size_t l = 0; l < links; ++l) capacities.push_back(alike ? 1e6 : capacity());
        m_longest = 1 + m_random.below(std::min<std::size_t>(links, 7));
    }
    double capacity() {
        if (m_random.below(25) == 0) return 0;
        return std::pow(10.0, 3 + 5 * m_random.unit());
    }
    /// Without regard to topology; about every tenth crosses some link more than once.
    Links route() {
        if (m_shape == Shape::star) {
            Links out{static_cast<DirectedLink>(m_random.below(m_hubs)),
                      static_cast<DirectedLink>(m_hubs + m_random.below(capacities.size() - m_hubs))};
            if (m_random.below(40) == 0) out.push_back(static_cast<DirectedLink>(m_random.below(m_hubs)));
            if (m_random.below(40) == 0) out.erase(out.begin());
            return out;
        }
        Links out;
        const std::size_t length = 1 + m_random.below(m_longest);
        const bool repeats = m_random.below(10) == 0;
        while (out.size() < length) {
            const auto link = static_cast<DirectedLink>(m_random.below(capacities.size()));
            if (repeats || std::find(out.begin(), out.end(), link) == out.end()) out.push_back(link);
        }
        return out;
    }
    /// How many flows begin at once.
    std::uint64_t burst() { return 1 + m_random.below(m_shape == Shape::star ? 12 : 3); }
    double bytes() { return 1e3 + 1e7 * m_random.unit(); }
    RandomStream& random() { return m_random; }
    Shape shape() const { return m_shape; }

    std::vector<double> capacities;

private:
    RandomStream m_random;
    Shape m_shape;
    std::size_t m_longest = 1, m_hubs = 0;
};

struct Live {
    FlowId id;
    Links route;
};

/// Conservation on every link, and for every flow a full link on which none is faster.
bool isMaxMin(FlowNetwork& network, const std::vector<double>& capacities, const std::vector<Live>& flows) {
    std::vector<double> load(capacities.size()), fastest(capacities.size());
    for (const Live& flow : flows)
        for (const DirectedLink l : flow.route) {
            load[l] += network.rate(flow.id);
            fastest[l] = std::max(fastest[l], network.rate(flow.id));
        }
    for (std::size_t l = 0; l < capacities.size(); ++l)
        if (load[l] > capacities[l] * (1 + tolerance) || !near(load[l], network.load(static_cast<DirectedLink>(l))))
            return false;
    return std::ranges::all_of(flows, [&](const Live& flow) {
        return std::ranges::any_of(flow.route, [&](DirectedLink l) {
            return load[l] >= capacities[l] * (1 - tolerance) && network.rate(flow.id) >= fastest[l] * (1 - tolerance);
        });
    });
}

bool equalsFromScratch(FlowNetwork& network, const std::vector<Live>& flows) {
    const auto rates = network.solveFromScratch();
    return std::ranges::all_of(flows, [&](const Live& f) { return near(rates[f.id], network.rate(f.id)); });
}

/// Starts, cancels, completes and changes capacities at random, the same whatever the network's solver.
class History {
public:
    History(std::uint32_t number, FlowSolver solver, Shape shape = Shape::any)
        : instance(number, shape), network(instance.capacities, solver) {}

    void step() {
        RandomStream& random = instance.random();
        const auto kind = random.below(20);
        if (kind < 9 || flows.empty()) {
            for (auto n = instance.burst(); n-- > 0;) start();
        } else if (kind < 12) {
            const auto at = static_cast<std::size_t>(random.below(flows.size()));
            auto flow = flows.begin();
            std::advance(flow, at);
            left[flow->first] = network.cancel(flow->second.id, now);
            flows.erase(flow);
        } else if (kind < 15 && (kind == 12 || instance.shape() == Shape::any)) {
            const auto link = static_cast<DirectedLink>(random.below(instance.capacities.size()));
            network.setCapacity(link, instance.capacities[link] = instance.capacity(), now);
        } else {
            advance();
        }
    }
    void start() {
        Live flow{0, instance.route()};
        flow.id = network.start(flow.route, instance.bytes(), m_tag, now);
        flows.emplace(m_tag++, flow);
    }
    /// To the next completion, or half way there: bytes must survive changes at odd times.
    void advance() {
        const SimTime next = network.nextCompletion();
        if (next == SimTime::never()) return;
        now = instance.random().below(3) == 0 ? SimTime{now.ns + (next.ns - now.ns) / 2} : next;
        std::vector<std::uint64_t> tags;
        network.complete(now, tags);
        for (const auto tag : tags) {
            ended[tag] = now.ns;
            flows.erase(tag);
        }
    }
    std::vector<Live> live() const {
        std::vector<Live> out;
        for (const auto& [tag, flow] : flows) out.push_back(flow);
        return out;
    }

    Instance instance;
    FlowNetwork network;
    SimTime now;
    std::map<std::uint64_t, Live> flows;
    std::map<std::uint64_t, std::int64_t> ended;
    std::map<std::uint64_t, double> left;

private:
    std::uint64_t m_tag = 0;
};

} // namespace

void tst_MaxMin::allocationIsMaxMinOptimal() {
    for (std::uint32_t number = 0; number < 1000; ++number) {
        Instance instance(number);
        FlowNetwork network(instance.capacities);
        std::vector<Live> flows;
        // Some at once, the rest one after the other: filled anew first, repaired then.
        for (auto n = 1 + instance.random().below(150); n-- > 0;) {
            Live flow{0, instance.route()};
            flow.id = network.start(flow.route, 1e6, 0, SimTime::zero());
            flows.push_back(flow);
            if (n < 20) network.nextCompletion();
        }
        QVERIFY2(isMaxMin(network, instance.capacities, flows), qPrintable(QString::number(number)));
        QVERIFY2(equalsFromScratch(network, flows), qPrintable(QString::number(number)));
    }
}

void tst_MaxMin::shapes_data() {
    QTest::addColumn<bool>("star");
    QTest::newRow("any shape") << false;
    QTest::newRow("star") << true;
}

void tst_MaxMin::repairEqualsFromScratchAfterAnyChange() {
    QFETCH(bool, star);
    for (std::uint32_t number = 0; number < (star ? 40 : 150); ++number) {
        History history(1000 + number, FlowSolver::incremental, star ? Shape::star : Shape::any);
        const auto& capacities = history.instance.capacities;
        std::vector<double> told(capacities.size()); // loads, as takeLinkReports() tells them
        std::vector<double> largest = capacities;    // a trifle of then may be more than one of now
        std::vector<LinkReport> reports;
        for (int step = 0; step < 300; ++step) {
            history.step();
            for (std::size_t l = 0; l < largest.size(); ++l) largest[l] = std::max(largest[l], capacities[l]);
            const auto flows = history.live();
            QCOMPARE(history.network.activeFlows(), flows.size());
            const QByteArray where = QByteArray::number(number) + " step " + QByteArray::number(step);
            QVERIFY2(equalsFromScratch(history.network, flows), where.constData());
            QVERIFY2(isMaxMin(history.network, capacities, flows), where.constData());
            history.network.takeLinkReports(reports);
            QVERIFY(std::ranges::is_sorted(reports, {}, &LinkReport::link));
            for (const LinkReport& r : reports) {
                QVERIFY2(near(r.load, history.network.load(r.link)), where.constData());
                told[r.link] = r.load;
            }
            for (DirectedLink l = 0; l < told.size(); ++l) {
                const double load = history.network.load(l);
                // Twice the share: what was told last may be a trifle off on either side of a larger change.
                QVERIFY2(std::abs(told[l] - load) <= 2 * FlowNetwork::reportedShare * largest[l] + 1e-9,
                         where.constData());
                QVERIFY2((told[l] > 0) == (load > 0), where.constData());
            }
        }
    }
}

// Reported loads over time and what is reported once a link is idle add up to the bytes that crossed it.
void tst_MaxMin::reportsAddUp() {
    QFETCH(bool, star);
    int sums = 0;
    for (std::uint32_t number = 0; number < 60; ++number) {
        Instance instance(5000 + number, star ? Shape::star : Shape::any);
        for (double& c : instance.capacities) c = std::max(c, 1e4);
        FlowNetwork network(instance.capacities);
        std::vector<double> carried(instance.capacities.size()), told(carried.size()), load(carried.size());
        std::vector<SimTime> since(carried.size());
        std::vector<LinkReport> reports;
        std::vector<std::uint64_t> tags;
        SimTime now;
        const auto take = [&] {
            network.takeLinkReports(reports);
            for (const LinkReport& r : reports) {
                told[r.link] += load[r.link] * (now - since[r.link]).toSeconds() + r.unreportedBytes;
                load[r.link] = r.load;
                since[r.link] = now;
            }
        };
        for (int begun = 0; begun < 300 || network.activeFlows() > 0;) {
            const SimTime next = network.nextCompletion();
            if (begun < 300 && (next == SimTime::never() || instance.random().below(2) == 0)) {
                const auto route = instance.route();
                const double bytes = instance.bytes();
                network.start(route, bytes, 0, now);
                for (const DirectedLink l : route) carried[l] += bytes;
                ++begun;
            } else {
                now = next;
                network.complete(now, tags);
            }
            take();
        }
        for (std::size_t l = 0; l < carried.size(); ++l) {
            // Ends are rounded up to whole nanoseconds.
            QVERIFY2(std::abs(told[l] - carried[l]) <= 1e-6 * carried[l] + 1, qPrintable(QString::number(number)));
            sums += carried[l] > 0;
        }
    }
    QVERIFY(sums > 500);
}

// Two networks, one filled anew after every change, live through the same starts and capacity changes; every
// flow ends at the same nanosecond, give or take one where rounding decides, also late in the history.
void tst_MaxMin::historiesAgreeWithFromScratch() {
    std::size_t compared = 0, different = 0;
    QFETCH(bool, star);
    for (std::uint32_t number = 0; number < 100; ++number) {
        Instance instance(3000 + number, star ? Shape::star : Shape::any);
        FlowNetwork fast(instance.capacities), slow(instance.capacities, FlowSolver::fromScratch);
        std::map<std::uint64_t, std::int64_t> fastEnds, slowEnds;
        const auto drain = [](FlowNetwork& network, SimTime until, auto& ends) {
            std::vector<std::uint64_t> tags;
            for (SimTime t = network.nextCompletion(); t <= until && t != SimTime::never();
                 t = network.nextCompletion()) {
                tags.clear();
                network.complete(t, tags);
                for (const auto tag : tags) ends[tag] = t.ns;
            }
        };
        SimTime now;
        for (std::uint64_t tag = 0; tag < 200; ++tag) {
            now = now + Duration{static_cast<std::int64_t>(instance.random().below(50'000'000))};
            drain(fast, now, fastEnds);
            drain(slow, now, slowEnds);
            const Links route = instance.route();
            const double bytes = instance.bytes();
            fast.start(route, bytes, tag, now);
            slow.start(route, bytes, tag, now);
            if (tag % 10 != 0) continue;
            const auto link = static_cast<DirectedLink>(instance.random().below(instance.capacities.size()));
            const double capacity = instance.capacity();
            fast.setCapacity(link, capacity, now);
            slow.setCapacity(link, capacity, now);
        }
        for (DirectedLink l = 0; l < instance.capacities.size(); ++l) {
            fast.setCapacity(l, 1e6, now); // everything up, so that everything ends
            slow.setCapacity(l, 1e6, now);
        }
        drain(fast, SimTime{SimTime::never().ns - 1}, fastEnds);
        drain(slow, SimTime{SimTime::never().ns - 1}, slowEnds);
        QCOMPARE(fastEnds.size(), std::size_t{200});
        QCOMPARE(slowEnds.size(), std::size_t{200});
        for (const auto& [tag, end] : fastEnds) {
            const std::int64_t apart = std::abs(end - slowEnds[tag]);
            QVERIFY2(apart <= 1, qPrintable(QString("%1: flow %2 is %3 ns off").arg(number).arg(tag).arg(apart)));
            ++compared;
            different += apart != 0;
        }
    }
    QVERIFY(different * 1000 <= compared);
}

void tst_MaxMin::orderOfFlowsAndLinksChangesNothing() {
    for (std::uint32_t number = 0; number < 200; ++number) {
        Instance instance(5000 + number);
        const std::size_t links = instance.capacities.size(), count = 1 + instance.random().below(100);
        std::vector<Links> routes;
        for (std::size_t i = 0; i < count; ++i) routes.push_back(instance.route());
        const auto shuffled = [&](std::size_t n) {
            std::vector<std::size_t> order(n);
            std::iota(order.begin(), order.end(), std::size_t{0});
            for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[instance.random().below(i)]);
            return order;
        };
        const auto flowAt = shuffled(count), linkAt = shuffled(links);
        std::vector<double> permuted(links);
        for (std::size_t l = 0; l < links; ++l) permuted[linkAt[l]] = instance.capacities[l];
        FlowNetwork straight(instance.capacities), mixed(permuted);
        std::vector<FlowId> a(count), b(count);
        for (std::size_t i = 0; i < count; ++i) {
            a[i] = straight.start(routes[i], 1e6, i, SimTime::zero());
            straight.nextCompletion();
        }
        for (const std::size_t i : flowAt) {
            Links route;
            for (const DirectedLink l : routes[i]) route.push_back(static_cast<DirectedLink>(linkAt[l]));
            std::reverse(route.begin(), route.end());
            b[i] = mixed.start(route, 1e6, i, SimTime::zero());
        }
        for (std::size_t i = 0; i < count; ++i)
            QVERIFY2(near(straight.rate(a[i]), mixed.rate(b[i])), qPrintable(QString::number(number)));
    }
}

void tst_MaxMin::copiesGoOnEqually() {
    for (std::uint32_t number = 0; number < 100; ++number) {
        History history(7000 + number, FlowSolver::incremental);
        for (int step = 0; step < 100; ++step) history.step();
        History copy(history);
        for (int step = 0; step < 200; ++step) history.step();
        for (int step = 0; step < 200; ++step) copy.step();
        QVERIFY(copy.ended == history.ended);
        QVERIFY(copy.left == history.left); // to the last bit
        QVERIFY(!history.left.empty());
    }
}

// A hub of 100 B/s with leaves of 10 B/s. Up to ten flows go at 10 B/s; beyond, the hub alone holds them back, and once
// it is found out, one more or less changes no flow but only the hub's level.
void tst_MaxMin::soleBottlenecksComeAndGo() {
    std::vector<double> capacities(41, 10.0);
    capacities[0] = 100;
    MaxMinRates rates(capacities, FlowSolver::incremental);
    std::vector<FlowId> flows;
    const auto check = [&](double expected) {
        rates.solve();
        return std::ranges::all_of(flows, [&](FlowId f) { return near(rates.rate(f), expected); });
    };
    for (DirectedLink leaf = 1; leaf <= 40; ++leaf) {
        flows.push_back(rates.add(Links{leaf, 0}));
        QVERIFY(check(leaf <= 10 ? 10.0 : 100.0 / leaf));
        if (leaf < 16) QCOMPARE(rates.soleBottleneck(flows.front()), MaxMinRates::noLink);
    }
    for (const FlowId f : flows) QCOMPARE(rates.soleBottleneck(f), 0u);
    rates.clearChanged();
    rates.remove(flows.back());
    flows.pop_back();
    QVERIFY(check(100.0 / 39));
    QVERIFY(rates.changed().size() <= 1); // the removed one
    QCOMPARE(rates.changedLevels().size(), 1u);
    const FlowId second = rates.add(Links{1}); // leaf 1 has room for it: 10 − 100/39, but its fair share is 5
    rates.solve();
    QVERIFY(near(rates.rate(second), 10 - 100.0 / 39));
    QVERIFY(check(100.0 / 39));
    rates.remove(second);
    while (flows.size() > 5) {
        rates.remove(flows.back());
        flows.pop_back();
        QVERIFY(check(std::min(10.0, 100.0 / static_cast<double>(flows.size()))));
    }
    QCOMPARE(rates.soleBottleneck(flows.front()), MaxMinRates::noLink);
}

TRAINYARD_TEST(tst_MaxMin)
#include "tst_MaxMin.moc"
