// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/PolicyPanel.h"

#include "forms/FieldText.h"
#include "forms/FormColumn.h"
#include "forms/LoadSection.h"
#include "forms/ParamForm.h"
#include "theme/CoreText.h"
#include "theme/ElidedComboBox.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace trainyard {

namespace {

/// The schema with the sliders of fields that count workers ending at the most workers of a job.
ParamSchema forScenario(const ParamSchema& schema, const Scenario& scenario) {
    int workers = 2;
    for (const Job* job : jobsAndTemplates(scenario)) workers = std::max(workers, job->workers.maximum);
    std::vector<ParamField> fields = schema.fields();
    for (ParamField& f : fields)
        if (f.amongWorkers) f.usual = workers;
    return ParamSchema(std::move(fields));
}

/// Why fields of a policy change nothing in the scenario, by key.
std::map<std::string, QString> idleFields(const ParamSchema& schema, const Scenario& scenario) {
    const auto jobs = jobsAndTemplates(scenario);
    const auto isFixed = [](const Job* job) { return job->workers.minimum == job->workers.maximum; };
    const auto sendsNone = [](const Job* job) { return job->keyedAccess() || job->kind() == JobKind::graph; };
    const bool allFixed = !jobs.empty() && std::ranges::all_of(jobs, isFixed);
    const bool noGradients = !jobs.empty() && std::ranges::all_of(jobs, sendsNone);
    std::map<std::string, QString> idle;
    for (const ParamField& field : schema.fields()) {
        if (field.scope == ParamScope::elastic && allFixed)
            idle.emplace(field.key, PolicyPanel::tr("Each job here has a fixed number of workers"));
        if (field.scope == ParamScope::gradients && noGradients)
            idle.emplace(field.key, PolicyPanel::tr("Keyed jobs add to their keys: they send no gradients"));
    }
    return idle;
}

constexpr int idRole = Qt::UserRole, variantRole = Qt::UserRole + 1;

QString familyLabel(PolicyFamily family) {
    switch (family) {
    case PolicyFamily::scheduler: return PolicyPanel::tr("Scheduler");
    case PolicyFamily::synchronization: return PolicyPanel::tr("Synchronization");
    case PolicyFamily::parameters: return PolicyPanel::tr("Parameters");
    case PolicyFamily::partitioner: return PolicyPanel::tr("Partitioner");
    }
    return {};
}

QString familyQuestion(PolicyFamily family) {
    switch (family) {
    case PolicyFamily::scheduler:
        return PolicyPanel::tr("Which job gets which workers and servers, on which machines, and when?");
    case PolicyFamily::synchronization:
        return PolicyPanel::tr("Which workers does an iteration wait for, and how much does each compute?");
    case PolicyFamily::parameters: return PolicyPanel::tr("Where does each parameter live, and how is it accessed?");
    case PolicyFamily::partitioner:
        return PolicyPanel::tr("Into how many parts is each operation of a computation graph split?");
    }
    return {};
}

} // namespace

PolicyPanel::PolicyPanel(Workspace& workspace, QWidget* parent) : QScrollArea(parent), m_workspace(workspace) {
    QVBoxLayout* column = makeFormColumn(*this);
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        addSection(column, family);
    column->addStretch(1);
    widget()->installEventFilter(this);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, [this] {
        for (Section& s : m_sections) fillPicker(s);
        refresh();
    });
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes != ScenarioModel::layout) refresh();
    });
    connect(&workspace.document(), &ScenarioModel::problemsChanged, this, &PolicyPanel::showProblems);
    for (Section& s : m_sections) fillPicker(s);
    refresh();
}

bool PolicyPanel::event(QEvent* event) { return claimFormKey(event) || QScrollArea::event(event); }

/// It scrolls up and down only: no narrower than what it holds.
bool PolicyPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        setMinimumWidth(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
    return QScrollArea::eventFilter(watched, event);
}

void PolicyPanel::addSection(QVBoxLayout* column, PolicyFamily family) {
    Section& s = m_sections[static_cast<std::size_t>(family)];
    s.family = family;
    auto* heading = new QLabel(familyLabel(family));
    heading->setProperty("heading", true);
    heading->setToolTip(familyQuestion(family));
    s.picker = new ElidedComboBox;
    s.picker->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    s.picker->setMinimumContentsLength(12);
    s.picker->setMaxVisibleItems(20);
    s.picker->setAccessibleName(familyLabel(family));
    heading->setBuddy(s.picker);
    s.summary = new QLabel;
    s.summary->setWordWrap(true);
    s.summary->setProperty("muted", true);
    s.form = new ParamForm;
    column->addWidget(heading);
    column->addWidget(s.picker);
    column->addWidget(s.summary);
    column->addWidget(s.form);
    column->addSpacing(12);
    if (family == PolicyFamily::scheduler) { // the load it has to cope with
        m_load = new LoadSection(m_workspace.document());
        column->addWidget(m_load);
    }

    ScenarioModel& document = m_workspace.document();
    connect(s.picker, &QComboBox::activated, this, [this, &s, &document](int index) {
        const QVariant variant = s.picker->itemData(index, variantRole);
        const auto& variants = document.scenario().variants;
        if (variant.isValid() && variant.toUInt() < variants.size()) {
            document.choosePolicy(s.family, variants[variant.toUInt()].choice);
        } else if (const std::string id = s.picker->itemData(index, idRole).toString().toStdString();
                   id != document.scenario().policies.of(s.family).id) {
            document.choosePolicy(s.family, {id, {}});
        }
    });
    connect(s.form, &ParamForm::edited, this, [this, family](const std::string& key, const ParamValue& value) {
        m_workspace.document().setPolicyParameter(family, key, value, m_gesture);
    });
    connect(s.form, &ParamForm::dragBegan, this, [this] { m_gesture = m_workspace.document().beginGesture(); });
    connect(s.form, &ParamForm::dragEnded, this, [this] { m_gesture = 0; });
}

