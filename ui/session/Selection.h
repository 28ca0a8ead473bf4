#pragma once
// What is selected, everywhere at once: machines, racks, switches or links by key, and at most one job.
#include "base/Ids.h"

#include <QObject>
#include <QStringList>

namespace trainyard {

class Selection final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    JobId job() const { return m_job; }
    const QStringList& entities() const { return m_entities; } ///< keys of cluster entities, sorted
    void selectJob(JobId job);
    void selectEntities(QStringList keys);
    void clear();

Q_SIGNALS:
    void changed();

private:
    JobId m_job;
    QStringList m_entities;
};

} // namespace trainyard
