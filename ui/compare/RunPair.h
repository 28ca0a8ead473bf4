// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Two runs on one time axis: what each has done at the instant shown, what is selected in both, and where they first
// differ. Runs that are only a scenario so far are run first, one after the other. Owned by the tab that shows it.
#include "analysis/FirstDifference.h"
#include "session/BackgroundWork.h"
#include "session/Playback.h"
#include "session/Selection.h"
#include "session/StateFold.h"

#include <array>

namespace trainyard {

class Workspace;

class RunPair final : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t sides = 2;
    /// A run that has ended, or (without a log) a scenario to be run, with its seed, as its mode says.
    using Choice = RunData;

    explicit RunPair(const Workspace& workspace, QObject* parent = nullptr);
    ~RunPair() override;

    /// What is shown stays until both are there.
    void show(Choice first, Choice second);
    /// Runs under way are given up.
    void cancel();
    bool isRunning() const { return m_next < sides; } ///< of what was asked for last, something is still to be run
    double progress() const;                          ///< of all that is to be run, 0 … 1
    bool isShown() const { return run(0).log && run(1).log; }

    const RunData& run(std::size_t side) const { return m_models[side]->current(); }
    TimeAxis& axis() { return m_axis; }
    Playback& playback() { return *m_playback; }
    const Playback& playback() const { return *m_playback; }
    const TimeAxis& axis() const { return m_axis; }
    /// What is selected in that run: entities of the same key and the job of the same key are in the other, too.
    Selection& selection(std::size_t side) { return m_selections[side]; }
    /// At the cursor, or the end; null before both are shown.
    const std::shared_ptr<const ClusterState>& state(std::size_t side) const { return m_states[side]; }
    SimTime end() const; ///< of the longer one
    SimTime shownTime() const { return m_axis.cursor().value_or(end()); }

    enum class Difference { none, looking, same, found };
    Difference difference() const { return m_difference; }
    const std::optional<FirstDifference>& firstDifference() const { return m_first; }
    /// Real time differs from run to run: only the order of what policies did was compared.
    bool isTimed() const;
    void goToDifference();

Q_SIGNALS:
    void shown();      ///< two other runs
    void progressed(); ///< isRunning(), progress()
    void instantChanged();
    void differenceChanged();
    void failed(const QString& why); ///< a run could not be made

private:
    void runNext();
    void take();
    void refreshStates();
    void findDifference();
    void passSelection(std::size_t from);

    std::array<std::unique_ptr<RunModel>, sides> m_models;
    std::unique_ptr<RunModel> m_runner;
    std::array<Choice, sides> m_wanted;
    std::size_t m_next = sides; ///< of m_wanted, that is being run; sides: all are there
    TimeAxis m_axis;
    std::array<Selection, sides> m_selections;
    std::array<StateFold, sides> m_folds;
    std::array<std::shared_ptr<const ClusterState>, sides> m_states;
    std::unique_ptr<Playback> m_playback;
    Difference m_difference = Difference::none;
    std::optional<FirstDifference> m_first;
    int m_search = 0; ///< counts searches: results of an earlier one are of no interest
    bool m_passing = false;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
