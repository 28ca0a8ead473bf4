// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The list of problems, and what a double click on one leads to: the entity or the control that it is about.
#include "session/Workspace.h"

#include <QTableView>

namespace trainyard {

class ProblemsModel;

class ProblemsPanel final : public QTableView {
    Q_OBJECT
public:
    explicit ProblemsPanel(Workspace& workspace, QWidget* parent = nullptr);
    const ProblemsModel& problems() const { return *m_problems; }
    /// Asks for the form and the field that the problem is about, or for the policy.
    void jumpTo(const Problem& problem);
    QString emptyText() const; ///< said while there is none

Q_SIGNALS:
    void policyRequested(trainyard::PolicyFamily family);
    void entityRequested(trainyard::EntityRef entity, const std::string& path);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Workspace& m_workspace;
    ProblemsModel* m_problems;
};

} // namespace trainyard
