// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/EntityForm.h"

#include "forms/ChoiceEditor.h"
#include "forms/FieldRow.h"
#include "forms/FormGroup.h"
#include "forms/FormPreview.h"
#include "theme/CoreText.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace entity_form {

bool isIn(const std::string& path, const std::string& group) {
    return path.size() > group.size() && path.starts_with(group) && path[group.size()] == '/';
}

/// Groups that most people never open.
bool startsFolded(const FieldInfo& group) {
    return group.type == "evaluation" || group.type == "loss-curve" || group.type == "draws";
}

/// Operations are edited together with what depends on them, so that neither loses the other.
void joinGraph(std::vector<FieldInfo>& fields) {
    const auto ofType = [&](const char* type) {
        return std::find_if(fields.begin(), fields.end(), [type](const FieldInfo& field) {
            return field.kind == FieldInfo::Kind::list && field.type == type;
        });
    };
    const auto operations = ofType("operation"), dependencies = ofType("dependencies");
    if (operations == fields.end() || dependencies == fields.end()) return;
    operations->type = "operations with dependencies";
    operations->value = "{\"operations\": " + operations->value + ", \"dependencies\": " + dependencies->value + "}";
    fields.erase(dependencies);
}

/// The field that a path is edited in.
std::string shownAt(const std::string& path) {
    static const std::string dependencies = "/graph/dependencies";
    const std::size_t at = path.find(dependencies);
    return at == std::string::npos ? path : path.substr(0, at) + "/graph/operations";
}

bool havePlaces(const std::vector<EntityRef>& entities) {
    return std::any_of(entities.begin(), entities.end(), [](const EntityRef& entity) {
        return entity.kind == EntityRef::Kind::machine || entity.kind == EntityRef::Kind::switchNode;
    });
}

} // namespace entity_form

EntityForm::EntityForm(ScenarioModel& document, ResourcePaths resources, QWidget* parent)
    : QWidget(parent), m_document(document), m_resources(std::move(resources)), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(8);
    connect(&document, &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes == ScenarioModel::layout && !entity_form::havePlaces(m_entities)) return;
        m_stale = true;
        if (isVisible()) refresh();
    });
    connect(&document, &ScenarioModel::documentReplaced, this, &EntityForm::onReplaced);
    connect(&document, &ScenarioModel::problemsChanged, this, &EntityForm::showProblems);
    connect(&document, &ScenarioModel::refusedWithdrawn, this, [this] {
        for (const Item& item : m_items)
            if (item.row) item.row->withdraw();
        refresh();
    });
}

/// Rows that the new document has as well stay. What they show of it is told by whoever shows the form.
void EntityForm::onReplaced() {
    const auto entities = std::exchange(m_entities, {}); // what is being typed is not for the new ones
    if (QWidget* focus = focusWidget()) focus->clearFocus();
    m_entities = entities;
    for (const Item& item : m_items)
        if (item.row) item.row->withdraw();
    m_stale = true;
}

void EntityForm::show(const std::vector<EntityRef>& entities) {
    if (entities == m_entities && !m_stale) return;
    if (entities != m_entities) {
        if (QWidget* focus = focusWidget()) focus->clearFocus(); // what was being typed is for the old ones
        for (Item& item : m_items)                               // what was typed and refused was about others
            for (QWidget* widget : {static_cast<QWidget*>(item.row), static_cast<QWidget*>(item.group),
                                    static_cast<QWidget*>(item.preview)})
                if (widget) widget->hide(), widget->deleteLater();
        m_items.clear();
    }
    m_entities = entities;
    refresh();
}

void EntityForm::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) refresh();
}

std::vector<EntityForm::Listed> EntityForm::list() const {
    std::vector<Listed> listed;
    const Scenario& s = m_document.scenario();
    for (const EntityRef& entity : m_entities) {
        if (entity.index >= entityCount(s, entity.kind)) continue;
        auto fields = fieldsOf(s, entity);
        entity_form::joinGraph(fields);
        if (listed.empty()) {
            for (FieldInfo& field : fields) {
                const auto hides = [&](const std::string& path) {
                    return field.path == path || entity_form::isIn(field.path, path);
                };
                if (std::any_of(m_hidden.begin(), m_hidden.end(), hides)) continue;
                listed.push_back({field, {field.value}, field.present});
            }
            continue;
        }
        // Only what all have; a group that some lack has no fields, but can be added to all.
        std::map<std::string, const FieldInfo*> byPath;
        for (const FieldInfo& field : fields) byPath.emplace(field.path, &field);
        std::erase_if(listed, [&](Listed& have) {
            const auto other = byPath.find(have.field.path);
            if (other == byPath.end() || other->second->kind != have.field.kind) return true;
            have.values.push_back(other->second->value);
            have.inAll = have.inAll && other->second->present;
            have.field.present = have.field.present || other->second->present;
            return false;
        });
    }
    return listed;
}

