// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A session steered from another thread: pause, the kinds of step, stop, failure, and states at any instant.
#include "run/Keyframes.h"
#include "run/RunSession.h"
#include "run/TinyScenario.h"
#include "support/DecidingScheduler.h"
#include "support/TestMain.h"

#include <random>

using namespace trainyard;
using namespace trainyard::test;

class tst_RunSession : public QObject {
    Q_OBJECT
private slots:
    void runsToItsEnd();
    void pausedStartDoesNothing();
    void stepsEndWhereTheySay_data();
    void stepsEndWhereTheySay();
    void pauseAndResumeChangeNothing();
    void stopsDuringARun();
    void stopsWhilePaused();
    void pacedRunFollowsTheClock();
    void commandsAreLoggedAndReplay();
    void failedRunNamesTheEvent();
    void refusedPlansNameTheEvent_data();
    void refusedPlansNameTheEvent();
    void unpreparedRunSaysWhy();
    void stateAtEqualsTheFold();
    void keyframesStayFew();
    void keyframesStaySmall();
    void explanationsStaySmall();
    void logOutlivesTheSession();
};

namespace {

bool reached(const RunSession& session, RunStatus status) { return session.frame()->status == status; }

/// Takes whatever it finds waiting and starts it with more workers than allowed.
class OverstepPolicy final : public Scheduler {
public:
    std::unique_ptr<Scheduler> clone() const override { return std::make_unique<OverstepPolicy>(*this); }
    void decide(const PolicyContext&, const SchedulerView& view, std::span<const Event>,
                SchedulingDecisions& out) override {
        for (const JobId job : view.jobsIn(JobPhase::waiting))
            out.start(job, {std::vector<MachineId>(50, MachineId(std::size_t{0})), {MachineId(std::size_t{0})}});
    }
};

RunRequest failingRequest() {
    RunRequest request = requestFor(tinyScenario());
    Registry registry = Registry::builtin();
    SchedulerEntry entry;
    entry.id = "overstep";
    entry.make = [](const ParamValues&) { return std::make_unique<OverstepPolicy>(); };
    registry.schedulers.push_back(entry);
    request.registry = std::make_shared<const Registry>(registry);
    Scenario scenario = tinyScenario();
    scenario.policies.scheduler = {"overstep", {}};
    request.scenario = std::make_shared<const Scenario>(scenario);
    return request;
}

ClusterState foldOf(const RunSession& session, std::size_t events) {
    ClusterState state(session.workload());
    session.log()->walk(0, events, [&](const Event& e) { state.apply(e); });
    return state;
}

} // namespace

void tst_RunSession::runsToItsEnd() {
    RunSession session(requestFor(tinyScenario()));
    std::atomic<int> calls = 0;
    session.onFrame([&] { ++calls; });
    session.wait();
    const auto frame = session.frame();
    QVERIFY(frame->status == RunStatus::finished);
    QVERIFY(frame->problems.empty());
    QCOMPARE(frame->logSize, session.log()->size());
    QCOMPARE(frame->progress, 1.0);
    QVERIFY(*frame->state == foldOf(session, frame->logSize));
    for (const auto& job : frame->state->jobs()) {
        QVERIFY(job.phase == JobPhase::finished);
        QCOMPARE(job.updates, std::uint64_t{20});
    }
}

void tst_RunSession::pausedStartDoesNothing() {
    RunRequest request = requestFor(tinyScenario());
    request.paused = true;
    RunSession session(std::move(request));
    QTRY_VERIFY(reached(session, RunStatus::paused));
    QVERIFY(session.log()->size() <= 1); // at most run-started
    QCOMPARE(session.frame()->now.ns, std::int64_t{0});
    session.runToEnd();
    session.wait();
    QVERIFY(reached(session, RunStatus::finished));
}

void tst_RunSession::stepsEndWhereTheySay_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("type");
    QTest::newRow("iteration") << int(StepKind::iteration) << int(EventType::updateApplied);
    QTest::newRow("decision") << int(StepKind::decision) << int(EventType::decision);
}

void tst_RunSession::stepsEndWhereTheySay() {
    QFETCH(int, kind);
    QFETCH(int, type);
    RunRequest request = requestFor(tinyScenario());
    request.paused = true;
    RunSession session(std::move(request));
    QTRY_VERIFY(reached(session, RunStatus::paused));
    const auto count = [&] {
        int n = 0;
        for (std::size_t i = 0; i < session.log()->size(); ++i) n += int((*session.log())[i].type) == type;
        return n;
    };
    for (int step = 1; step <= 2; ++step) {
        const std::size_t before = session.log()->size();
        const int already = count();
        session.step(static_cast<StepKind>(kind));
        QTRY_VERIFY(reached(session, RunStatus::paused) && session.frame()->logSize > before);
        // One engine step may bring several at the same instant, but it is the last one that brought any.
        QVERIFY(count() > already);
        std::optional<SimTime> first;
        for (std::size_t i = before; i < session.log()->size(); ++i)
            if (!first && int((*session.log())[i].type) == type) first = (*session.log())[i].time;
        QVERIFY(first && session.frame()->state->now() == *first);
    }
}

