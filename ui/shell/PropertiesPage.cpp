// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/PropertiesPage.h"

#include "forms/EntityForm.h"
#include "forms/FieldText.h"
#include "forms/FormColumn.h"
#include "session/EntityNames.h"
#include "session/NewElements.h"
#include "theme/TimeText.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace properties_page {

bool isWhole(EntityRef::Kind kind) { return kind == EntityRef::Kind::settings || kind == EntityRef::Kind::cluster; }

} // namespace properties_page

PropertiesPage::PropertiesPage(Workspace& workspace, QWidget* parent)
    : QScrollArea(parent), m_workspace(workspace), m_title(new QLabel), m_note(new QLabel), m_clusterTitle(new QLabel),
      m_kinds(new QComboBox), m_add(new QToolButton), m_duplicate(new QToolButton), m_delete(new QToolButton),
      m_fault(new QToolButton), m_form(new EntityForm(workspace.document(), workspace.resources())),
      m_cluster(new EntityForm(workspace.document(), workspace.resources())) {
    QVBoxLayout* column = makeFormColumn(*this, {12, 10, 8, 12}, 8);
    m_title->setProperty("title", true);
    m_title->setWordWrap(true);
    m_note->setProperty("muted", true);
    m_note->setWordWrap(true);
    m_clusterTitle->setProperty("title", true);
    m_clusterTitle->setText(tr("Cluster"));
    m_clusterTitle->setContentsMargins(0, 12, 0, 0);
    m_kinds->setAccessibleName(tr("Which of the selected items"));
    m_kinds->setToolTip(tr("Items of several kinds are selected; this is the kind that the form edits"));
    column->addWidget(m_title);
    column->addWidget(m_kinds);
    column->addWidget(makeButtons());
    m_fault->setProperty("framed", true);
    m_fault->setText(tr("Add failure now"));
    m_fault->setToolTip(tr("Adds a fault at the instant shown"));
    column->addWidget(m_fault);
    column->addWidget(m_note);
    column->addWidget(m_form);
    column->addWidget(m_clusterTitle);
    column->addWidget(m_cluster);
    column->addStretch(1);
    // What tests expect of a scenario, and policies, which have their own panel.
    m_form->hideFields({"/policies", "/expect"});

    connect(m_kinds, &QComboBox::activated, this, [this](int index) {
        m_wanted = m_groups[static_cast<std::size_t>(index)].front().kind;
        refresh();
    });
    connect(&workspace.selection(), &Selection::changed, this, &PropertiesPage::refresh);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes != ScenarioModel::layout) onEdited(); // places are the form's
    });
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &PropertiesPage::refresh);
    refresh();
}

QWidget* PropertiesPage::makeButtons() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    const auto add = [&](QToolButton* button, const QString& text, const QString& help) {
        button->setText(text);
        button->setProperty("framed", true);
        button->setToolTip(help);
        row->addWidget(button);
    };
    add(m_add, tr("Add"), tr("Adds a job, a generator of jobs, a fault or a part of the cluster"));
    add(m_duplicate, tr("Duplicate"), tr("Adds a copy under a new id"));
    add(m_delete, tr("Delete"), tr("Removes it from the scenario; undo restores it"));
    row->addStretch(1);
    makeAddMenu();
    connect(m_duplicate, &QToolButton::clicked, this,
            [this] { selectEntities(m_workspace, duplicateElements(m_workspace.document(), m_shown)); });
    connect(m_delete, &QToolButton::clicked, this, [this] {
        const auto gone = m_shown;
        m_workspace.selection().clear();
        m_workspace.document().removeElements(gone);
    });
    connect(m_fault, &QToolButton::clicked, this, [this] {
        const std::string key = keyOf(m_workspace.document().scenario(), m_shown.front());
        jumpTo(addFault(m_workspace.document(), key, m_workspace.shownTime().toSeconds()), "/at_s");
    });
    return bar;
}

