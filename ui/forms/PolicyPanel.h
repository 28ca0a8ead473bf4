// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One picker per policy family, with the scenario's variants beneath the policies, and the form of the chosen
// policy. Every change is a command on the document, and so re-runs at once. Families that no job consults
// are disabled and say why.
#include "session/Workspace.h"

#include <QScrollArea>

#include <array>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace trainyard {

class LoadSection;
class ParamForm;

class PolicyPanel final : public QScrollArea {
    Q_OBJECT
public:
    explicit PolicyPanel(Workspace& workspace, QWidget* parent = nullptr);

    QComboBox* picker(PolicyFamily family) const { return m_sections[static_cast<std::size_t>(family)].picker; }
    ParamForm* form(PolicyFamily family) const { return m_sections[static_cast<std::size_t>(family)].form; }
    LoadSection* load() const { return m_load; }

protected:
    bool event(QEvent* event) override;                         ///< keys of its controls are not the window's
    bool eventFilter(QObject* watched, QEvent* event) override; ///< the forms need another width

private:
    struct Section {
        PolicyFamily family = PolicyFamily::scheduler;
        QComboBox* picker = nullptr;
        QLabel* summary = nullptr;
        ParamForm* form = nullptr;
    };
    void addSection(QVBoxLayout* column, PolicyFamily family);
    void fillPicker(Section& section);
    void refresh();
    void refreshSection(Section& section);
    void showProblems();
    /// Why no job asks this family; empty if one does.
    QString whyUnused(PolicyFamily family) const;

    Workspace& m_workspace;
    std::array<Section, 4> m_sections;
    LoadSection* m_load = nullptr;
    ScenarioModel::Gesture m_gesture = 0;
};

} // namespace trainyard