void tst_RunSession::pauseAndResumeChangeNothing() {
    RunSession plain(requestFor(tinyScenario(200)));
    plain.wait();
    RunRequest request = requestFor(tinyScenario(200));
    request.paused = true;
    RunSession steered(std::move(request));
    for (int i = 0; i < 5; ++i) steered.step(StepKind::event);
    steered.step(StepKind::iteration);
    steered.resume();
    steered.pause();
    QTRY_VERIFY(reached(steered, RunStatus::paused) || reached(steered, RunStatus::finished));
    steered.runToEnd();
    steered.wait();
    QCOMPARE(steered.log()->digest(), plain.log()->digest());
}

void tst_RunSession::stopsDuringARun() {
    RunSession session(requestFor(tinyScenario(100'000'000)));
    QTRY_VERIFY(session.frame()->logSize > 1000);
    session.stop();
    session.wait(); // returns long before the hundred million iterations could be done
    const auto frame = session.frame();
    QVERIFY(frame->status == RunStatus::stopped);
    QCOMPARE(frame->logSize, session.log()->size());
    QVERIFY(*frame->state == foldOf(session, frame->logSize));
}

void tst_RunSession::stopsWhilePaused() {
    RunRequest request = requestFor(tinyScenario());
    request.paused = true;
    RunSession session(std::move(request));
    QTRY_VERIFY(reached(session, RunStatus::paused));
    session.stop();
    session.wait();
    QVERIFY(reached(session, RunStatus::stopped));
}

void tst_RunSession::pacedRunFollowsTheClock() {
    RunRequest request = requestFor(tinyScenario());
    request.speed = 1e-3; // the first event after the start is seconds of real time away
    RunSession session(std::move(request));
    QTRY_VERIFY(session.frame()->now > SimTime::zero());
    QVERIFY(session.frame()->now < SimTime::seconds(0.5)); // the second job has not arrived
    QVERIFY(reached(session, RunStatus::running));
    session.setSpeed(0);
    session.wait();
    QVERIFY(reached(session, RunStatus::finished));
}

void tst_RunSession::commandsAreLoggedAndReplay() {
    RunRequest request = requestFor(tinyScenario(200));
    request.paused = true;
    RunSession session(request);
    for (int i = 0; i < 3; ++i) session.step(StepKind::iteration);
    QTRY_VERIFY(reached(session, RunStatus::paused) && session.frame()->state->now() > SimTime::zero());
    session.command(CommandKind::killJob, 1);
    session.runToEnd();
    session.wait();
    QCOMPARE(session.commands().size(), std::size_t{1});
    QVERIFY(session.frame()->state->job(JobId(std::size_t{1})).phase == JobPhase::failed);

    RunRequest again = request;
    again.paused = false;
    again.commands = session.commands();
    RunSession replay(again);
    replay.wait();
    QCOMPARE(replay.log()->digest(), session.log()->digest());
    QCOMPARE(replay.commands().size(), std::size_t{1});
}

void tst_RunSession::failedRunNamesTheEvent() {
    RunSession session(failingRequest());
    session.wait();
    const auto frame = session.frame();
    QVERIFY(frame->status == RunStatus::failed);
    QCOMPARE(frame->problems.size(), std::size_t{1});
    const auto& problem = frame->problems.front();
    QCOMPARE(problem.code, std::string("run-failed"));
    QCOMPARE(problem.message.arguments[0], std::to_string(session.log()->size()));
    const auto text = QString::fromStdString(problem.text());
    QVERIFY2(text.contains(QStringLiteral("50 workers")), qPrintable(text)); // what the policy did
    QVERIFY2(text.contains(QStringLiteral("at 0 s")), qPrintable(text));
    QVERIFY(*frame->state == foldOf(session, frame->logSize));
}

void tst_RunSession::refusedPlansNameTheEvent_data() {
    QTest::addColumn<QString>("wrong");
    QTest::addColumn<QString>("expected");
    QTest::newRow("too much for a machine") << "machine"
                                            << "scheduler \"deciding\" planned more for machine \"m1\" than it has";
    QTest::newRow("a job that is over") << "finished"
                                        << "scheduler \"deciding\" planned for job \"a\", which neither waits nor runs";
    QTest::newRow("a batch of less than nothing")
        << "batch"
        << "scheduler \"deciding\" gave job \"a\" a batch of -5; allowed are 1 to 100000000 samples";
}

