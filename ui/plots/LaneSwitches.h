// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the user can set about the Gantt: a row per machine or per job. Puts the switch into the lane and tells when it has changed.
// Owned by the lanes' column.
#include <QObject>

class QAction;

namespace trainyard {

class Lane;
struct LaneInput;

class LaneSwitches final : public QObject {
    Q_OBJECT
public:
    LaneSwitches(Lane& gantt, QObject* parent);

    void applyTo(LaneInput& input) const;
    bool byJob() const;
    void setByJob(bool byJob);

Q_SIGNALS:
    void changed();

private:
    QAction* m_byJob;
};

} // namespace trainyard
