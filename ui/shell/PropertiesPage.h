// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The inspector's first page: the form of what is selected, or of the scenario itself. Where several kinds
// are selected, a picker says which of them is edited. Follows a rename: what was selected stays selected
// under its new id.
#include "session/Workspace.h"

#include <QScrollArea>

class QComboBox;
class QLabel;
class QToolButton;

namespace trainyard {

class EntityForm;

class PropertiesPage final : public QScrollArea {
    Q_OBJECT
public:
    explicit PropertiesPage(Workspace& workspace, QWidget* parent = nullptr);

    EntityForm& form() const { return *m_form; }
    QString title() const;
    /// Selects the entity and puts the keyboard into the field; an empty path: the first.
    void jumpTo(EntityRef entity, const std::string& path);

protected:
    bool event(QEvent* event) override;

private:
    void refresh();
    void onEdited();
    void showEntities(const std::vector<EntityRef>& entities);
    QWidget* makeButtons();
    void makeAddMenu();

    Workspace& m_workspace;
    QLabel *m_title, *m_note, *m_clusterTitle;
    QComboBox* m_kinds;
    QToolButton *m_add, *m_duplicate, *m_delete, *m_fault;
    EntityForm *m_form, *m_cluster;
    std::vector<std::vector<EntityRef>> m_groups;
    std::vector<EntityRef> m_shown;
    std::vector<std::string> m_keys; ///< of m_shown
    std::size_t m_count = 0;         ///< of m_shown's kind in the document
    JobId m_lastJob;
    QStringList m_lastEntities;
    EntityRef::Kind m_wanted = EntityRef::Kind::settings;
};

} // namespace trainyard
