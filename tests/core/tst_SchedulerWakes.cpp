// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Wake-ups that schedulers ask for: equal ones are one, a remainder of less than a nanosecond is one nanosecond, and who
// only asks to be woken again does not keep a run alive, simulated or executed.
#include "engine/Executor.h"
#include "policy/Registry.h"
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_SchedulerWakes : public QObject {
    Q_OBJECT
private slots:
    void equalWakesAreOne();
    void lessThanANanosecondIsOne();
    void wakingForNothingEnds();
    void waitingForASlotGoesOn();
    void executedEqualWakesAreOne();
    void executedWakingForNothingEnds();
    void executedWaitingForASlotGoesOn();
    void executedWaitingBeyondTheHorizonEnds();
};

namespace {

/// Starts every job on the first machine at `start`, and asks as `ask` says at every call.
class Asking final : public Scheduler {
public:
    using Ask = std::function<void(SimTime, const SchedulerView&, SchedulingDecisions&)>;
    Asking(double start, Ask ask) : m_start(SimTime::seconds(start)), m_ask(std::move(ask)) {}
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<Asking>(*this); }
    void decide(const PolicyContext& context, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& decisions) override {
        if (context.now >= m_start)
            for (const JobId job : view.jobsIn(JobPhase::waiting))
                decisions.start(job, {{MachineId(std::size_t{0})}, {MachineId(std::size_t{1})}});
        m_ask(context.now, view, decisions);
    }

private:
    SimTime m_start;
    Ask m_ask;
};

SimulationOptions optionsWith(double start, const Asking::Ask& ask, double horizonSeconds) {
    Scenario scenario = test::starScenario(2);
    scenario.horizonSeconds = horizonSeconds;
    Job job{.key = "j", .workers = {1, 1}, .servers = {1, 1}};
    job.stop.iterations = 10;
    job.work = AnalyticWork{.samples = 100, .parameterBytes = 1e6, .batch = 10, .secondsPerSample = 0.01};
    scenario.jobs = {job};
    scenario.policies.scheduler = {"asking", {}};
    SimulationOptions options = test::optionsFor(scenario);
    Registry registry = Registry::builtin();
    SchedulerEntry entry;
    entry.id = "asking";
    entry.make = [=](const ParamValues&) { return std::make_unique<Asking>(start, ask); };
    registry.schedulers.push_back(std::move(entry));
    options.registry = std::make_shared<const Registry>(std::move(registry));
    return options;
}

std::unique_ptr<Simulation> runWith(double start, const Asking::Ask& ask) {
    auto made = Simulation::create(optionsWith(start, ask, 1e9));
    while ((*made)->step()) {}
    return std::move(made).value();
}

std::unique_ptr<Executor> executedWith(double start, const Asking::Ask& ask, double horizonSeconds = 60) {
    auto made = Executor::create(optionsWith(start, ask, horizonSeconds));
    (*made)->run({}, [] {});
    return std::move(made).value();
}

} // namespace

void tst_SchedulerWakes::equalWakesAreOne() {
    // Asked three times at each of the calls at 0 (the arrival), 0.25 and 0.5 s.
    const auto run = runWith(0, [](SimTime now, const SchedulerView&, SchedulingDecisions& decisions) {
        for (const double t : {0.25, 0.5, 0.5})
            if (SimTime::seconds(t) > now) decisions.wakeAt(SimTime::seconds(t));
    });
    const auto woken = test::eventsOf(run->log(), EventType::schedulerWoken);
    QCOMPARE(woken.size(), std::size_t{2});
    QCOMPARE(woken[0].time.toSeconds(), 0.25);
    QCOMPARE(woken[1].time.toSeconds(), 0.5);
}

void tst_SchedulerWakes::lessThanANanosecondIsOne() {
    int left = 3;
    const auto run = runWith(0, [=](SimTime now, const SchedulerView&, SchedulingDecisions& decisions) mutable {
        if (left-- > 0) decisions.wakeAfter(now, 1e-12);
    });
    const auto woken = test::eventsOf(run->log(), EventType::schedulerWoken);
    QCOMPARE(woken.size(), std::size_t{3});
    QCOMPARE(woken.back().time.ns, std::int64_t{3});
    QCOMPARE(run->state().jobsIn(JobPhase::finished).size(), std::size_t{1});
}

