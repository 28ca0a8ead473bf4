// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Playback.h"

#include "base/RoundSteps.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

bool matchesStep(const Event& e, StepKind kind) {
    switch (kind) {
    case StepKind::event: return true;
    case StepKind::iteration: return e.type == EventType::updateApplied;
    case StepKind::decision: return e.type == EventType::decision;
    }
    return false;
}

SimTime endOf(const RunModel& runs) {
    if (const auto frame = runs.latestFrame()) return frame->now;
    const auto& log = runs.current().log;
    return log && log->size() > 0 ? (*log)[log->size() - 1].time : SimTime{};
}

/// The first event of that kind later than t.
std::optional<SimTime> nextStep(const RunModel* runs, SimTime t, StepKind kind) {
    if (!runs || !runs->current().log) return std::nullopt;
    const EventLog& log = *runs->current().log;
    for (std::size_t i = log.positionAfter(t); i < log.size(); ++i)
        if (matchesStep(log[i], kind)) return log[i].time;
    return std::nullopt;
}

std::optional<SimTime> stepBefore(const RunModel* runs, SimTime t, StepKind kind) {
    if (!runs || !runs->current().log) return std::nullopt;
    const EventLog& log = *runs->current().log;
    for (std::size_t i = log.positionAfter(t); i-- > 0;)
        if (log[i].time < t && matchesStep(log[i], kind)) return log[i].time;
    return std::nullopt;
}

constexpr double wantedLengthSeconds = 40; // of a whole run on screen, while the speed fits itself

} // namespace

Playback::Playback(RunModel& runs, TimeAxis& axis, QObject* parent) : QObject(parent), m_runs(runs), m_axis(axis) {
    m_timer.setInterval(16);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Playback::tick);
    connect(&runs, &RunModel::runStarted, this, [this] {
        setReplaying(false);
        m_until.reset();
        m_rushing = false;
        m_status = RunStatus::preparing;
        m_sinceStart.start();
        Q_EMIT changed();
    });
    connect(&runs, &RunModel::frame, this, &Playback::onFrame);
    connect(&axis, &TimeAxis::cursorChanged, this, [this] {
        if (m_settingCursor) return;
        if (m_axis.cursor())
            m_position = m_axis.cursor()->toSeconds(); // scrubbed: replaying goes on from there
        else
            setReplaying(false);
        Q_EMIT changed();
    });
}

SimTime Playback::head() const { return m_other ? std::max(endOf(m_runs), endOf(*m_other)) : endOf(m_runs); }

bool Playback::atLiveHead() const { return m_runs.session() && m_runs.current().running && !m_axis.cursor(); }

bool Playback::isPlaying() const {
    return m_replaying || (atLiveHead() && (m_status == RunStatus::running || m_status == RunStatus::preparing));
}

void Playback::onFrame() {
    const auto frame = m_runs.latestFrame();
    if (!frame) return;
    if (m_fitsSpeed && !m_rushing && m_speed > 0 && frame->status == RunStatus::running && m_runs.session() &&
        m_runs.session()->request().mode == RunMode::simulate && m_runs.session()->request().speed > 0 &&
        (m_sinceStart.elapsed() > 400 || frame->progress > 0.1)) // else a very short run would be over unseen
        fitSpeedTo(*frame);
    if (m_until) {
        const bool ended = frame->status == RunStatus::finished || frame->status == RunStatus::failed ||
                           frame->status == RunStatus::stopped;
        if (m_untilNumber == 0)
            lookForUntil();
        else if (frame->reached.number == m_untilNumber)
            endUntil(frame->reached.at);
        else if (ended)
            endUntil(std::nullopt);
    }
    if (m_status == frame->status) return;
    m_status = frame->status;
    Q_EMIT changed();
}

