// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The menu that says which other run the current one is compared with: the one before, an earlier one, one
// opened from its record, or none. Stands in the Run menu and in the menu of the loss lane.
#include <QMenu>

namespace trainyard {

class RunModel;

class CompareMenu final : public QMenu {
    Q_OBJECT
public:
    CompareMenu(RunModel& run, QWidget* parent);

private:
    void fill();
    void openRecord();

    RunModel& m_run;
};

} // namespace trainyard
