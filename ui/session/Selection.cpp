#include "session/Selection.h"

namespace trainyard {

void Selection::selectJob(JobId job) {
    if (m_job == job) return;
    m_job = job;
    Q_EMIT changed();
}

void Selection::selectEntities(QStringList keys) {
    keys.sort();
    if (m_entities == keys) return;
    m_entities = std::move(keys);
    Q_EMIT changed();
}

void Selection::clear() {
    if (!m_job.valid() && m_entities.isEmpty()) return;
    m_job = {};
    m_entities.clear();
    Q_EMIT changed();
}

} // namespace trainyard
