// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The place Compare: a tab for each way of comparing runs. Its tabs do not know each other; the main window adds it to its places.
#include "session/Workspace.h"

#include <QWidget>

class QTabWidget;

namespace trainyard {

class ClaimsTab;
class ParameterTab;
class PoliciesTab;
class TwoRunsTab;

class ComparePage final : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(Workspace& workspace, QWidget* parent = nullptr);

    /// `id`: "policies", "parameter", "runs", "claims".
    void add(const char* id, const QString& title, QWidget* tab);
    void go(const char* id);
    PoliciesTab& policies() { return *m_policies; }
    ParameterTab& parameter() { return *m_parameter; }
    TwoRunsTab& runs() { return *m_runs; }
    ClaimsTab& claims() { return *m_claims; }

Q_SIGNALS:
    void scenarioWanted(const QString& file); ///< to be opened in the lab

private:
    QTabWidget* m_tabs;
    PoliciesTab* m_policies;
    ParameterTab* m_parameter;
    TwoRunsTab* m_runs;
    ClaimsTab* m_claims;
};

} // namespace trainyard
