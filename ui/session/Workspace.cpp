// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Workspace.h"

#include "session/ChoiceText.h"
#include "session/Templates.h"
#include "theme/CoreText.h"

#include <algorithm>
#include <utility>

namespace trainyard {

Workspace::Workspace(std::shared_ptr<const Registry> registry, ResourcePaths resources, const QString& journalDirectory,
                     QObject* parent)
    : QObject(parent), m_resources(resources), m_document(registry), m_runs(registry, std::move(resources)),
      m_playback(m_runs, m_axis), m_bookmarks(m_document, m_axis, m_playback), m_journalDirectory(journalDirectory) {
    if (!journalDirectory.isEmpty()) m_journal = std::make_unique<Journal>(journalDirectory);
    m_rerunSoon.setSingleShot(true);
    m_journalSoon.setSingleShot(true);
    connect(&m_rerunSoon, &QTimer::timeout, this, &Workspace::rerun);
    connect(&m_journalSoon, &QTimer::timeout, this, &Workspace::writeJournal);
    connect(&m_document, &ScenarioModel::edited, this, &Workspace::onEdited);
    connect(&m_document, &ScenarioModel::fileChanged, &m_journalSoon, [this] { // not after it is gone
        if (m_document.isModified()) {
            journalSoon();
        } else {
            m_journalSoon.stop();
            writeJournal();
        }
    });
    connect(&m_document, &ScenarioModel::problemsChanged, this, &Workspace::problemsChanged);
    connect(&m_document, &ScenarioModel::documentReplaced, this, [this] {
        m_selection.clear();
        m_selectedKey.clear();
        m_whyNotRun.clear();
        m_playback.setBlocked({});
        m_playback.takeStatedSpeed(m_document.scenario().playbackSpeed);
    });
    connect(&m_selection, &Selection::changed, this, [this] { m_selectedKey.clear(); });
    connect(&m_axis, &TimeAxis::cursorChanged, this, &Workspace::refreshShown);
    connect(&m_runs, &RunModel::runStarted, this, [this] {
        m_runClock.start();
        refreshShown();
        Q_EMIT problemsChanged();
    });
    connect(&m_runs, &RunModel::frame, this, [this] {
        reselectJob();
        refreshShown();
    });
    connect(&m_runs, &RunModel::runEnded, this, [this] {
        m_lastRunMilliseconds = m_runClock.elapsed();
        Q_EMIT problemsChanged();
    });
    connect(&m_preferences, &Preferences::changed, this, &Workspace::applyPreferences);
    connect(&m_document, &ScenarioModel::documentReplaced, this, &Workspace::applyPreferences);
    applyPreferences();
}

Workspace::~Workspace() = default;

bool Workspace::open(const QString& path) {
    if (!m_document.open(path, isShippedScenario(path, m_resources))) return false;
    m_runs.forgetEarlier();
    restart();
    m_runs.forgetEarlier(); // another document's run is no ghost of this one
    return true;
}

void Workspace::create(Scenario scenario) {
    const bool runs = !scenario.cluster.machines.empty();
    m_document.replace(std::move(scenario), {}, false);
    m_runs.forgetEarlier();
    if (runs) {
        restart();
    } else {
        m_rerunSoon.stop();
        m_axis.setFitting(true);
        m_axis.setCursor(std::nullopt);
        m_runs.show({});
    }
    m_runs.forgetEarlier();
}

void Workspace::repeat(Scenario scenario, std::vector<Command> commands) {
    m_document.replace(std::move(scenario), {}, false); // the file that it came from still has it
    m_runs.forgetEarlier();
    start(std::move(commands));
    m_runs.forgetEarlier();
}

void Workspace::restart() {
    // The same run once more is nothing to compare with.
    const auto& run = m_runs.current();
    start({},
          run.scenario && m_document.scenario().mode == RunMode::simulate && *run.scenario == m_document.scenario());
}

void Workspace::start(std::vector<Command> commands, bool isRepeat) {
    m_rerunSoon.stop();
    m_axis.setFitting(true);
    m_axis.setCursor(std::nullopt);
    const bool may = mayRun();
    m_playsWhenMended = false;
    m_playback.setBlocked(m_whyNotRun);
    if (!may) return;
    m_editGesture = m_runGesture = 0;
    m_runs.start(m_document.share(), runLabel(m_document.scenario()),
                 {.speed = m_playback.speed(), .commands = std::move(commands), .keepGhost = isRepeat});
}

void Workspace::onEdited(ScenarioModel::Changes changes, int gesture) {
    journalSoon();
    if (const auto& stated = m_document.scenario().playbackSpeed; stated != m_playback.statedSpeed())
        m_playback.takeStatedSpeed(stated);
    if (!ScenarioModel::changesRun(changes)) return;
    m_editGesture = gesture;
    // A small scenario follows the slider; one that takes long waits until the slider rests.
    const auto pause = m_lastRunMilliseconds < 60 ? qint64{0} : std::min<qint64>(m_lastRunMilliseconds, 400);
    m_rerunSoon.start(static_cast<int>(pause));
}

void Workspace::rerun() {
    if (const auto job = selectedJob()) // ids of jobs follow their arrivals, which the edit may have changed
        m_selectedKey = job->kind == EntityRef::Kind::job ? m_document.scenario().jobs[job->index].key
                                                          : m_runs.current().workload->job(m_selection.job()).key;
    const bool waited = std::exchange(m_playsWhenMended, false);
    if (!mayRun()) {
        m_playsWhenMended = waited || m_playback.isPlaying();
        m_playback.setBlocked(m_whyNotRun);
        return;
    }
    m_playback.setBlocked({});
    const bool sameDrag = m_editGesture != 0 && m_editGesture == m_runGesture;
    m_runGesture = m_editGesture;
    const bool live = m_document.scenario().mode == RunMode::execute || m_runs.current().id == 0;
    const bool playing = waited || m_playback.isPlaying();
    const SimTime instant = shownTime();
    const bool wasAtEnd = !m_axis.cursor() && !m_runs.current().running;
    m_runs.start(m_document.share(), runLabel(m_document.scenario()),
                 {.speed = live ? m_playback.speed() : 0, .keepGhost = sameDrag});
    if (live || wasAtEnd)
        m_axis.setCursor(std::nullopt);
    else
        m_playback.resumeAt(instant,
                            playing); // the new run is there as a whole; time goes on from the same instant
}

bool Workspace::mayRun() {
    const bool may = m_document.validate();
    m_whyNotRun.clear();
    if (!may)
        for (const Problem& problem : m_document.problems())
            if (problem.severity == Severity::error) {
                m_whyNotRun = tr("The scenario cannot run: %1 %2")
                                  .arg(QString::fromStdString(problem.pointer), coreText(problem.message));
                break;
            }
    return may;
}

void Workspace::reselectJob() {
    const auto& workload = m_runs.current().workload;
    if (m_selectedKey.empty() || !workload) return;
    const std::string key = std::exchange(m_selectedKey, {});
    for (std::size_t j = 0; j < workload->jobs.size(); ++j)
        if (workload->jobs[j].key == key)
            return m_selection.select(m_selection.entities(), JobId(j), m_selection.parts());
}

std::optional<EntityRef> Workspace::selectedJob() const {
    const RunData& run = m_runs.current();
    const JobId id = m_selection.job();
    const Scenario& now = m_document.scenario();
    if (!run.workload || !id.valid() || id.index() >= run.workload->jobs.size()) return std::nullopt;
    const std::string& key = run.workload->job(id).key;
    const auto named = [&](const auto& items) {
        std::optional<std::size_t> found;
        for (std::size_t i = 0; i < items.size() && !found; ++i)
            if (items[i].key == key) found = i;
        return found;
    };
    if (const auto index = named(now.jobs)) return EntityRef{EntityRef::Kind::job, *index};
    // Renamed since the run began: it kept its place.
    if (run.scenario && run.scenario->jobs.size() == now.jobs.size())
        if (const auto index = named(run.scenario->jobs)) return EntityRef{EntityRef::Kind::job, *index};
    for (std::size_t g = 0; g < now.generators.size(); ++g)
        if (key.starts_with(now.generators[g].key + "-")) return EntityRef{EntityRef::Kind::generator, g};
    return std::nullopt;
}

void Workspace::refreshShown() {
    m_shown = m_fold.at(m_axis.cursor(), m_runs);
    Q_EMIT shownChanged();
}

SimTime Workspace::shownTime() const {
    if (m_axis.cursor()) return *m_axis.cursor();
    if (const auto frame = m_runs.latestFrame()) return frame->now;
    return m_shown ? m_shown->now() : SimTime{};
}

Problems Workspace::problems() const {
    Problems all = m_document.problems();
    if (const auto frame = m_runs.latestFrame()) all.insert(all.end(), frame->problems.begin(), frame->problems.end());
    return all;
}

QString Workspace::runLabel(const Scenario& scenario) {
    static const Registry registry = Registry::builtin();
    const auto text = [&](PolicyFamily family) { return choiceText(registry, family, scenario.policies.of(family)); };
    return tr("%1 · %2 · seed %3")
        .arg(text(PolicyFamily::scheduler), text(PolicyFamily::synchronization))
        .arg(scenario.seed);
}

void Workspace::applyPreferences() {
    m_runs.setMostEarlier(static_cast<std::size_t>(m_preferences.ghostRuns()));
    m_document.setUndoLimit(m_preferences.undoLimit());
    if (m_journalSoon.isActive()) {
        m_journalSoon.stop();
        journalSoon();
    }
}

/// Edits in quick succession are written once; a drag does not put it off.
void Workspace::journalSoon() {
    constexpr int atOnce = 100; // milliseconds
    if (!m_journalSoon.isActive()) m_journalSoon.start(std::max(atOnce, m_preferences.autosaveSeconds() * 1000));
}

bool Workspace::writeJournal() {
    if (!m_journal) return false;
    Problems problems;
    if (m_document.isModified()) {
        const std::string text = writeScenario(m_document.scenario());
        problems = m_journal->write(m_document.filePath(),
                                    QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())));
    } else {
        m_journal->clear();
    }
    constexpr int again = 2000; // milliseconds
    if (!problems.empty()) m_journalSoon.start(again);
    const QString why = problems.empty() ? QString() : coreText(problems.front().message);
    if (std::exchange(m_whyNotKept, why) != why) Q_EMIT keptChanged();
    return problems.empty();
}

QList<Journal::Entry> Workspace::leftBehind() const {
    return m_journalDirectory.isEmpty() ? QList<Journal::Entry>{} : Journal::leftBehind(m_journalDirectory);
}

bool Workspace::recover(const Journal::Entry& entry) {
    const std::string_view text(entry.text.constData(), static_cast<std::size_t>(entry.text.size()));
    auto loaded = parseDraft(text, entry.documentPath.toStdString());
    if (!loaded.ok()) return false;
    m_document.replace(std::move(loaded->scenario), entry.documentPath, true);
    if (writeJournal()) Journal::discard(entry.journal); // ours now: only then may the old journal go
    restart();
    m_runs.forgetEarlier();
    return true;
}

} // namespace trainyard