/// So that a whole run takes a time on screen that a person has.
void Playback::fitSpeedTo(const Frame& frame) {
    const double now = frame.now.toSeconds();
    double wanted = m_speed;
    if (frame.progress > 0.002 && now > 0)
        wanted = now / frame.progress / wantedLengthSeconds;
    else if (m_sinceStart.elapsed() > 1500)
        wanted = m_speed * 10;
    if (wanted <= 2 * m_speed && wanted >= m_speed / 2) return;
    m_speed = std::clamp(nearestRound(wanted), slowest, fastest);
    m_runs.session()->setSpeed(m_speed);
    m_sinceStart.restart();
    Q_EMIT changed();
}

double Playback::speedFor(double seconds) {
    return seconds > 0 ? std::clamp(nearestRound(seconds / wantedLengthSeconds), slowest, fastest) : 1;
}

void Playback::setSpeed(double simulatedPerReal) {
    m_fitsSpeed = m_rushing = false;
    m_speed = simulatedPerReal <= 0 ? unlimited : std::clamp(simulatedPerReal, slowest, fastest);
    if (atLiveHead()) m_runs.session()->setSpeed(m_speed);
    Q_EMIT changed();
}

void Playback::takeStatedSpeed(std::optional<double> simulatedPerReal) {
    m_statedSpeed = simulatedPerReal;
    setSpeed(simulatedPerReal.value_or(1));
    m_fitsSpeed = !simulatedPerReal;
}

void Playback::setReplaying(bool on) {
    if (m_replaying == on) return;
    m_replaying = on;
    if (on) {
        m_position = m_axis.cursor().value_or(head()).toSeconds();
        m_clock.start();
        m_timer.start();
    } else {
        m_timer.stop();
    }
}

void Playback::tick() {
    const double elapsed = static_cast<double>(m_clock.nsecsElapsed()) * 1e-9;
    m_clock.restart();
    const double end = head().toSeconds();
    const bool computing = m_runs.session() && m_runs.current().running && m_runs.session()->request().speed == 0;
    if (computing && m_position >= end) return; // the new run has not come this far yet
    m_position = m_speed > 0 ? m_position + elapsed * m_speed : end;
    const bool arrived = m_position >= end;
    m_settingCursor = true;
    m_axis.setCursor(arrived ? std::nullopt : std::optional(SimTime::seconds(m_position)));
    m_settingCursor = false;
    if (!arrived) return;
    setReplaying(false);
    Q_EMIT changed();
}

void Playback::play() {
    if (!whyNotPlay().isEmpty()) return;
    m_until.reset();
    if (atLiveHead()) {
        m_runs.session()->resume();
        m_status = RunStatus::running;
    } else {
        if (!m_axis.cursor()) m_axis.setCursor(SimTime{}); // at the end: once more from the start
        setReplaying(true);
    }
    Q_EMIT changed();
}

void Playback::pause() {
    setReplaying(false);
    m_until.reset();
    if (atLiveHead()) {
        m_runs.session()->pause();
        m_rushing = false;
        m_status = RunStatus::paused;
    }
    Q_EMIT changed();
}

void Playback::step(StepKind kind) {
    if (!whyNotStep().isEmpty()) return;
    setReplaying(false);
    m_until.reset();
    if (atLiveHead()) {
        m_runs.session()->step(kind);
        m_status = RunStatus::paused;
        Q_EMIT changed();
        return;
    }
    const SimTime now = m_axis.cursor().value_or(head());
    const auto here = nextStep(&m_runs, now, kind), there = nextStep(m_other, now, kind);
    m_axis.setCursor(here && there ? std::min(*here, *there) : here ? here : there);
}

void Playback::stepBack(StepKind kind) {
    if (!whyNotBack().isEmpty()) return;
    if (atLiveHead()) pause();
    setReplaying(false);
    const SimTime now = m_axis.cursor().value_or(head());
    const auto here = stepBefore(&m_runs, now, kind), there = stepBefore(m_other, now, kind);
    m_axis.setCursor(here && there ? std::max(*here, *there) : here ? *here : there.value_or(SimTime{}));
}

void Playback::toStart() {
    if (!whyNotBack().isEmpty()) return;
    if (atLiveHead()) pause();
    setReplaying(false);
    m_axis.setCursor(SimTime{});
    Q_EMIT changed();
}

