// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Play, pause, step, speed: one meaning for a run that is being computed and for one that is looked at again.
// While the run is live at its head, commands go to the session; when it has ended, or the time axis was
// scrubbed back, they move the cursor through the log instead. Each command says why it is not possible now.
// Called by the transport bar and the menus.
#include "session/RunModel.h"
#include "session/TimeAxis.h"

#include <QElapsedTimer>

namespace trainyard {

class Playback final : public QObject {
    Q_OBJECT
public:
    Playback(RunModel& runs, TimeAxis& axis, QObject* parent = nullptr);

    static constexpr double slowest = 0.01, fastest = 1e5; ///< simulated seconds per real second
    static constexpr double unlimited = 0;

    bool isPlaying() const; ///< time moves, live or again
    bool isReplaying() const { return m_replaying; }
    bool isRushing() const { return m_rushing; } ///< to the end or to a condition, at no speed that was asked for
    double speed() const { return m_speed; }
    /// At which a run of that length takes a time on screen that a person has.
    static double speedFor(double seconds);
    /// 0 = as fast as possible. By the user: the speed is no longer fitted to the length of the run.
    void setSpeed(double simulatedPerReal);
    /// Instead of what the user chose: what the scenario states; nullopt: the next run has the speed of its own length.
    void takeStatedSpeed(std::optional<double> simulatedPerReal);
    std::optional<double> statedSpeed() const { return m_statedSpeed; }

    void toggle() { isPlaying() ? pause() : play(); }
    void play();
    void pause();
    void step(StepKind kind);
    void stepBack(StepKind kind);
    void toStart();
    void toEnd();
    /// As fast as possible to the next instant at which it is so: while the run goes on, and when it is looked
    /// at again. There time is held, with the cursor on it; untilOver() tells. A run that ends without it
    /// stays at its end.
    void runUntil(const Breakpoint& until);
    /// What time goes on for until it is so; null = nothing.
    const Breakpoint* waitingFor() const { return m_until ? &m_until->until() : nullptr; }
    /// Time goes on to the end of the later of the two, and steps stop at events of either. Of runs that have ended.
    void setCompanion(const RunModel& other) { m_other = &other; }
    /// Goes on playing from an instant of the new run that has just been started (after a change of policy).
    void resumeAt(SimTime t, bool playing);

    /// The run on show is not that of the document, which cannot run: time stands until `why` is empty again.
    /// Looking back stays possible.
    void setBlocked(const QString& why);
    /// Why there is nothing to play, step or run to; empty if there is.
    QString whyNotPlay() const;
    QString whyNotStep() const;
    QString whyNotBack() const;

Q_SIGNALS:
    void changed();
    /// It came about and time is held at the cursor, or it never did and the run is at its end.
    void untilOver(const trainyard::Breakpoint& until, bool reached);

private:
    bool atLiveHead() const; ///< commands go to the session
    SimTime head() const;
    void setReplaying(bool on);
    void tick();
    void onFrame();
    void fitSpeedTo(const Frame& frame);
    /// Looks for what is waited for in the log, as far as it has come.
    void lookForUntil();
    void endUntil(std::optional<SimTime> reached);

    RunModel& m_runs;
    const RunModel* m_other = nullptr;
    TimeAxis& m_axis;
    QTimer m_timer;
    QString m_blocked;
    QElapsedTimer m_clock, m_sinceStart;
    double m_speed = 1, m_position = 0; ///< seconds of the cursor while replaying
    std::optional<double> m_statedSpeed;
    bool m_replaying = false, m_fitsSpeed = true, m_settingCursor = false;
    bool m_rushing = false; ///< told to run to the end: the speed is not to be touched
    RunStatus m_status = RunStatus::preparing;
    std::optional<BreakpointWatch> m_until; ///< what time goes on for
    int m_untilNumber = 0;                  ///< as the session knows it; 0: looked for here, in the log
};

} // namespace trainyard
