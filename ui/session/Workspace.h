// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What one window works on: the document, its runs, the time axis, the selection and the playback, and the
// rules between them: an edit re-runs, the state shown is that at the cursor, unsaved work goes to the
// journal. Pages and panels get the Workspace and never know each other. Lives as long as its window.
#include "session/Bookmarks.h"
#include "session/Histories.h"
#include "session/InteractionMonitor.h"
#include "session/Journal.h"
#include "session/Outcome.h"
#include "session/Playback.h"
#include "session/Preferences.h"
#include "session/RunModel.h"
#include "session/ScenarioModel.h"
#include "session/Selection.h"
#include "session/ShownRuns.h"
#include "session/StateFold.h"
#include "session/TimeAxis.h"

#include <QElapsedTimer>

namespace trainyard {

class Workspace final : public QObject {
    Q_OBJECT
public:
    /// journalDirectory empty: no crash recovery (tests, scripts).
    Workspace(std::shared_ptr<const Registry> registry, ResourcePaths resources, const QString& journalDirectory = {},
              QObject* parent = nullptr);
    ~Workspace() override;

    ScenarioModel& document() { return m_document; }
    RunModel& runs() { return m_runs; }
    const ShownRuns& shownRuns() const { return m_shownRuns; }
    ShownRuns& shownRuns() { return m_shownRuns; }
    const Outcome& outcome() const { return m_outcome; }
    TimeAxis& axis() { return m_axis; }
    Selection& selection() { return m_selection; }
    const ScenarioModel& document() const { return m_document; }
    const RunModel& runs() const { return m_runs; }
    const Selection& selection() const { return m_selection; }
    Histories& histories() { return m_histories; }
    InteractionMonitor& interaction() { return m_interaction; }
    Playback& playback() { return m_playback; }
    Bookmarks& bookmarks() { return m_bookmarks; }
    Preferences& preferences() { return m_preferences; }
    const Registry& registry() const { return m_document.registry(); }
    const ResourcePaths& resources() const { return m_resources; }

    /// Opens the file and starts playing; false if it has problems (the open document and its run stay).
    bool open(const QString& path);
    /// Puts a new document without a file in place, and plays it if there is something to play.
    void create(Scenario scenario);
    /// Takes a scenario that came with a figure or a record, as an unsaved document, and repeats its run.
    void repeat(Scenario scenario, std::vector<Command> commands);
    /// Runs the document from the start, live at the playback's speed.
    void restart();

    /// Why the document as it is now cannot run; empty if it can. Known as soon as a run was tried.
    const QString& whyNotRun() const { return m_whyNotRun; }
    /// The job, or the generator of jobs, of the document that the selected job of the run comes from.
    std::optional<EntityRef> selectedJob() const;

    /// The state at the cursor, or the latest; null before the first frame.
    std::shared_ptr<const ClusterState> shownState() const { return m_shown; }
    SimTime shownTime() const;
    /// Of the document and of the run.
    Problems problems() const;
    /// "fastest-k (k 3), seed 7": how a run of the document is called.
    static QString runLabel(const Scenario& scenario);

    /// Why changes would not outlive a crash (a full disk); empty: they would. It is tried again, again and again.
    const QString& whyNotKept() const { return m_whyNotKept; }
    QList<Journal::Entry> leftBehind() const;
    /// Opens the recovered document as a modified one.
    bool recover(const Journal::Entry& entry);

Q_SIGNALS:
    void shownChanged(); ///< shownState() or shownTime()
    void problemsChanged();
    void keptChanged(); ///< whyNotKept()

private:
    void onEdited(ScenarioModel::Changes changes, int gesture);
    void start(std::vector<Command> commands, bool isRepeat = false);
    void rerun();
    bool mayRun();
    void reselectJob();
    void refreshShown();
    bool writeJournal(); ///< false: the document is not in the journal
    void journalSoon();
    void applyPreferences();

    ResourcePaths m_resources;
    Preferences m_preferences;
    ScenarioModel m_document;
    RunModel m_runs;
    Outcome m_outcome{m_runs};
    TimeAxis m_axis;
    Selection m_selection;
    Histories m_histories;
    InteractionMonitor m_interaction;
    ShownRuns m_shownRuns{m_runs, &m_interaction};
    Playback m_playback;
    Bookmarks m_bookmarks;
    StateFold m_fold;
    std::shared_ptr<const ClusterState> m_shown;
    QString m_journalDirectory, m_whyNotKept, m_whyNotRun;
    std::string m_selectedKey; ///< of the job to select when the new run is there
    bool m_playsWhenMended = false;
    std::unique_ptr<Journal> m_journal;
    QTimer m_rerunSoon, m_journalSoon;
    QElapsedTimer m_runClock;
    qint64 m_lastRunMilliseconds = 0;
    int m_editGesture = 0, m_runGesture = 0;
};

} // namespace trainyard
