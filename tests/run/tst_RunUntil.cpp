// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A run that is to go on until something comes about pauses exactly there, whatever is waited for, and goes on
// afterwards as if it had never been held.
#include "run/RunSession.h"
#include "run/TinyScenario.h"
#include "support/TestMain.h"

using namespace trainyard;
using namespace trainyard::test;

Q_DECLARE_METATYPE(trainyard::Breakpoint)

namespace {

/// Four jobs, two of which have to wait, and machines that fail: everything there is to wait for happens.
Scenario eventful() {
    Scenario s = tinyScenario(60);
    Job late = s.jobs.front();
    late.key = "c";
    late.arrival = SimTime::seconds(0.7);
    late.workers = {4, 4}; // has to wait for the others
    s.jobs.push_back(late);
    late.key = "d";
    s.jobs.push_back(late);
    s.faults = {{.key = "m2", .atSeconds = 2, .repairAfterSeconds = 1},
                {.key = "m1", .atSeconds = 4, .repairAfterSeconds = 1}};
    return s;
}

std::shared_ptr<const EventLog> logOf(const Scenario& scenario) {
    RunSession session(requestFor(scenario));
    session.wait();
    if (session.frame()->status != RunStatus::finished) qFatal("the sample does not run");
    return session.log();
}

/// By folding states, one after the other: what the watch finds without.
std::optional<std::size_t> firstByState(const EventLog& log, std::shared_ptr<const Workload> workload,
                                        const std::function<bool(const ClusterState&)>& holds) {
    ClusterState state(std::move(workload));
    bool before = holds(state);
    for (std::size_t i = 0; i < log.size(); ++i) {
        state.apply(log[i]);
        const bool now = holds(state);
        if (now && !before) return i;
        before = now;
    }
    return std::nullopt;
}

std::optional<std::size_t> firstEvent(const EventLog& log, const std::function<bool(const Event&)>& is,
                                      std::size_t from = 0) {
    for (std::size_t i = from; i < log.size(); ++i)
        if (is(log[i])) return i;
    return std::nullopt;
}

} // namespace

class tst_RunUntil : public QObject {
    Q_OBJECT
private slots:
    void findsWhatTheStatesSay();
    void findsTheNextOne();
    void pausesExactlyThere_data();
    void pausesExactlyThere();
    void arrivalAndPauseAreOneFrame();
    void pausesAtATimeBetweenEvents_data();
    void pausesAtATimeBetweenEvents();
    void whatHasHappenedMeanwhileCounts();
    void runsToItsEndIfItNeverComes();
    void anotherOrderGivesItUp();

private:
    Scenario m_scenario = eventful();
    std::shared_ptr<const EventLog> m_log = logOf(m_scenario);
    std::shared_ptr<const Workload> m_workload = expandWorkload(m_scenario, 5);
};

void tst_RunUntil::findsWhatTheStatesSay() {
    const auto found = [&](const Breakpoint& until) { return BreakpointWatch(until, 0).look(*m_log, m_log->size()); };
    const JobId b(std::size_t{1});
    for (const int jobs : {1, 2}) {
        const auto expected = firstByState(*m_log, m_workload, [&](const ClusterState& s) {
            return std::count_if(s.jobs().begin(), s.jobs().end(),
                                 [](const JobState& j) { return j.phase == JobPhase::waiting; }) >= jobs;
        });
        QVERIFY(expected);
        QCOMPARE(found({.kind = Breakpoint::Kind::jobsWaiting, .jobs = jobs}), expected);
    }
    QVERIFY(!found({.kind = Breakpoint::Kind::jobsWaiting, .jobs = 5}));
    for (const double loss : {0.9, 0.5}) {
        const auto expected = firstByState(
            *m_log, m_workload, [&](const ClusterState& s) { return s.job(b).hasLoss && s.job(b).lastLoss <= loss; });
        QVERIFY(expected);
        QCOMPARE(found({.kind = Breakpoint::Kind::lossAtMost, .job = b, .loss = loss}), expected);
    }
    QVERIFY(!found({.kind = Breakpoint::Kind::lossAtMost, .job = b, .loss = -1}));
    QCOMPARE(
        found({.kind = Breakpoint::Kind::jobEnded, .job = b}),
        firstByState(*m_log, m_workload, [&](const ClusterState& s) { return s.job(b).phase == JobPhase::finished; }));
    QCOMPARE(found({.kind = Breakpoint::Kind::failure}), firstByState(*m_log, m_workload, [](const ClusterState& s) {
                 return !s.machine(MachineId(std::size_t{1})).up;
             }));
}

void tst_RunUntil::findsTheNextOne() {
    const auto fails = [](const Event& e) { return e.type == EventType::machineFailed; };
    const auto first = firstEvent(*m_log, fails);
    QVERIFY(first);
    const auto second = firstEvent(*m_log, fails, *first + 1);
    QVERIFY(second);
    BreakpointWatch watch({.kind = Breakpoint::Kind::failure}, *first + 1);
    QCOMPARE(watch.look(*m_log, *second), std::optional<std::size_t>()); // in pieces, as the log grows
    QCOMPARE(watch.look(*m_log, m_log->size()), second);
}