void tst_SchedulerWakes::wakingForNothingEnds() {
    // The job never starts; the scheduler asks to be woken every second, to the horizon of 1e9 s if it is let.
    const auto run = runWith(1e18, [](SimTime now, const SchedulerView&, SchedulingDecisions& decisions) {
        decisions.wakeAt(now + Duration::seconds(1));
    });
    QCOMPARE(run->state().now(), SimTime{});
    QVERIFY(test::eventsOf(run->log(), EventType::schedulerWoken).empty());
    const auto failed = test::eventsOf(run->log(), EventType::jobFailed);
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(failed[0].aux, static_cast<std::uint16_t>(FailReason::stuck));
}

void tst_SchedulerWakes::waitingForASlotGoesOn() {
    // A policy of slots of a tenth of a second that starts the job an hour later: 36,000 wake-ups at which it does nothing.
    const auto run = runWith(3600, [](SimTime now, const SchedulerView& view, SchedulingDecisions& decisions) {
        if (!view.jobsIn(JobPhase::waiting).empty()) decisions.wakeAt(now + Duration::seconds(0.1));
    });
    QCOMPARE(run->state().jobsIn(JobPhase::finished).size(), std::size_t{1});
    QVERIFY(run->state().now() > SimTime::seconds(3600));
}

void tst_SchedulerWakes::executedEqualWakesAreOne() {
    const auto run = executedWith(0, [](SimTime now, const SchedulerView&, SchedulingDecisions& decisions) {
        for (const double t : {0.05, 0.1, 0.1})
            if (SimTime::seconds(t) > now) decisions.wakeAt(SimTime::seconds(t));
    });
    QCOMPARE(test::eventsOf(run->log(), EventType::schedulerWoken).size(), std::size_t{2});
    QCOMPARE(run->state().jobsIn(JobPhase::finished).size(), std::size_t{1});
}

// As simulated: the job fails as stuck as soon as nothing else is to come, not at the horizon of a minute.
void tst_SchedulerWakes::executedWakingForNothingEnds() {
    const auto run = executedWith(1e9, [](SimTime now, const SchedulerView&, SchedulingDecisions& decisions) {
        decisions.wakeAt(now + Duration::seconds(0.05));
    });
    const auto failed = test::eventsOf(run->log(), EventType::jobFailed);
    QCOMPARE(failed.size(), std::size_t{1});
    QCOMPARE(failed[0].aux, static_cast<std::uint16_t>(FailReason::stuck));
    QVERIFY(test::eventsOf(run->log(), EventType::schedulerWoken).size() < 100); // of 1,200
}

void tst_SchedulerWakes::executedWaitingForASlotGoesOn() {
    const auto run = executedWith(0.5, [](SimTime now, const SchedulerView& view, SchedulingDecisions& decisions) {
        if (!view.jobsIn(JobPhase::waiting).empty()) decisions.wakeAt(now + Duration::seconds(0.05));
    });
    QCOMPARE(run->state().jobsIn(JobPhase::finished).size(), std::size_t{1});
    QVERIFY(run->state().now() > SimTime::seconds(0.5));
}

// The job would start an hour later: nothing can happen any more, and it waits, as a simulated one at the horizon does.
void tst_SchedulerWakes::executedWaitingBeyondTheHorizonEnds() {
    const Asking::Ask ask = [](SimTime now, const SchedulerView& view, SchedulingDecisions& decisions) {
        if (!view.jobsIn(JobPhase::waiting).empty()) decisions.wakeAt(now + Duration::seconds(1));
    };
    const auto executed = executedWith(3600, ask);
    QCOMPARE(executed->state().jobsIn(JobPhase::waiting).size(), std::size_t{1});
    QVERIFY(executed->state().now() < SimTime::seconds(30));
    auto simulated = Simulation::create(optionsWith(3600, ask, 60));
    while ((*simulated)->step()) {}
    QCOMPARE((*simulated)->state().jobsIn(JobPhase::waiting).size(), std::size_t{1});
    QCOMPARE((*simulated)->state().now(), SimTime::seconds(60));
}

TRAINYARD_TEST(tst_SchedulerWakes)
#include "tst_SchedulerWakes.moc"
