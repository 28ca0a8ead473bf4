#include "session/RunModel.h"

namespace trainyard {

RunModel::RunModel(std::shared_ptr<const Registry> registry, ResourcePaths resources, QObject* parent)
    : QObject(parent), m_registry(std::move(registry)), m_resources(std::move(resources)) {
    m_timer.setInterval(16);
    connect(&m_timer, &QTimer::timeout, this, &RunModel::poll);
}

RunModel::~RunModel() = default;

void RunModel::start(std::shared_ptr<const Scenario> scenario, const QString& label, bool paused) {
    RunRequest request{.scenario = scenario, .registry = m_registry, .resources = m_resources, .seed = scenario->seed,
                       .mode = scenario->mode, .paused = paused};
    m_session.reset(); // stops and joins the previous one; its log lives on in the library
    if (m_current.log) {
        m_current.running = false;
        m_earlier.push_back(std::move(m_current));
    }
    m_frame.reset();
    m_current = {.id = m_nextId++, .label = label, .scenario = std::move(scenario), .seed = request.seed, .running = true};
    m_session = std::make_unique<RunSession>(std::move(request));
    m_timer.start();
    Q_EMIT runStarted();
}

void RunModel::show(RunData data) {
    m_session.reset();
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
void RunModel::forgetEarlier() { m_earlier.clear(); }
std::shared_ptr<const Frame> RunModel::latestFrame() const { return m_frame; }

std::shared_ptr<const ClusterState> RunModel::stateAt(SimTime t) const {
    return m_session ? m_session->stateAt(t) : nullptr;
}

std::vector<Explanation> RunModel::explanations() const {
    return m_session ? m_session->explanations(0) : std::vector<Explanation>{};
}

void RunModel::poll() {
    if (!m_session) return;
    auto latest = m_session->frame();
    if (!latest || latest == m_frame) return;
    m_frame = std::move(latest);
    if (!m_current.log) {
        m_current.log = m_session->log();
        m_current.workload = m_session->workload();
    }
    const bool ended = m_frame->status == RunStatus::finished || m_frame->status == RunStatus::failed ||
                       m_frame->status == RunStatus::stopped;
    if (ended) {
        m_timer.stop();
        m_current.running = false;
    }
    Q_EMIT frame();
    if (ended) Q_EMIT runEnded();
}

} // namespace trainyard
