// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The network of executed runs. Its times of arrival are those of the model from the instants at which it was
// called, so they are bounded by clock readings around the calls, however late threads run.
#include "engine/RealNetwork.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <future>

using namespace trainyard;
using namespace trainyard::test;

namespace {

struct Fixture {
    explicit Fixture(const Scenario& scenario, NetworkModel model = NetworkModel::flow)
        : workload{.cluster = scenario.cluster, .jobs = {}}, network(workload, model, clock, work) {}
    /// Sends and notes the time before and after.
    struct Sent {
        SimTime before, after;
        std::shared_ptr<std::promise<SimTime>> promise;
        std::future<SimTime> arrival;
        bool hasArrived(int milliseconds) const {
            return arrival.wait_for(std::chrono::milliseconds(milliseconds)) == std::future_status::ready;
        }
    };
    Sent send(std::uint32_t from, std::uint32_t to, double bytes, std::uint64_t operation = 0, double hold = 0,
              std::uint32_t toNode = 1) {
        auto promise = std::make_shared<std::promise<SimTime>>();
        Sent sent{clock.now(), {}, promise, promise->get_future()};
        network.send({JobId(0), 0, toNode, operation, hold}, from, to, bytes,
                     [promise](SimTime at) { promise->set_value(at); });
        sent.after = clock.now();
        return sent;
    }
    std::pair<SimTime, SimTime> around(const std::function<void()>& call) {
        const SimTime before = clock.now();
        call();
        return {before, clock.now()};
    }
    void waitUntil(SimTime t) { std::this_thread::sleep_until(clock.at(t)); }

    Workload workload;
    RealClock clock;
    PendingWork work;
    RealNetwork network;
};

constexpr double bandwidth = 1.25e8;
const Duration rounding = Duration::nanoseconds(20);

Duration timeOf(double bytes) { return Duration::seconds(bytes / bandwidth); }

/// Three machines, each linked with both others.
Scenario triangle() {
    Scenario scenario;
    scenario.cluster.resourceNames = {"cpu"};
    for (const char* key : {"a", "b", "c"})
        scenario.cluster.machines.push_back({.key = key, .capacity = ResourceVector::of({8})});
    for (const auto& [from, to] : {std::pair("a", "b"), std::pair("b", "c"), std::pair("c", "a")})
        scenario.cluster.links.push_back(
            {.key = std::string(from) + "--" + to, .from = from, .to = to, .bandwidth = bandwidth});
    return scenario;
}

bool between(SimTime value, SimTime low, SimTime high) {
    if (value >= low && value <= high) return true;
    qWarning("%.9f s is not in [%.9f, %.9f]", value.toSeconds(), low.toSeconds(), high.toSeconds());
    return false;
}

} // namespace

class tst_RealNetwork : public QObject {
    Q_OBJECT
private slots:
    void flowsShareALinkFairly();
    void cancelFreesTheBandwidth();
    void heldMessageLeavesLater();
    void failedLinkIsGoneAround();
    void failedLinkWithoutOtherWayIsWaitedFor();
    void messagesArriveInTheOrderSent();
    void jobsDoNotShareUnderTheRateModel();
    void loadsAreLogged();
    void nothingArrivesAfterCancelAll();
};

// From t₁ on A has the link alone, from t₂ on it shares: A ends at t₁ + 2X/c − (t₂ − t₁), and B, which then
// has what A had had alone, at t₁ + 2X/c.
void tst_RealNetwork::flowsShareALinkFairly() {
    Fixture f(starScenario(3));
    auto a = f.send(0, 2, 2.5e7, 1, 0, 1);
    auto b = f.send(1, 2, 2.5e7, 2, 0, 2);
    const SimTime endA = a.arrival.get(), endB = b.arrival.get();
    const Duration both = timeOf(5e7);
    QVERIFY(between(endB, a.before + both, a.after + both + rounding));
    const Duration least = b.before - a.after, most = b.after - a.before;
    QVERIFY(between(endA, a.before + both - most, a.after + both - least + rounding));
}

// Between its start and its end the cancelled one had half of the bandwidth.
void tst_RealNetwork::cancelFreesTheBandwidth() {
    Fixture f(starScenario(3));
    auto kept = f.send(0, 2, 4e7, 1, 0, 1);
    auto cancelled = f.send(1, 2, 4e7, 2, 0, 2);
    const auto [before, after] = f.around([&] { f.network.cancel(JobId(0), 2); });
    const SimTime end = kept.arrival.get();
    const double least = 0.5 * (before - cancelled.after).toSeconds(),
                 most = 0.5 * (after - cancelled.before).toSeconds();
    QVERIFY(between(end, kept.before + timeOf(4e7) + Duration::seconds(least),
                    kept.after + timeOf(4e7) + Duration::seconds(most) + rounding));
    QVERIFY(!cancelled.hasArrived(0));
}

