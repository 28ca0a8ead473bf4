// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "transport/RunUntilDialog.h"

#include "theme/Theme.h"

#include <QComboBox>
#include <QCompleter>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace trainyard {

namespace run_until_dialog {

constexpr double mostSeconds = 1e9;

bool asksForJob(Breakpoint::Kind kind) {
    return kind == Breakpoint::Kind::jobStarted || kind == Breakpoint::Kind::jobEnded ||
           kind == Breakpoint::Kind::lossAtMost || kind == Breakpoint::Kind::decision;
}

} // namespace run_until_dialog

RunUntilDialog::RunUntilDialog(Workspace& workspace, QWidget* parent)
    : QDialog(parent), m_workspace(workspace), m_kind(new QComboBox), m_job(new QComboBox),
      m_seconds(new QDoubleSpinBox), m_loss(new QDoubleSpinBox), m_jobs(new QSpinBox),
      m_jobLabel(new QLabel(tr("&Job"))), m_valueLabel(new QLabel), m_note(new QLabel),
      m_go(new QPushButton(tr("&Run"))) {
    setWindowTitle(tr("Run Until"));
    const std::pair<Breakpoint::Kind, QString> kinds[] = {{Breakpoint::Kind::time, tr("a time")},
                                                          {Breakpoint::Kind::jobStarted, tr("a job starts")},
                                                          {Breakpoint::Kind::jobEnded, tr("a job ends")},
                                                          {Breakpoint::Kind::lossAtMost, tr("a job's loss is low")},
                                                          {Breakpoint::Kind::jobsWaiting, tr("jobs wait")},
                                                          {Breakpoint::Kind::failure, tr("something fails")},
                                                          {Breakpoint::Kind::decision, tr("a decision about a job")}};
    for (const auto& [kind, text] : kinds) m_kind->addItem(text, static_cast<int>(kind));
    m_kind->setAccessibleName(tr("Run until"));
    m_job->setAccessibleName(tr("Job"));
    m_job->setEditable(true); // a name is found by typing a piece of it
    m_job->setInsertPolicy(QComboBox::NoInsert);
    m_job->completer()->setFilterMode(Qt::MatchContains);
    m_job->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_seconds->setAccessibleName(tr("Time"));
    m_seconds->setRange(0, run_until_dialog::mostSeconds);
    m_seconds->setDecimals(3);
    m_seconds->setSuffix(tr(" s"));
    m_loss->setAccessibleName(tr("Loss at most"));
    m_loss->setRange(-1e9, 1e9);
    m_loss->setDecimals(6);
    m_loss->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    m_loss->setValue(0.1);
    m_jobs->setAccessibleName(tr("Jobs waiting, at least"));
    m_jobs->setRange(1, 1'000'000);
    m_note->setProperty("muted", true);
    m_note->setWordWrap(true);
    m_go->setProperty("primary", true);
    m_go->setDefault(true);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(16);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    auto* until = new QLabel(tr("&Until"));
    until->setBuddy(m_kind);
    m_jobLabel->setBuddy(m_job);
    grid->addWidget(until, 0, 0);
    grid->addWidget(m_kind, 0, 1);
    grid->addWidget(m_jobLabel, 1, 0);
    grid->addWidget(m_job, 1, 1);
    grid->addWidget(m_valueLabel, 2, 0);
    for (QWidget* value :
         {static_cast<QWidget*>(m_seconds), static_cast<QWidget*>(m_loss), static_cast<QWidget*>(m_jobs)})
        grid->addWidget(value, 2, 1);
    column->addLayout(grid);
    column->addWidget(m_note);
    column->addStretch(1);
    auto* buttons = new QHBoxLayout;
    auto* close = new QPushButton(tr("&Close"));
    close->setAutoDefault(false);
    buttons->addStretch(1);
    buttons->addWidget(m_go);
    buttons->addWidget(close);
    column->addLayout(buttons);
    setMinimumWidth(static_cast<int>(360 * Theme::scale()));

    connect(m_go, &QPushButton::clicked, this, &RunUntilDialog::go);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &RunUntilDialog::refresh);
    connect(m_job, &QComboBox::currentTextChanged, this, &RunUntilDialog::refresh);
    connect(&workspace.playback(), &Playback::changed, this, &RunUntilDialog::refresh);
    connect(&workspace.runs(), &RunModel::frame, this, &RunUntilDialog::fillJobs);
    connect(&workspace.runs(), &RunModel::runStarted, this, &RunUntilDialog::fillJobs);
    fillJobs();
    refresh();
}

