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
    void repairEqualsFromScratchAfterAnyChange();
    void historiesAgreeWithFromScratch();
    void orderOfFlowsAndLinksChangesNothing();
    void copiesGoOnEqually();
};

namespace {

using Links = std::vector<DirectedLink>;

constexpr double tolerance = 1e-9;
bool near(double a, double b) {
    return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// A random network: shapes from one link to sixty, capacities alike or over many orders of magnitude, some
/// links down.
class Instance {
public:
    explicit Instance(std::uint32_t number) : m_random(7, Purpose::test, number) {
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
        Links out;
        const std::size_t length = 1 + m_random.below(m_longest);
        const bool repeats = m_random.below(10) == 0;
        while (out.size() < length) {
            const auto link = static_cast<DirectedLink>(m_random.below(capacities.size()));
            if (repeats || std::find(out.begin(), out.end(), link) == out.end()) out.push_back(link);
        }
        return out;
    }
    double bytes() { return 1e3 + 1e7 * m_random.unit(); }
    RandomStream& random() { return m_random; }

    std::vector<double> capacities;

private:
    RandomStream m_random;
    std::size_t m_longest = 1;
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
        if (load[l] > capacities[l] * (1 + tolerance) ||
            !near(load[l], network.load(static_cast<DirectedLink>(l))))
            return false;
    return std::ranges::all_of(flows, [&](const Live& flow) {
        return std::ranges::any_of(flow.route, [&](DirectedLink l) {
            return load[l] >= capacities[l] * (1 - tolerance) &&
                   network.rate(flow.id) >= fastest[l] * (1 - tolerance);
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
    History(std::uint32_t number, FlowSolver solver)
        : instance(number), network(instance.capacities, solver) {}

    void step() {
        RandomStream& random = instance.random();
        const auto kind = random.below(20);
        if (kind < 9 || flows.empty()) {
            for (auto n = 1 + random.below(3); n-- > 0;) start();
        } else if (kind < 12) {
            const auto at = static_cast<std::size_t>(random.below(flows.size()));
            auto flow = flows.begin();
            std::advance(flow, at);
            left[flow->first] = network.cancel(flow->second.id, now);
            flows.erase(flow);
        } else if (kind < 15) {
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

void tst_MaxMin::repairEqualsFromScratchAfterAnyChange() {
    for (std::uint32_t number = 0; number < 150; ++number) {
        History history(1000 + number, FlowSolver::incremental);
        std::vector<double> told(
            history.instance.capacities.size()); // loads, as takeChangedLinks() tells them
        Links changed;
        for (int step = 0; step < 300; ++step) {
            history.step();
            const auto flows = history.live();
            QCOMPARE(history.network.activeFlows(), flows.size());
            const QByteArray where = QByteArray::number(number) + " step " + QByteArray::number(step);
            QVERIFY2(equalsFromScratch(history.network, flows), where.constData());
            QVERIFY2(isMaxMin(history.network, history.instance.capacities, flows), where.constData());
            history.network.takeChangedLinks(changed);
            QVERIFY(std::ranges::is_sorted(changed));
            for (const DirectedLink l : changed) {
                QVERIFY2(told[l] != history.network.load(l), where.constData());
                told[l] = history.network.load(l);
            }
            for (DirectedLink l = 0; l < told.size(); ++l)
                QVERIFY2(near(told[l], history.network.load(l)), where.constData());
        }
    }
}

// Two networks, one filled anew after every change, live through the same starts and capacity changes; every
// flow ends at the same nanosecond, give or take one where rounding decides, also late in the history.
void tst_MaxMin::historiesAgreeWithFromScratch() {
    std::size_t compared = 0, different = 0;
    for (std::uint32_t number = 0; number < 100; ++number) {
        Instance instance(3000 + number);
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
            QVERIFY2(apart <= 1,
                     qPrintable(QString("%1: flow %2 is %3 ns off").arg(number).arg(tag).arg(apart)));
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

TRAINYARD_TEST(tst_MaxMin)
#include "tst_MaxMin.moc"