void tst_RunUntil::pausesExactlyThere_data() {
    QTest::addColumn<Breakpoint>("until");
    const JobId a(std::size_t{0}), b(std::size_t{1});
    QTest::newRow("job starts") << Breakpoint{.kind = Breakpoint::Kind::jobStarted, .job = b};
    QTest::newRow("job ends") << Breakpoint{.kind = Breakpoint::Kind::jobEnded, .job = b};
    QTest::newRow("loss") << Breakpoint{.kind = Breakpoint::Kind::lossAtMost, .job = a, .loss = 0.5};
    QTest::newRow("jobs wait") << Breakpoint{.kind = Breakpoint::Kind::jobsWaiting, .jobs = 2};
    QTest::newRow("failure") << Breakpoint{.kind = Breakpoint::Kind::failure};
    QTest::newRow("decision") << Breakpoint{.kind = Breakpoint::Kind::decision, .job = b};
}

void tst_RunUntil::pausesExactlyThere() {
    QFETCH(Breakpoint, until);
    const auto at = BreakpointWatch(until, 0).look(*m_log, m_log->size());
    QVERIFY(at);
    RunRequest request = requestFor(m_scenario);
    request.paused = true;
    RunSession session(std::move(request));
    QTRY_VERIFY(session.frame()->status == RunStatus::paused);
    const int number = session.runUntil(until, 0);
    QTRY_COMPARE(session.frame()->reached.number, number);
    QCOMPARE(session.frame()->reached.at, (*m_log)[*at].time);
    QVERIFY(session.frame()->status == RunStatus::paused);
    QCOMPARE(session.frame()->now, (*m_log)[*at].time);
    const auto log = session.log();
    QVERIFY(log->size() > *at);
    for (std::size_t i = *at; i < log->size(); ++i) QCOMPARE((*log)[i].time, (*m_log)[*at].time);
    session.runToEnd();
    session.wait();
    QCOMPARE(session.log()->digest(), m_log->digest());
}

/// No frame shows that it has arrived and still runs. After a pause a frame is due at once: here it arrives before that is shown.
void tst_RunUntil::arrivalAndPauseAreOneFrame() {
    for (int round = 0; round < 5; ++round) {
        RunRequest request = requestFor(m_scenario);
        request.paused = true;
        RunSession session(std::move(request));
        QTRY_VERIFY(session.frame()->status == RunStatus::paused);
        QTest::qSleep(50);
        const int number = session.runUntil({.kind = Breakpoint::Kind::decision, .job = JobId(std::size_t{0})}, 0);
        auto frame = session.frame();
        while (frame->reached.number != number) frame = session.frame();
        QVERIFY2(frame->status == RunStatus::paused, std::to_string(round).c_str());
    }
}

void tst_RunUntil::pausesAtATimeBetweenEvents_data() {
    QTest::addColumn<double>("speed");
    QTest::newRow("as fast as possible") << 0.0;
    QTest::newRow("paced") << 100.0;
}

void tst_RunUntil::pausesAtATimeBetweenEvents() {
    QFETCH(double, speed);
    const SimTime when = SimTime::seconds(1.23456789);
    const std::size_t before = m_log->positionAfter(when);
    QVERIFY(before > 0 && before < m_log->size() && (*m_log)[before - 1].time < when);
    RunRequest request = requestFor(m_scenario);
    request.paused = true;
    RunSession session(std::move(request));
    const int number = session.runUntil({.kind = Breakpoint::Kind::time, .time = when}, 0);
    session.setSpeed(speed);
    QTRY_COMPARE(session.frame()->reached.number, number);
    QTRY_VERIFY(session.frame()->status == RunStatus::paused);
    QCOMPARE(session.frame()->now, when);
    QCOMPARE(session.log()->size(), before);
    session.runToEnd();
    session.wait();
    QCOMPARE(session.log()->digest(), m_log->digest());
}

// The person decides by what is on show; the run may be further already.
void tst_RunUntil::whatHasHappenedMeanwhileCounts() {
    const Breakpoint failure{.kind = Breakpoint::Kind::failure};
    const auto at = BreakpointWatch(failure, 0).look(*m_log, m_log->size());
    RunRequest request = requestFor(m_scenario);
    request.paused = true;
    RunSession session(std::move(request));
    const SimTime later = (*m_log)[*at].time + Duration::seconds(0.3);
    const int first = session.runUntil({.kind = Breakpoint::Kind::time, .time = later}, 0);
    QTRY_COMPARE(session.frame()->reached.number, first);
    const int second = session.runUntil(failure, 0);
    QCOMPARE(second, first + 1);
    QTRY_COMPARE(session.frame()->reached.number, second);
    QCOMPARE(session.frame()->reached.at, (*m_log)[*at].time);
    QCOMPARE(session.frame()->now, later); // the head does not go back
    QVERIFY(session.frame()->status == RunStatus::paused);
}

void tst_RunUntil::runsToItsEndIfItNeverComes() {
    for (const Breakpoint& until : {Breakpoint{.kind = Breakpoint::Kind::jobsWaiting, .jobs = 99},
                                    Breakpoint{.kind = Breakpoint::Kind::time, .time = SimTime::seconds(1e6)}}) {
        RunSession session(requestFor(m_scenario));
        session.runUntil(until, 0);
        session.wait();
        QVERIFY(session.frame()->status == RunStatus::finished);
        QCOMPARE(session.frame()->reached.number, 0);
        QCOMPARE(session.log()->digest(), m_log->digest());
    }
}

void tst_RunUntil::anotherOrderGivesItUp() {
    RunRequest request = requestFor(m_scenario);
    request.paused = true;
    RunSession session(std::move(request));
    session.runUntil({.kind = Breakpoint::Kind::failure}, 0);
    session.pause();
    session.runToEnd();
    session.wait();
    QVERIFY(session.frame()->status == RunStatus::finished); // not held at the failure
}

TRAINYARD_TEST(tst_RunUntil)
#include "tst_RunUntil.moc"