void RunUntilDialog::showEvent(QShowEvent* event) {
    const JobId selected = m_workspace.selection().job();
    if (selected.valid() && static_cast<int>(selected.index()) < m_job->count())
        m_job->setCurrentIndex(static_cast<int>(selected.index()));
    QDialog::showEvent(event);
    m_kind->setFocus();
}

void RunUntilDialog::fillJobs() {
    const auto workload = m_workspace.runs().current().workload;
    if (!workload || workload == m_namesOf.lock()) return;
    m_namesOf = workload;
    const QString chosen = m_job->currentText();
    const QSignalBlocker quiet(m_job);
    m_job->clear();
    for (const Job& job : workload->jobs) m_job->addItem(QString::fromStdString(job.name.empty() ? job.key : job.name));
    m_job->setCurrentIndex(std::max(0, m_job->findText(chosen)));
    refresh();
}

Breakpoint RunUntilDialog::wanted() const {
    Breakpoint until{.kind = static_cast<Breakpoint::Kind>(m_kind->currentData().toInt()),
                     .time = SimTime::seconds(m_seconds->value()),
                     .loss = m_loss->value(),
                     .jobs = m_jobs->value()};
    const int job = m_job->currentText() == m_job->itemText(m_job->currentIndex())
                        ? m_job->currentIndex()
                        : m_job->findText(m_job->currentText());
    if (run_until_dialog::asksForJob(until.kind) && job >= 0) until.job = JobId(static_cast<std::size_t>(job));
    return until;
}

QString RunUntilDialog::whyNot() const {
    if (const QString why = m_workspace.playback().whyNotPlay(); !why.isEmpty()) return why;
    const Breakpoint until = wanted();
    if (!run_until_dialog::asksForJob(until.kind) || until.job.valid()) return {};
    return m_job->count() == 0 ? tr("The run has no jobs")
                               : tr("There is no job called “%1”").arg(m_job->currentText());
}

void RunUntilDialog::refresh() {
    const auto kind = static_cast<Breakpoint::Kind>(m_kind->currentData().toInt());
    const bool job = run_until_dialog::asksForJob(kind);
    m_jobLabel->setVisible(job);
    m_job->setVisible(job);
    QWidget* value = nullptr;
    if (kind == Breakpoint::Kind::time) {
        value = m_seconds;
        m_valueLabel->setText(tr("&Time"));
    } else if (kind == Breakpoint::Kind::lossAtMost) {
        value = m_loss;
        m_valueLabel->setText(tr("&At most"));
    } else if (kind == Breakpoint::Kind::jobsWaiting) {
        value = m_jobs;
        m_valueLabel->setText(tr("At &least"));
    }
    for (QWidget* each :
         {static_cast<QWidget*>(m_seconds), static_cast<QWidget*>(m_loss), static_cast<QWidget*>(m_jobs)})
        each->setVisible(each == value);
    m_valueLabel->setVisible(value);
    m_valueLabel->setBuddy(value);
    const QString why = whyNot();
    m_go->setEnabled(why.isEmpty());
    m_go->setToolTip(why);
    m_note->setText(!why.isEmpty() ? why
                    : kind == Breakpoint::Kind::time
                        ? tr("Computes as fast as possible and pauses exactly there; an earlier time goes back.")
                        : tr("Computes as fast as possible and pauses exactly at the next such instant."));
}

void RunUntilDialog::go() {
    m_seconds->interpretText();
    m_loss->interpretText();
    m_jobs->interpretText();
    if (whyNot().isEmpty()) m_workspace.playback().runUntil(wanted());
}

} // namespace trainyard