void EntityForm::refresh() {
    m_stale = false;
    const auto listed = list();
    const auto same = [](const Item& item, const Listed& now) {
        return item.field.path == now.field.path && item.field.kind == now.field.kind &&
               item.field.type == now.field.type && (item.row || item.field.present == now.field.present);
    };
    if (!std::equal(m_items.begin(), m_items.end(), listed.begin(), listed.end(), same)) rebuild(listed);
    for (std::size_t i = 0; i < listed.size(); ++i) {
        Item& item = m_items[i];
        item.field = listed[i].field;
        if (item.row) item.row->show(item.field, listed[i].values);
        if (item.group) item.group->show(item.field, listed[i].inAll);
        if (item.preview) item.preview->show(m_document.scenario(), m_entities.front());
    }
    arrange();
    showProblems();
    countRefused();
}

/// Keeps what is still shown, with the focus that it may have.
void EntityForm::rebuild(const std::vector<Listed>& listed) {
    std::vector<Item> old = std::move(m_items);
    m_items.clear();
    while (QLayoutItem* item = m_column->takeAt(0)) delete item;
    const auto discard = [](QWidget* widget) {
        if (!widget) return;
        widget->hide();
        widget->deleteLater(); // it may be the one that is talking
    };
    for (const Listed& now : listed) {
        const auto it = std::find_if(old.begin(), old.end(), [&](const Item& item) {
            return item.field.path == now.field.path && item.field.kind == now.field.kind &&
                   item.field.type == now.field.type;
        });
        Item item;
        if (it == old.end()) {
            item = makeItem(now.field);
        } else {
            item = *it;
            old.erase(it);
        }
        if (!item.preview && m_entities.size() == 1) {
            item.preview = makeFormPreview(now.field, m_entities.front().kind, m_resources);
        } else if (item.preview && item.group && !now.field.present) {
            discard(item.preview);
            item.preview = nullptr;
        }
        m_items.push_back(item);
    }
    for (const Item& item : old) {
        discard(item.row);
        discard(item.group);
        discard(item.preview);
    }
    // A group's picture stands beneath the fields of the group.
    std::vector<std::pair<const Item*, int>> waiting;
    const auto put = [this](QWidget* widget, int depth) {
        widget->setContentsMargins(std::max(0, depth) * 12, 0, 0, 0);
        m_column->addWidget(widget);
    };
    const auto flush = [&](const std::string& next) {
        while (!waiting.empty() && !entity_form::isIn(next, waiting.back().first->field.path)) {
            put(waiting.back().first->preview, waiting.back().second + 1);
            waiting.pop_back();
        }
    };
    for (const Item& item : m_items) {
        flush(item.field.path);
        put(item.row ? static_cast<QWidget*>(item.row) : item.group, item.field.depth);
        if (item.preview && item.row) put(item.preview, item.field.depth);
        if (item.preview && item.group) waiting.emplace_back(&item, item.field.depth);
    }
    flush({});
}

EntityForm::Item EntityForm::makeItem(const FieldInfo& field) {
    Item item{.field = field};
    if (field.kind == FieldInfo::Kind::group) {
        item.group = new FormGroup(field, this);
        const auto remembered = m_open.find(field.path);
        item.group->setOpen(remembered == m_open.end() ? !entity_form::startsFolded(field) : remembered->second);
        connect(item.group, &FormGroup::folded, this, [this, group = item.group, path = field.path] {
            m_open[path] = group->isOpen();
            refresh();
        });
        connect(item.group, &FormGroup::edited, this,
                [this](const std::string& path, const std::string& json) { edit(path, json, nullptr); });
        return item;
    }
    const FieldChoices choices{&m_document.registry()};
    item.row = new FieldRow(field, makeFieldEditor(field, choices), this);
    connect(item.row, &FieldRow::edited, this,
            [this, row = item.row](const std::string& path, const std::string& json) { edit(path, json, row); });
    connect(item.row, &FieldRow::dragBegan, this, [this] { m_gesture = m_document.beginGesture(); });
    connect(item.row, &FieldRow::dragEnded, this, [this] { m_gesture = 0; });
    connect(item.row, &FieldRow::refusalChanged, this, &EntityForm::countRefused);
    return item;
}

