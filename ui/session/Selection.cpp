// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Selection.h"

namespace trainyard {

void Selection::selectJob(JobId job) { select(m_entities, job, {}); }

void Selection::selectEntities(QStringList keys) { select(std::move(keys), m_job, {}); }

void Selection::select(QStringList keys, JobId job, std::vector<EntityRef> parts) {
    keys.sort();
    if (m_job == job && m_entities == keys && m_parts == parts) return;
    m_job = job;
    m_entities = std::move(keys);
    m_parts = std::move(parts);
    Q_EMIT changed();
}

void Selection::clear() { select({}, {}, {}); }

} // namespace trainyard