void PropertiesPage::makeAddMenu() {
    auto* menu = new QMenu(m_add);
    m_add->setMenu(menu);
    m_add->setPopupMode(QToolButton::InstantPopup);
    for (const JobKindText& kind : jobKinds())
        menu->addAction(tr("%1: %2").arg(QLatin1Char('&') + kind.name, kind.sentence), this,
                        [this, kind = kind.kind] { jumpTo(addJob(m_workspace.document(), kind), {}); });
    menu->addSeparator();
    const auto element = [&](const QString& text, EntityRef::Kind kind) {
        menu->addAction(text, this, [this, kind] { jumpTo(addElement(m_workspace.document(), kind), {}); });
    };
    element(tr("Generator of &Jobs"), EntityRef::Kind::generator);
    element(tr("&Fault"), EntityRef::Kind::fault);
    menu->addSeparator();
    element(tr("&Machine"), EntityRef::Kind::machine);
    element(tr("&Switch"), EntityRef::Kind::switchNode);
    element(tr("&Link"), EntityRef::Kind::link);
    element(tr("&Rack"), EntityRef::Kind::rack);
    element(tr("&Device"), EntityRef::Kind::device);
}

bool PropertiesPage::event(QEvent* event) { return claimFormKey(event) || QScrollArea::event(event); }

QString PropertiesPage::title() const { return m_title->text(); }

void PropertiesPage::refresh() {
    const Selection& selection = m_workspace.selection();
    m_groups = selectedEntities(m_workspace);
    // What was clicked last is what is meant.
    if (selection.job() != m_lastJob && selection.job().valid())
        m_wanted = EntityRef::Kind::job;
    else if (selection.entities() != m_lastEntities && !m_groups.empty())
        m_wanted = m_groups.front().front().kind;
    m_lastJob = selection.job();
    m_lastEntities = selection.entities();
    std::vector<EntityRef> shown{{EntityRef::Kind::settings, 0}};
    int at = 0;
    if (!m_groups.empty()) {
        auto it = std::find_if(m_groups.begin(), m_groups.end(),
                               [&](const auto& group) { return group.front().kind == m_wanted; });
        if (it == m_groups.end()) it = m_groups.begin();
        at = static_cast<int>(it - m_groups.begin());
        shown = *it;
    }
    const QSignalBlocker quiet(m_kinds);
    m_kinds->clear();
    for (const auto& group : m_groups) m_kinds->addItem(entityTitle(m_workspace.document().scenario(), group));
    m_kinds->setCurrentIndex(at);
    m_kinds->setVisible(m_groups.size() > 1);
    showEntities(shown);
}

void PropertiesPage::showEntities(const std::vector<EntityRef>& entities) {
    const Scenario& s = m_workspace.document().scenario();
    m_shown = entities;
    m_keys.clear();
    for (const EntityRef& entity : entities) m_keys.push_back(keyOf(s, entity));
    const auto kind = entities.front().kind;
    m_count = entityCount(s, kind);
    const bool whole = properties_page::isWhole(kind);
    m_title->setText(entityTitle(s, entities));
    m_title->setVisible(m_groups.size() < 2);
    m_add->setVisible(whole);
    m_duplicate->setVisible(!whole);
    m_delete->setVisible(!whole);
    m_fault->setVisible(entities.size() == 1 && (kind == EntityRef::Kind::machine || kind == EntityRef::Kind::link));
    QString note;
    if (kind == EntityRef::Kind::generator && m_workspace.selection().job().valid())
        note = tr("The selected job is one of those that this generator makes.");
    m_note->setText(note);
    m_note->setVisible(!note.isEmpty());
    m_clusterTitle->setVisible(whole);
    m_cluster->setVisible(whole);
    m_form->show(entities);
    m_cluster->show(whole ? std::vector<EntityRef>{{EntityRef::Kind::cluster, 0}} : std::vector<EntityRef>{});
}

void PropertiesPage::onEdited() {
    const Scenario& s = m_workspace.document().scenario();
    const bool sameNumber = !m_shown.empty() && entityCount(s, m_shown.front().kind) == m_count;
    if (sameNumber && !properties_page::isWhole(m_shown.front().kind)) {
        std::vector<std::string> keys;
        for (const EntityRef& entity : m_shown) keys.push_back(keyOf(s, entity));
        if (keys != m_keys) return selectEntities(m_workspace, std::vector<EntityRef>(m_shown));
        m_title->setText(entityTitle(s, m_shown));
        return; // the form follows by itself
    }
    refresh();
}

void PropertiesPage::jumpTo(EntityRef entity, const std::string& path) {
    if (properties_page::isWhole(entity.kind)) {
        m_workspace.selection().clear();
    } else {
        m_wanted = entity.kind;
        selectEntities(m_workspace, {entity});
    }
    refresh();
    EntityForm* form = entity.kind == EntityRef::Kind::cluster ? m_cluster : m_form;
    form->focusField(path);
}

} // namespace trainyard
