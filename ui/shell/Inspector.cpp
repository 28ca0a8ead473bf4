// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/Inspector.h"

#include "analysis/KeyReason.h"
#include "shell/InspectorText.h"
#include "shell/PropertiesPage.h"
#include "tables/JobsModel.h"
#include "theme/CoreText.h"
#include "theme/LinkLabel.h"

#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

Inspector::Inspector(Workspace& workspace, QWidget* parent) : QTabWidget(parent), m_workspace(workspace) {
    setDocumentMode(true);
    m_properties = new PropertiesPage(workspace);
    addTab(m_properties, tr("Properties"));
    m_now = addPage(tr("Now"));
    m_why = addPage(tr("Why here?"));
    auto* why = static_cast<QScrollArea*>(widget(2));
    auto* column = new QWidget;
    column->setProperty("panel", true);
    auto* rows = new QVBoxLayout(column);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(why->takeWidget());
    rows->addWidget(makeKeyLine());
    rows->addStretch(1);
    why->setWidget(column);
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

LinkLabel* Inspector::addPage(const QString& title) {
    auto* label = new LinkLabel;
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setMargin(12);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                   Qt::LinksAccessibleByKeyboard);
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
    const InspectorSubject subject{m_workspace.selection().job(), m_workspace.selection().entities(),
                                   showsTheEnd(m_workspace)};
    switch (currentIndex()) {
    case 0: break; // the form follows by itself
    case 1:
        if (const auto state = m_workspace.shownState())
            m_now->setHtml(inspectorNow(*state, m_workspace.shownTime(), subject));
        else
            m_now->setHtml(tr("Nothing runs yet."));
        break;
    default: refreshWhy();
    }
}

void Inspector::refreshWhy() {
    const InspectorSubject subject{m_workspace.selection().job(), m_workspace.selection().entities()};
    const auto& run = m_workspace.runs().current();
    if (run.scenario && run.scenario->explanations == WhyLevel::off)
        m_why->setHtml(tr("This run records no explanations: they are turned off in the scenario, as in all imported "
                          "traces. <a href=\"on\">Turn on</a>"));
    else
        m_why->setHtml(inspectorWhy(run.explanations.get(), run.workload.get(), m_workspace.shownState().get(),
                                    m_workspace.shownTime(), subject));
    const JobId job = keyedJob();
    m_keyLine->setVisible(job.valid());
    if (!job.valid()) return;
    const auto keys = m_workspace.shownRuns().current()->workload().job(job).keyedAccess()->keys;
    m_rank->setMaximum(static_cast<int>(std::min<std::int64_t>(keys, 1'000'000'000)));
    if (const QString text = whyKey(job); m_whyKey->text() != text) m_whyKey->setText(text);
}

QWidget* Inspector::makeKeyLine() {
    m_keyLine = new QWidget;
    auto* rows = new QVBoxLayout(m_keyLine);
    rows->setContentsMargins(12, 0, 12, 12);
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("Key of rank"));
    m_rank = new QSpinBox;
    m_rank->setObjectName(QStringLiteral("rankOfKey"));
    m_rank->setMinimum(1);
    m_rank->setAccessibleName(tr("Rank of a key"));
    m_rank->setToolTip(tr("The key, by how often it is drawn, of which it is told why it is where it is.<br>"
                          "1: the most frequent"));
    label->setBuddy(m_rank);
    line->addWidget(label);
    line->addWidget(m_rank, 1);
    rows->addLayout(line);
    m_whyKey = new QLabel;
    m_whyKey->setObjectName(QStringLiteral("whyKey"));
    m_whyKey->setTextFormat(Qt::RichText);
    m_whyKey->setWordWrap(true);
    m_whyKey->setTextInteractionFlags(Qt::TextSelectableByMouse);
    rows->addWidget(m_whyKey);
    connect(m_rank, &QSpinBox::valueChanged, this, &Inspector::refresh);
    m_keyLine->hide();
    return m_keyLine;
}

JobId Inspector::keyedJob() const {
    const ShownIndex* run = m_workspace.shownRuns().current();
    if (!run) return {};
    const auto& jobs = run->workload().jobs;
    JobId job = m_workspace.selection().job();
    if (!job.valid() && jobs.size() == 1) job = JobId(std::size_t{0});
    return job.valid() && job.index() < jobs.size() && jobs[job.index()].keyedAccess() ? job : JobId();
}

QString Inspector::whyKey(JobId job) const {
    const ShownIndex& run = *m_workspace.shownRuns().current();
    const auto reason = keyReason(run, job, static_cast<std::uint64_t>(m_rank->value()), m_workspace.shownTime());
    if (!reason) return tr("The policy of its parameters is not known.");
    QString html;
    for (const Text& each : reason->text(run, job)) {
        QString sentence = coreText(each);
        if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
        html += QStringLiteral("<p style='margin:0 0 4px 0'>%1.</p>").arg(sentence.toHtmlEscaped());
    }
    return html;
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
