// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// All fields of one part of the scenario, or of several of one kind at once, as a form made from their
// description (scenario/EntityFields.h). Every edit is one step on the document's undo stack, and sets all
// entities shown; a drag is one step. What is out of range stays, marked, with the reason beneath it.
#include "analysis/TrainingChoices.h"
#include "session/ScenarioModel.h"

#include <QWidget>

#include <set>

class QVBoxLayout;

namespace trainyard {

class FieldRow;
class FormGroup;
class FormPreview;

class EntityForm final : public QWidget {
    Q_OBJECT
public:
    EntityForm(ScenarioModel& document, ResourcePaths resources, QWidget* parent = nullptr);

    using QWidget::show;
    /// Of one kind, and all there. Empty: an empty form.
    void show(const std::vector<EntityRef>& entities);
    const std::vector<EntityRef>& entities() const { return m_entities; }
    /// Leaves out these fields (and what is in them).
    void hideFields(std::set<std::string> paths) { m_hidden = std::move(paths); }

    FieldRow* row(const std::string& path) const;
    FormGroup* group(const std::string& path) const;
    FormPreview* preview(const std::string& path) const;
    /// What is typed into; null if there is no such field now.
    QWidget* control(const std::string& path) const;
    /// Opens what it is folded into, puts the keyboard there and scrolls to it. The nearest field if there is
    /// none.
    void focusField(const std::string& path);

private:
    struct Item {
        FieldInfo field;
        FieldRow* row = nullptr;
        FormGroup* group = nullptr;
        FormPreview* preview = nullptr;
    };
    struct Listed {
        FieldInfo field;
        std::vector<std::string> values; ///< per entity
        bool inAll = true;               ///< present in all, for groups
    };
    std::vector<Listed> list() const;
    void onReplaced();
    void refresh();
    void rebuild(const std::vector<Listed>& listed);
    Item makeItem(const FieldInfo& field);
    void arrange();
    void countRefused();
    void showProblems();
    void edit(const std::string& path, const std::string& json, FieldRow* row);
    const Item* itemAt(const std::string& path) const;

    ScenarioModel& m_document;
    ResourcePaths m_resources;
    std::vector<EntityRef> m_entities;
    std::vector<Item> m_items;
    std::set<std::string> m_hidden;
    std::map<std::string, bool> m_open; ///< groups that were folded or unfolded by hand
    QVBoxLayout* m_column;
    ScenarioModel::Gesture m_gesture = 0;
    bool m_stale = false; ///< hidden while the document changed
    void showEvent(QShowEvent* event) override;
};

} // namespace trainyard
