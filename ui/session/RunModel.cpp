// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/RunModel.h"

#include "run/files/RunRecord.h"
#include "session/BackgroundWork.h"
#include "session/RecordedRun.h"

#include <QPointer>

namespace trainyard {

namespace {

bool hasEnded(const Frame& frame) {
    return frame.status == RunStatus::finished || frame.status == RunStatus::failed ||
           frame.status == RunStatus::stopped;
}

/// A run that ended, but not by coming to its end.
std::optional<Problem> cutShort(const Frame& frame) {
    if (!hasEnded(frame) || frame.status == RunStatus::finished) return std::nullopt;
    for (const Problem& problem : frame.problems)
        if (problem.severity == Severity::error) return problem;
    return Problem{.code = "stopped", .message = {TRAINYARD_TEXT("stopped"), {}}};
}

} // namespace

RunModel::RunModel(std::shared_ptr<const Registry> registry, ResourcePaths resources, QObject* parent)
    : QObject(parent), m_registry(std::move(registry)), m_resources(std::move(resources)) {
    m_timer.setInterval(16);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &RunModel::poll);
}

RunModel::~RunModel() = default;

void RunModel::retireCurrent(bool keepGhost) {
    const bool live = m_session && m_frame && !hasEnded(*m_frame);
    if (keepGhost || !m_current.log) {
        m_session.reset();
        return;
    }
    m_ghostSession.reset();
    m_ghostFrame.reset();
    m_current.running = false;
    if (live && m_session->request().mode == RunMode::simulate) {
        m_session->runToEnd();
        m_ghostSession = std::move(m_session);
        m_current.running = true;
    }
    m_session.reset(); // stops and joins; its log lives on
    m_earlier.push_back(std::move(m_current));
    forgetOldest();
}

void RunModel::setMostEarlier(std::size_t runs) {
    m_mostEarlier = runs;
    forgetOldest();
}

/// But never the one that views compare with by choice.
void RunModel::forgetOldest() {
    const auto isChosen = [this](const RunData& run) {
        return m_ghostChoice == Ghost::chosen && run.id == m_chosenGhost;
    };
    for (auto run = m_earlier.begin(); m_earlier.size() > m_mostEarlier && run != m_earlier.end();)
        run = isChosen(*run) ? run + 1 : m_earlier.erase(run);
}

const RunData* RunModel::ghost() const {
    if (m_ghostChoice == Ghost::before) return m_earlier.empty() ? nullptr : &m_earlier.back();
    if (m_ghostChoice == Ghost::none) return nullptr;
    for (const auto* runs : {&m_earlier, &m_opened})
        for (const RunData& run : *runs)
            if (run.id == m_chosenGhost) return &run;
    return nullptr;
}

void RunModel::compareWith(Ghost choice) {
    m_ghostChoice = choice;
    forgetOldest();
    Q_EMIT ghostChanged();
}

void RunModel::compareWith(RunId run) {
    m_chosenGhost = run;
    compareWith(Ghost::chosen);
}

void RunModel::compareWithRecord(const QString& directory) {
    BackgroundWork::shared().start(
        [self = QPointer<RunModel>(this), directory](const std::stop_token&) -> BackgroundWork::Result {
            auto record = readRecord(directory.toStdString());
            if (!record) {
                const QString why = QString::fromStdString(record.problems().front().text());
                return [self, why] {
                    if (self) Q_EMIT self->recordRefused(why);
                };
            }
            return [self, run = recordedRun(record.value())] {
                if (self) self->addOpened(run); // else the window has gone meanwhile
            };
        });
}

void RunModel::addOpened(RunData run) {
    run.id = m_nextId++;
    run.resources = m_resources.root;
    m_opened.push_back(std::move(run));
    compareWith(m_opened.back().id);
}

void RunModel::start(std::shared_ptr<const Scenario> scenario, const QString& label, const StartOptions& options) {
    RunRequest request{.scenario = scenario,
                       .registry = m_registry,
                       .resources = m_resources,
                       .seed = scenario->seed,
                       .mode = scenario->mode,
                       .paused = options.paused,
                       .speed = options.speed,
                       .commands = options.commands};
    retireCurrent(options.keepGhost);
    m_frame.reset();
    m_current = {.id = m_nextId++,
                 .label = label,
                 .scenario = std::move(scenario),
                 .seed = request.seed,
                 .running = true,
                 .mode = request.mode,
                 .resources = m_resources.root};
    m_session = std::make_unique<RunSession>(std::move(request));
    m_timer.start();
    Q_EMIT runStarted();
}

void RunModel::show(RunData data) {
    m_session.reset();
    m_ghostSession.reset();
    m_timer.stop();
    m_frame.reset();
    data.id = m_nextId++;
    m_current = std::move(data);
    Q_EMIT runStarted();
    Q_EMIT frame();
}

RunSession* RunModel::session() const { return m_session.get(); }
const RunData& RunModel::current() const { return m_current; }
const std::vector<RunData>& RunModel::earlier() const { return m_earlier; }
std::shared_ptr<const Frame> RunModel::latestFrame() const { return m_frame; }

void RunModel::forgetEarlier() {
    m_ghostSession.reset();
    m_earlier.clear();
    m_opened.clear();
    compareWith(Ghost::before);
}

std::shared_ptr<const ClusterState> RunModel::stateAt(SimTime t) const {
    if (m_session) return m_session->stateAt(t);
    if (!m_current.log || !m_current.workload) return nullptr;
    auto state = std::make_shared<ClusterState>(m_current.workload);
    const std::size_t end = m_current.log->positionAfter(t);
    for (std::size_t i = 0; i < end; ++i) state->apply((*m_current.log)[i]);
    return state;
}

bool RunModel::pollGhost() {
    if (!m_ghostSession) return false;
    auto latest = m_ghostSession->frame();
    if (!latest || latest == m_ghostFrame) return false;
    m_ghostFrame = std::move(latest);
    if (hasEnded(*m_ghostFrame)) {
        m_ghostSession.reset();
        if (!m_earlier.empty()) {
            m_earlier.back().running = false;
            m_earlier.back().cutShort = cutShort(*m_ghostFrame);
        }
    }
    return true;
}

void RunModel::poll() {
    const bool ghostGrew = pollGhost();
    auto latest = m_session ? m_session->frame() : nullptr;
    const bool isNew = latest && latest != m_frame;
    if (isNew) {
        m_frame = std::move(latest);
        if (!m_current.log) {
            m_current.log = m_session->log();
            m_current.workload = m_session->workload();
            m_current.explanations = m_session->explanations();
        }
        m_current.running = !hasEnded(*m_frame);
        m_current.cutShort = cutShort(*m_frame);
    }
    if (isNew || ghostGrew) Q_EMIT frame();
    if (isNew && !m_current.running) Q_EMIT runEnded();
    // Nothing more can come of an ended run: the window is then idle.
    if ((!m_session || !m_current.running) && !m_ghostSession) m_timer.stop();
}

} // namespace trainyard