void tst_RealNetwork::heldMessageLeavesLater() {
    Fixture f(starScenario(2));
    auto held = f.send(0, 1, 1.25e6, 1, 0.02);
    QVERIFY(!f.work.none());
    QVERIFY(between(held.arrival.get(), held.before + Duration::seconds(0.03),
                    held.after + Duration::seconds(0.03) + rounding));
}

// The way over the third machine is as fast: nothing is lost but the order of the links.
void tst_RealNetwork::failedLinkIsGoneAround() {
    Fixture f(triangle());
    auto sent = f.send(0, 1, 1.25e7);
    f.waitUntil(sent.after + Duration::seconds(0.03));
    f.network.setLink(LinkId(0), false);
    QVERIFY(between(sent.arrival.get(), sent.before + Duration::seconds(0.1),
                    sent.after + Duration::seconds(0.1) + rounding));
}

void tst_RealNetwork::failedLinkWithoutOtherWayIsWaitedFor() {
    Fixture f(starScenario(2));
    auto sent = f.send(0, 1, 6.25e7);
    f.waitUntil(sent.after + Duration::seconds(0.03));
    const auto down = f.around([&] { f.network.setLink(LinkId(0), false); });
    QVERIFY(f.work.none()); // nothing moves
    f.waitUntil(down.second + Duration::seconds(0.05));
    const auto up = f.around([&] { f.network.setLink(LinkId(0), true); });
    QVERIFY(!f.work.none());
    const Duration least = up.first - down.second, most = up.second - down.first;
    QVERIFY(between(sent.arrival.get(), sent.before + Duration::seconds(0.5) + least,
                    sent.after + Duration::seconds(0.5) + most + rounding));
    QTRY_VERIFY(f.work.none()); // counted just after the arrival
}

void tst_RealNetwork::messagesArriveInTheOrderSent() {
    Fixture f(starScenario(2));
    auto large = f.send(0, 1, 1.25e7, 1), small = f.send(0, 1, 64, 2), other = f.send(0, 1, 64, 3, 0, 2);
    const SimTime end = large.arrival.get();
    QVERIFY(small.arrival.get() >= end);
    QVERIFY(other.arrival.get() < end);
    auto first = f.send(0, 1, 2.5e6, 4), second = f.send(0, 1, 64, 5);
    f.network.cancel(JobId(0), 4);
    QVERIFY(second.hasArrived(10000) && !first.hasArrived(0));
}

// Under the rate model a job has the links to itself: 1 MB takes what 1 MB takes beside the same of another job.
void tst_RealNetwork::jobsDoNotShareUnderTheRateModel() {
    Fixture f(starScenario(2), NetworkModel::rate);
    auto sent = f.send(0, 1, 1e6);
    QVERIFY(between(sent.arrival.get(), sent.before + timeOf(1e6), sent.after + timeOf(1e6) + rounding));
    std::vector<Event> events;
    f.network.takeEvents(events);
    QCOMPARE(events.size(), std::size_t{2});
    for (const Event& e : events) QVERIFY(e.type == EventType::linkCarried && e.value == 1e6);
}

void tst_RealNetwork::loadsAreLogged() {
    Fixture f(starScenario(2));
    auto sent = f.send(0, 1, 1.25e6);
    const SimTime end = sent.arrival.get();
    std::vector<Event> events;
    for (int i = 0; i < 2000 && events.size() < 4; ++i) { // settled just after the arrival
        f.network.takeEvents(events);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    QCOMPARE(events.size(), std::size_t{4}); // two links, up and down
    for (std::size_t i = 0; i < 4; ++i) {
        QVERIFY(events[i].type == EventType::linkLoad);
        QCOMPARE(events[i].value, i < 2 ? bandwidth : 0.0);
    }
    QCOMPARE(events[2].time, end); // no latency here
    QVERIFY(std::abs((events[2].time - events[0].time).toSeconds() - 0.01) < 1e-7);
}

void tst_RealNetwork::nothingArrivesAfterCancelAll() {
    Fixture f(starScenario(2));
    auto a = f.send(0, 1, 1.25e6, 1), b = f.send(0, 1, 1.25e6, 2, 0.001);
    f.network.cancelAll(JobId(0));
    QVERIFY(f.work.none());
    QVERIFY(!a.hasArrived(50) && !b.hasArrived(0));
}

TRAINYARD_TEST(tst_RealNetwork)
#include "tst_RealNetwork.moc"