void PolicyPanel::fillPicker(Section& s) {
    const QSignalBlocker quiet(s.picker);
    s.picker->clear();
    for (const PolicyInfo* info : m_workspace.registry().list(s.family)) {
        s.picker->addItem(coreText(info->label), QString::fromStdString(info->id));
        s.picker->setItemData(s.picker->count() - 1, coreText(info->summary), Qt::ToolTipRole);
    }
    const auto& variants = m_workspace.document().scenario().variants;
    bool separated = false;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        if (variants[i].family != s.family) continue;
        if (!separated) s.picker->insertSeparator(s.picker->count());
        separated = true;
        const QString title = QString::fromStdString(variants[i].title.empty() ? variants[i].name : variants[i].title);
        s.picker->addItem(title, QString::fromStdString(variants[i].choice.id));
        s.picker->setItemData(s.picker->count() - 1, static_cast<uint>(i), variantRole);
        s.picker->setItemData(s.picker->count() - 1, tr("A variant that this scenario suggests"), Qt::ToolTipRole);
    }
}

/// Why no job goes by the scenario's policy of the family; empty: some do.
QString PolicyPanel::whyUnused(PolicyFamily family) const {
    const auto why = [&](auto&& concerns, Choice Job::*own, const QString& none) {
        bool all = false;
        for (const Job* job : jobsAndTemplates(m_workspace.document().scenario())) {
            if (!concerns(*job)) continue;
            if ((job->*own).id.empty()) return QString();
            all = true;
        }
        return all ? tr("Each job here has one of its own") : none;
    };
    switch (family) {
    case PolicyFamily::scheduler: {
        const Scenario& scenario = m_workspace.document().scenario();
        const auto jobs = jobsAndTemplates(scenario);
        const bool allAtOnce = !jobs.empty() && std::ranges::all_of(jobs, [&](const Job* job) {
            return isAdmittedAtOnce(*job, scenario.cluster);
        });
        return allAtOnce ? tr("All jobs here are admitted or blocked when they arrive") : QString();
    }
    case PolicyFamily::synchronization:
        return why([](const Job& j) { return j.kind() != JobKind::graph; }, &Job::synchronization,
                   tr("No job here trains in iterations"));
    case PolicyFamily::parameters:
        return why([](const Job& j) { return j.kind() == JobKind::trained || j.keyedAccess(); }, &Job::parameters,
                   tr("No job here has real parameters or keys"));
    case PolicyFamily::partitioner:
        return why([](const Job& j) { return j.kind() == JobKind::graph; }, &Job::partitioner,
                   tr("No job here has a computation graph"));
    }
    return {};
}

void PolicyPanel::refresh() {
    for (Section& s : m_sections) refreshSection(s);
    m_load->refresh();
    showProblems();
}

void PolicyPanel::refreshSection(Section& s) {
    const Choice& choice = m_workspace.document().scenario().policies.of(s.family);
    const PolicyInfo* info = m_workspace.registry().find(s.family, choice.id);
    const QSignalBlocker quiet(s.picker);
    s.picker->setCurrentIndex(s.picker->findData(QString::fromStdString(choice.id), idRole));
    const QString unused = whyUnused(s.family);
    s.picker->setEnabled(unused.isEmpty());
    s.form->setVisible(unused.isEmpty() && info && !info->schema.fields().empty());
    QString tip = familyQuestion(s.family);
    if (info && !info->source.empty())
        tip += QStringLiteral("<br>") + tr("After %1").arg(QString::fromStdString(info->source).toHtmlEscaped());
    s.picker->setToolTip(unused.isEmpty() ? tip : unused);
    if (!unused.isEmpty())
        s.summary->setText(unused);
    else if (info)
        s.summary->setText(coreText(info->summary));
    else
        s.summary->setText(tr("There is no policy “%1”").arg(QString::fromStdString(choice.id)));
    if (!info) return s.form->setIdle({});
    s.form->show(forScenario(info->schema, m_workspace.document().scenario()),
                 info->schema.complete(choice.parameters));
    s.form->setIdle(idleFields(info->schema, m_workspace.document().scenario()));
}

void PolicyPanel::showProblems() {
    for (const Section& s : m_sections) {
        const std::string place = "/policies/" + std::string(familyName(s.family)) + "/parameters/";
        FieldProblems found;
        for (const Problem& problem : m_workspace.document().problems())
            if (problem.pointer.starts_with(place)) addProblem(found, problem.pointer.substr(place.size()), problem);
        s.form->showProblems(found);
    }
}

} // namespace trainyard
