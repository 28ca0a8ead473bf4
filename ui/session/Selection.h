// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What is selected, everywhere at once: machines, racks, switches or links by key, and at most one job of the
// run; besides, parts of the document that no picture shows (generators, faults, devices) or several jobs of
// it.
#include "base/Ids.h"
#include "scenario/EntityFields.h"

#include <QObject>
#include <QStringList>

namespace trainyard {

class Selection final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    JobId job() const { return m_job; }
    const QStringList& entities() const { return m_entities; } ///< keys of cluster entities, sorted
    /// Of the document, by position; empty unless select() named some. Positions may be stale after edits.
    const std::vector<EntityRef>& parts() const { return m_parts; }
    void selectJob(JobId job);
    void selectEntities(QStringList keys);
    /// All at once.
    void select(QStringList keys, JobId job, std::vector<EntityRef> parts);
    void clear();

Q_SIGNALS:
    void changed();

private:
    JobId m_job;
    QStringList m_entities;
    std::vector<EntityRef> m_parts;
};

} // namespace trainyard
