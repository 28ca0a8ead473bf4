// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/Inspector.h"

#include "shell/InspectorText.h"
#include "shell/PropertiesPage.h"

#include <QEvent>
#include <QLabel>
#include <QScrollArea>

namespace trainyard {

Inspector::Inspector(Workspace& workspace, QWidget* parent) : QTabWidget(parent), m_workspace(workspace) {
    setDocumentMode(true);
    m_properties = new PropertiesPage(workspace);
    addTab(m_properties, tr("Properties"));
    m_now = addPage(tr("Now"));
    m_why = addPage(tr("Why here?"));
    m_why->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                   Qt::LinksAccessibleByKeyboard);
    connect(m_why, &QLabel::linkActivated, this, [this] { // of what was not recorded
        m_workspace.document().change(tr("Turn on explanations"),
                                      [](Scenario& s) { s.explanations = WhyLevel::decisions; });
    });
    m_soon.setSingleShot(true);
    m_soon.setInterval(120);
    connect(&m_soon, &QTimer::timeout, this, &Inspector::refresh);
    const auto later = [this] {
        if (!m_soon.isActive()) m_soon.start();
    };
    connect(&workspace, &Workspace::shownChanged, this, later);
    connect(&workspace.document(), &ScenarioModel::edited, this, later);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, later);
    connect(&workspace.selection(), &Selection::changed, this, &Inspector::refresh);
    connect(this, &QTabWidget::currentChanged, this, &Inspector::refresh);
    refresh();
}

QLabel* Inspector::addPage(const QString& title) {
    auto* label = new QLabel;
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setMargin(12);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setProperty("panel", true);
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setAccessibleName(title); // arrows scroll it
    area->setWidget(label);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    addTab(area, title);
    return label;
}

void Inspector::refresh() {
    const InspectorSubject subject{m_workspace.selection().job(), m_workspace.selection().entities()};
    const auto& run = m_workspace.runs().current();
    const auto put = [](QLabel* label, const QString& text) {
        if (label->text() != text) label->setText(text);
    };
    switch (currentIndex()) {
    case 0: break; // the form follows by itself
    case 1:
        if (const auto state = m_workspace.shownState())
            put(m_now, inspectorNow(*state, m_workspace.shownTime(), subject));
        else
            put(m_now, tr("Nothing runs yet."));
        break;
    default:
        if (run.scenario && run.scenario->explanations == WhyLevel::off)
            put(m_why, tr("This run records no explanations: they are turned off in the scenario, as in all imported "
                          "traces. <a href=\"on\">Turn on</a>"));
        else
            put(m_why, inspectorWhy(run.explanations.get(), run.workload.get(), m_workspace.shownState().get(),
                                    m_workspace.shownTime(), subject));
        break;
    }
}

void Inspector::jumpTo(EntityRef entity, const std::string& path) {
    setCurrentWidget(m_properties);
    m_properties->jumpTo(entity, path);
}

void Inspector::changeEvent(QEvent* event) {
    QTabWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) m_soon.start();
}

} // namespace trainyard