void tst_RunSession::refusedPlansNameTheEvent() {
    QFETCH(QString, wrong);
    QFETCH(QString, expected);
    const JobId a(std::size_t{0}), b(std::size_t{1});
    const auto decide = [=](const PolicyContext&, const SchedulerView& view, SchedulingDecisions& decisions) {
        const Placement small = placed({0, 0}, {1});
        if (wrong == "machine" && view.state().job(b).phase == JobPhase::waiting)
            decisions.replan({{a, placed({0, 0}, {0})}, {b, placed({0, 0}, {0})}});
        else if (wrong == "finished" && view.state().job(a).phase == JobPhase::finished)
            decisions.replan({{b, placed({1, 1}, {0})}, {a, small}});
        else if (view.state().job(a).phase == JobPhase::waiting)
            decisions.replan({{a, small, wrong == "batch" ? -5 : 0}});
    };
    RunRequest request = requestFor(tinyScenario());
    Registry registry = Registry::builtin();
    registry.schedulers.push_back(DecidingScheduler::entry(decide));
    request.registry = std::make_shared<const Registry>(registry);
    Scenario scenario = tinyScenario();
    scenario.policies.scheduler = {"deciding", {}};
    request.scenario = std::make_shared<const Scenario>(scenario);
    RunSession session(request);
    session.wait();
    QVERIFY(reached(session, RunStatus::failed));
    const QString text = QString::fromStdString(session.frame()->problems.at(0).message.english());
    QVERIFY2(text.contains(expected) && text.contains("after event "), qPrintable(text));
}

void tst_RunSession::unpreparedRunSaysWhy() {
    Scenario scenario = tinyScenario();
    scenario.jobs[0].work =
        TrainedWork{.model = {"softmax", {}}, .dataset = {"no-such-data", {}}, .optimizer = {"sgd", {}}};
    RunSession session(requestFor(scenario));
    session.wait();
    QVERIFY(reached(session, RunStatus::failed));
    QVERIFY(!session.frame()->state);
    QVERIFY(!session.frame()->problems.empty());
    QVERIFY(QString::fromStdString(session.frame()->problems.front().text()).contains(QStringLiteral("no-such-data")));
    QVERIFY(!session.stateAt(SimTime::zero()));
}

void tst_RunSession::stateAtEqualsTheFold() {
    RunSession session(requestFor(tinyScenario(3000))); // some hundred thousand events: beyond the first keyframe
    session.wait();
    const auto log = session.log();
    QVERIFY(log->size() > Keyframes::firstSpacing);
    std::mt19937 random(1);
    const auto last = (*log)[log->size() - 1].time.ns;
    for (int i = 0; i < 12; ++i) {
        const SimTime t{i == 0 ? 0 : i == 1 ? last + 5 : std::uniform_int_distribution<std::int64_t>(0, last)(random)};
        QVERIFY(*session.stateAt(t) == foldOf(session, log->positionAfter(t)));
    }
}

void tst_RunSession::keyframesStayFew() {
    auto workload = std::make_shared<Workload>();
    workload->jobs.resize(1);
    Keyframes keyframes(workload);
    EventLog log;
    ClusterState state(workload);
    // Offered every "spacing" of a log that would have 600 of them; only positions matter here.
    for (std::size_t i = 1; i <= 600; ++i) keyframes.offer(i * Keyframes::firstSpacing, state);
    QVERIFY(keyframes.count() <= Keyframes::mostKept);
    QVERIFY(keyframes.count() >= Keyframes::mostKept / 2);
    QVERIFY(*keyframes.stateAt(log, SimTime::zero()) == state);
}

// The states of 100,000 jobs take more than a megabyte each; ten may be kept.
void tst_RunSession::keyframesStaySmall() {
    auto workload = std::make_shared<Workload>();
    workload->jobs.resize(100'000);
    EventLog log;
    ClusterState state(workload);
    QVERIFY(state.bytes() > 100'000 * sizeof(JobState));
    Keyframes keyframes(workload, 10 * state.bytes() + 1000);
    for (std::size_t i = 1; i <= 200; ++i) {
        keyframes.offer(i * Keyframes::firstSpacing, state);
        QVERIFY(keyframes.count() <= 11); // the one of the beginning is shared
    }
    QVERIFY(keyframes.count() >= 4);
}

void tst_RunSession::explanationsStaySmall() {
    ExplanationArena arena(WhyLevel::full, 100'000);
    Explanation full{.policy = "fifo",
                     .candidates = std::vector<Candidate>(10, Candidate{.label = "a machine of some name"})};
    full.chosen = {0};
    for (int i = 0; i < 1000; ++i) QCOMPARE(arena.add(full), static_cast<std::uint32_t>(i));
    QVERIFY(!arena.all().front().abridged);
    QCOMPARE(arena.all().front().candidates.size(), std::size_t{10});
    const Explanation& last = arena.all().back();
    QVERIFY(last.abridged && last.candidates.empty() && last.evaluate() == last.chosen);
    QCOMPARE(QString::fromStdString(last.policy), QStringLiteral("fifo"));
}

void tst_RunSession::logOutlivesTheSession() {
    std::shared_ptr<const EventLog> log;
    std::string digest;
    {
        RunSession session(requestFor(tinyScenario()));
        session.wait();
        log = session.log();
        digest = log->digest();
    }
    QCOMPARE(log->digest(), digest);
}

TRAINYARD_TEST(tst_RunSession)
#include "tst_RunSession.moc"