void Playback::toEnd() {
    setReplaying(false);
    m_until.reset();
    m_axis.setCursor(std::nullopt);
    if (m_runs.session() && m_runs.current().running) {
        m_runs.session()->runToEnd();
        m_rushing = true;
        m_status = RunStatus::running;
    }
    Q_EMIT changed();
}

void Playback::runUntil(const Breakpoint& until) {
    if (!whyNotPlay().isEmpty()) return;
    setReplaying(false);
    const auto& log = m_runs.current().log;
    const SimTime now = m_axis.cursor().value_or(head());
    const std::size_t from = log ? log->positionAfter(now) : 0;
    m_until.emplace(until, from);
    m_untilNumber = 0;
    if (until.kind == Breakpoint::Kind::time && until.time <= head()) return endUntil(until.time); // back, too
    const bool running = m_runs.session() && m_runs.current().running;
    if (running && m_runs.session()->request().mode == RunMode::simulate) {
        m_axis.setCursor(std::nullopt);
        m_untilNumber = m_runs.session()->runUntil(until, from);
        m_rushing = true;
        m_status = RunStatus::running;
        Q_EMIT changed();
        return;
    }
    if (running) m_axis.setCursor(std::nullopt);
    lookForUntil();
    Q_EMIT changed();
}

void Playback::lookForUntil() {
    const auto& log = m_runs.current().log;
    if (m_until->until().kind == Breakpoint::Kind::time && m_until->until().time <= head())
        return endUntil(m_until->until().time);
    const auto found = log ? m_until->look(*log, log->size()) : std::nullopt;
    if (found) return endUntil((*log)[*found].time);
    if (!m_runs.current().running) endUntil(std::nullopt);
}

/// An execution cannot be held: it goes on, and the cursor stays where it was wanted.
void Playback::endUntil(std::optional<SimTime> reached) {
    const Breakpoint until = m_until->until();
    if (m_untilNumber == 0 && atLiveHead() && m_runs.session()->request().mode == RunMode::simulate)
        m_runs.session()->pause();
    m_until.reset();
    m_rushing = false;
    const auto frame = m_runs.latestFrame();
    const bool atPausedHead = reached && frame && frame->status == RunStatus::paused && *reached == frame->now;
    m_axis.setCursor(atPausedHead ? std::nullopt : reached);
    if (atPausedHead) m_status = RunStatus::paused;
    Q_EMIT changed();
    Q_EMIT untilOver(until, reached.has_value());
}

void Playback::resumeAt(SimTime t, bool playing) {
    m_axis.setCursor(t);
    m_position = t.toSeconds();
    setReplaying(playing);
    m_position = t.toSeconds();
    Q_EMIT changed();
}

void Playback::setBlocked(const QString& why) {
    if (m_blocked == why) return;
    if (!why.isEmpty() && isPlaying()) pause();
    m_blocked = why;
    Q_EMIT changed();
}

QString Playback::whyNotPlay() const {
    if (!m_blocked.isEmpty()) return m_blocked;
    if (m_runs.current().id == 0) return tr("Nothing to play: there is no scenario, or it has problems");
    if (!m_runs.session() && !m_runs.current().log) return tr("The run has recorded nothing");
    if (m_status == RunStatus::failed && head() == SimTime{}) return tr("The run could not start; see Problems");
    return {};
}

QString Playback::whyNotStep() const {
    if (const QString why = whyNotPlay(); !why.isEmpty()) return why;
    if (atLiveHead() && m_runs.session()->request().mode == RunMode::execute)
        return tr("A run on real threads cannot be paused: Cancel ends it");
    if (!atLiveHead() && !m_axis.cursor())
        return m_runs.current().cutShort ? tr("The run was stopped here; Restart runs it from the beginning")
                                         : tr("This is the end of the run");
    return {};
}

QString Playback::whyNotBack() const {
    if (const QString why = whyNotPlay(); m_blocked.isEmpty() && !why.isEmpty()) return why;
    if (!m_runs.current().log) return tr("The run has not begun yet");
    if (m_axis.cursor().value_or(head()) == SimTime{}) return tr("This is the start of the run");
    return {};
}

} // namespace trainyard