void EntityForm::countRefused() {
    const auto refused = std::count_if(m_items.begin(), m_items.end(),
                                       [](const Item& item) { return item.row && item.row->isRefused(); });
    m_document.setRefused(this, static_cast<int>(refused));
}

void EntityForm::edit(const std::string& path, const std::string& json, FieldRow* row) {
    if (m_entities.empty()) return;
    const Problems refused = m_document.setField(m_entities, path, json, m_gesture);
    if (refused.empty()) return;
    const QString why = coreText(refused.front().message);
    if (row)
        row->refuse(why);
    else if (FormGroup* group = this->group(path))
        group->setProblem({why});
}

/// What is in a folded group is hidden, with all that is in it.
void EntityForm::arrange() {
    std::vector<std::string> closed;
    for (Item& item : m_items) {
        const bool hidden = std::any_of(closed.begin(), closed.end(), [&](const std::string& group) {
            return entity_form::isIn(item.field.path, group);
        });
        if (item.row) item.row->setVisible(!hidden);
        if (item.group) item.group->setVisible(!hidden);
        const bool folded = item.group && !item.group->isOpen();
        if (item.preview && (hidden || folded))
            item.preview->hide();
        else if (item.preview && item.preview->isHidden() && !item.group)
            item.preview->setVisible(true);
        if (folded) closed.push_back(item.field.path);
    }
}

void EntityForm::showProblems() {
    // Each problem belongs to the innermost field that it lies in.
    FieldProblems found;
    for (const Problem& problem : m_document.problems()) {
        for (const EntityRef& entity : m_entities) {
            const std::string prefix = pointerTo(entity);
            if (!problem.pointer.starts_with(prefix)) continue;
            const std::string rest = problem.pointer.substr(prefix.size());
            if (const Item* item = itemAt(rest)) addProblem(found, item->field.path, problem);
        }
    }
    for (const Item& item : m_items) {
        const FieldProblem problem = problemOf(found, item.field.path);
        if (item.row) item.row->setProblem(problem);
        if (item.group) item.group->setProblem(problem);
    }
}

/// The field, or the innermost one that contains it.
const EntityForm::Item* EntityForm::itemAt(const std::string& path) const {
    const Item* best = nullptr;
    const std::string at = entity_form::shownAt(path);
    for (const Item& item : m_items)
        if (at == item.field.path || entity_form::isIn(at, item.field.path))
            if (!best || item.field.path.size() > best->field.path.size()) best = &item;
    return best;
}

FieldRow* EntityForm::row(const std::string& path) const {
    const Item* item = itemAt(path);
    return item ? item->row : nullptr;
}

FormGroup* EntityForm::group(const std::string& path) const {
    for (const Item& item : m_items)
        if (item.field.path == path) return item.group;
    return nullptr;
}

FormPreview* EntityForm::preview(const std::string& path) const {
    for (const Item& item : m_items)
        if (item.field.path == path) return item.preview;
    return nullptr;
}

QWidget* EntityForm::control(const std::string& path) const {
    const FieldRow* found = row(path);
    return found ? found->editor().controlAt(path) : nullptr;
}

void EntityForm::focusField(const std::string& path) {
    const Item* item = itemAt(path);
    if (!item && !m_items.empty()) item = &m_items.front();
    if (!item) return;
    for (Item& outer : m_items)
        if (outer.group && (entity_form::isIn(item->field.path, outer.field.path) || &outer == item))
            outer.group->setOpen(true);
    arrange();
    QWidget* target = item->row ? item->row->editor().controlAt(path) : item->group;
    target->setFocus(Qt::OtherFocusReason);
    for (QWidget* up = parentWidget(); up; up = up->parentWidget())
        if (auto* area = qobject_cast<QScrollArea*>(up)) {
            QMetaObject::invokeMethod(
                area, [area, target] { area->ensureWidgetVisible(target, 20, 60); }, Qt::QueuedConnection);
            break;
        }
}

} // namespace trainyard
