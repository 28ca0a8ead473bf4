// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/TrainingForm.h"

#include "forms/FormColumn.h"
#include "session/BackgroundWork.h"
#include "theme/ElidedComboBox.h"
#include "theme/Theme.h"
#include "training/TrainingWords.h"

#include <QComboBox>
#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSignalBlocker>
#include <QStandardPaths>
#include <QVBoxLayout>

namespace trainyard {

namespace training_form {

constexpr int lookAfter = 250; // milliseconds since the last key typed in the directory

QLabel* label(const QString& text, QWidget* buddy) {
    auto* out = new QLabel(text);
    out->setProperty("heading", true);
    out->setBuddy(buddy);
    return out;
}

QLabel* words(const char* name, const char* kind = nullptr) {
    auto* out = new QLabel;
    out->setWordWrap(true);
    out->setObjectName(QLatin1String(name));
    if (kind) out->setProperty(kind, true);
    return out;
}

std::filesystem::path pathOf(const QString& text) { return text.trimmed().toStdString(); }

} // namespace training_form

using namespace training_form;

TrainingForm::TrainingForm(std::filesystem::path resources, QWidget* parent)
    : QScrollArea(parent), m_resources(std::move(resources)), m_choice(new ElidedComboBox),
      m_open(new QPushButton(tr("Open…"))), m_browse(new QPushButton(tr("Choose…"))),
      m_browseProfiles(new QPushButton(tr("Choose…"))), m_words(words("training-words")),
      m_problem(words("training-problem", "problem")), m_hint(words("training-hint", "muted")), m_seed(new QLineEdit),
      m_directory(new QLineEdit), m_profiles(new QLineEdit) {
    QVBoxLayout* column = makeFormColumn(*this, {12, 8, 12, 8});
    makeConfiguration(column);
    makeDirectory(column);
    column->addStretch(1);
    m_lookSoon.setSingleShot(true);
    m_lookSoon.setInterval(lookAfter);
    connect(&m_lookSoon, &QTimer::timeout, this, &TrainingForm::lookAgain);
    connect(m_choice, &QComboBox::currentIndexChanged, this, &TrainingForm::takeConfiguration);
    connect(m_seed, &QLineEdit::textChanged, this, &TrainingForm::refresh);
    connect(m_profiles, &QLineEdit::textChanged, this, &TrainingForm::refresh);
    connect(m_directory, &QLineEdit::textEdited, this, [this] { m_suggested = false; });
    connect(m_directory, &QLineEdit::textChanged, this, [this] {
        m_looking = true;
        m_lookSoon.start();
        refresh();
    });
    setFocusProxy(m_choice);
    fillConfigurations();
    takeConfiguration();
}

void TrainingForm::makeConfiguration(QVBoxLayout* column) {
    m_choice->setObjectName(QStringLiteral("training-configuration"));
    m_choice->setAccessibleName(tr("Configuration"));
    m_choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_open->setObjectName(QStringLiteral("training-open"));
    m_open->setAccessibleName(tr("Open a configuration"));
    m_words->setTextFormat(Qt::RichText);
    m_words->setAccessibleName(tr("What the configuration says"));
    m_problem->setAccessibleName(tr("What is wrong"));
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* line = new QHBoxLayout;
    line->addWidget(m_choice, 1);
    line->addWidget(m_open);
    column->addWidget(label(tr("&Configuration"), m_choice));
    column->addLayout(line);
    column->addWidget(m_words);
    column->addWidget(m_problem);
    m_seed->setObjectName(QStringLiteral("training-seed"));
    m_seed->setAccessibleName(tr("Seed of the training"));
    m_seed->setValidator(new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{1,20}")), m_seed));
    column->addSpacing(6);
    column->addWidget(label(tr("See&d of the training"), m_seed));
    column->addWidget(m_seed);
    connect(m_open, &QPushButton::clicked, this, [this] {
        const QString file = QFileDialog::getOpenFileName(this, tr("Open Configuration"), {},
                                                          tr("Configurations (*.json);;All files (*)"));
        if (!file.isEmpty()) openConfiguration(file);
    });
}

void TrainingForm::makeDirectory(QVBoxLayout* column) {
    m_profiles->setObjectName(QStringLiteral("training-profiles"));
    m_profiles->setAccessibleName(tr("Directory of profiles"));
    m_profilesLabel = label(tr("Director&y of profiles (*.txt)"), m_profiles);
    m_browseProfiles->setAccessibleName(tr("Choose the directory of profiles"));
    auto* profiles = new QHBoxLayout;
    profiles->addWidget(m_profiles, 1);
    profiles->addWidget(m_browseProfiles);
    column->addWidget(m_profilesLabel);
    column->addLayout(profiles);
    m_directory->setObjectName(QStringLiteral("training-directory"));
    m_directory->setAccessibleName(tr("Directory of the result"));
    m_browse->setObjectName(QStringLiteral("training-browse"));
    m_browse->setAccessibleName(tr("Choose the directory of the result"));
    auto* line = new QHBoxLayout;
    line->addWidget(m_directory, 1);
    line->addWidget(m_browse);
    column->addSpacing(6);
    column->addWidget(label(tr("Direc&tory of the result"), m_directory));
    column->addLayout(line);
    column->addWidget(m_hint);
    connect(m_browseProfiles, &QPushButton::clicked, this, &TrainingForm::chooseProfiles);
    connect(m_browse, &QPushButton::clicked, this, &TrainingForm::chooseDirectory);
}

/// Those that ship.
void TrainingForm::fillConfigurations() {
    const QSignalBlocker quiet(m_choice);
    const QDir folder(QString::fromStdString((m_resources / "agents").string()));
    for (const QFileInfo& file : folder.entryInfoList({QStringLiteral("*.training.json")}, QDir::Files, QDir::Name))
        offer(file.filePath());
}

/// By its title; by the file's name where it has none or cannot be read.
int TrainingForm::offer(const QString& file) {
    int index = m_choice->findData(file);
    if (index < 0) {
        index = m_choice->count();
        m_choice->addItem(QString(), file);
        m_choice->setItemData(index, file, Qt::ToolTipRole);
    }
    const auto plan = readAgentPlan(file.toStdString());
    m_choice->setItemText(index, plan && !plan->title.empty() ? QString::fromStdString(plan->title)
                                                              : QFileInfo(file).fileName());
    return index;
}

void TrainingForm::openConfiguration(const QString& file) {
    {
        const QSignalBlocker quiet(m_choice);
        m_choice->setCurrentIndex(offer(file));
    }
    takeConfiguration(); // read again, even if it was chosen: it may be another by now
}

void TrainingForm::takeConfiguration() {
    m_problems.clear();
    m_plan.reset();
    if (m_choice->currentIndex() >= 0) {
        auto read = readAgentPlan(m_choice->currentData().toString().toStdString());
        m_problems = read.problems();
        if (read) m_plan = std::move(read).value();
    }
    if (m_plan) m_seed->setText(QString::number(m_plan->seed));
    if (m_suggested) suggestDirectory();
    refresh();
}

/// One that does not exist yet, where scenarios can name the agent in it: beneath the current directory.
void TrainingForm::suggestDirectory() {
    const bool here = QFileInfo(QDir::currentPath()).isWritable();
    const QDir base(here ? QDir::currentPath() : QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation));
    const QString name = QFileInfo(m_choice->currentData().toString()).baseName();
    const QString wanted = base.filePath(QStringLiteral("trainings/") + (name.isEmpty() ? tr("agent") : name));
    QString free = wanted;
    for (int i = 2; QFileInfo::exists(free); ++i) free = wanted + u'-' + QString::number(i);
    m_directory->setText(QDir::toNativeSeparators(free));
}

void TrainingForm::setDirectory(const QString& directory) {
    m_suggested = false;
    m_directory->setText(QDir::toNativeSeparators(directory));
    lookAgain();
}

QString TrainingForm::directory() const { return m_directory->text().trimmed(); }

void TrainingForm::chooseDirectory() {
    const QString chosen =
        QFileDialog::getExistingDirectory(this, tr("Directory of the Result"), QFileInfo(directory()).absolutePath());
    if (!chosen.isEmpty()) setDirectory(chosen);
}

void TrainingForm::chooseProfiles() {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Directory of Profiles"), m_profiles->text());
    if (!chosen.isEmpty()) m_profiles->setText(QDir::toNativeSeparators(chosen));
}

/// A checkpoint is read beside the window's thread: nobody knows how large it is.
void TrainingForm::lookAgain() {
    m_lookSoon.stop();
    const int look = ++m_looks;
    const std::filesystem::path where = pathOf(m_directory->text());
    std::error_code ignored;
    if (where.empty() || !std::filesystem::exists(where / checkpointName, ignored))
        return takeBegun(Problem{.code = "no-checkpoint"});
    m_looking = true;
    refresh();
    BackgroundWork::shared().start(
        [where, look, self = QPointer(this)](const std::stop_token&) -> BackgroundWork::Result {
            return [begun = begunTraining(where), look, self] {
                if (self && look == self->m_looks) self->takeBegun(begun);
            };
        });
}

void TrainingForm::takeBegun(const Result<BegunTraining>& begun) {
    m_looking = false;
    const bool had = m_begun.has_value();
    m_begun.reset();
    m_begunProblems.clear();
    if (begun)
        m_begun = *begun;
    else if (begun.problems().front().code != "no-checkpoint")
        m_begunProblems = begun.problems();
    if (had || m_begun) showBegun();
    refresh();
}

/// The configuration of a checkpoint is shown as a choice of its own, unless it is the one chosen.
void TrainingForm::showBegun() {
    const QSignalBlocker quiet(m_choice);
    const int added = m_choice->findData(QString());
    std::optional<AgentPlan> same = m_plan;
    if (m_begun && same) same->seed = m_begun->plan.seed;
    if (m_begun && (added >= 0 || same != m_begun->plan)) {
        if (added < 0) {
            m_before = m_choice->currentIndex();
            m_choice->addItem(tr("as the checkpoint says"), QString());
        }
        m_choice->setCurrentIndex(m_choice->count() - 1);
    } else if (added >= 0) {
        m_choice->removeItem(added);
        m_choice->setCurrentIndex(m_before);
        takeConfiguration();
    }
}

void TrainingForm::setBusy(bool busy) {
    if (m_busy == busy) return;
    m_busy = busy;
    refresh();
}

QString TrainingForm::whyNot() const {
    if (m_looking) return tr("The directory is being read.");
    if (!m_begunProblems.empty())
        return tr("The checkpoint in this directory cannot be used: choose another directory.");
    if (!plan()) return tr("The configuration cannot be used.");
    if (directory().isEmpty()) return tr("Choose a directory for the result.");
    if (!m_begun && m_seed->text().isEmpty()) return tr("Give a seed.");
    bool fits = true;
    if (!m_begun) m_seed->text().toULongLong(&fits);
    if (!fits) return tr("The seed is a whole number from 0 to 18446744073709551615.");
    if (plan()->profiles && m_profiles->text().trimmed().isEmpty())
        return tr("This training needs a directory of profiles.");
    return {};
}

std::optional<TrainingRequest> TrainingForm::request() const {
    if (!whyNot().isEmpty()) return std::nullopt;
    TrainingRequest out{.plan = *plan(),
                        .resources = m_resources,
                        .profiles = pathOf(m_profiles->text()),
                        .directory = pathOf(m_directory->text()),
                        .begin = m_begun ? KeptTraining::Begin::fromCheckpoint : KeptTraining::Begin::anew};
    if (!m_begun) out.plan.seed = m_seed->text().toULongLong();
    return out;
}

void TrainingForm::refresh() {
    const AgentPlan* shown = plan();
    m_words->setText(shown ? planInWords(*shown, m_resources) : QString());
    m_words->setVisible(shown);
    const Problems& wrong = m_begunProblems.empty() && !m_begun ? m_problems : m_begunProblems;
    m_problem->setText(problemsInWords(wrong));
    m_problem->setVisible(!wrong.empty());
    const bool profiles = shown && shown->profiles;
    for (QWidget* each : std::initializer_list<QWidget*>{m_profilesLabel, m_profiles, m_browseProfiles})
        each->setVisible(profiles);
    if (m_begun && m_seed->text() != QString::number(m_begun->plan.seed)) {
        const QSignalBlocker quiet(m_seed);
        m_seed->setText(QString::number(m_begun->plan.seed));
    }
    const QString begun =
        tr("The checkpoint in the directory was begun with this; choose another directory to begin anew.");
    const QString busy = tr("A training goes on: stop it to change this.");
    const auto set = [&](QWidget* control, bool fixed, const QString& help) {
        control->setEnabled(!m_busy && !fixed);
        control->setToolTip(m_busy ? busy : fixed ? begun : help);
    };
    set(m_choice, resumes(), tr("Configurations that ship, and those opened"));
    set(m_open, resumes(), tr("Opens a configuration (*.training.json)"));
    set(m_seed, resumes(), tr("The configuration's, or any whole number. Only the training uses it."));
    set(m_directory, false,
        tr("%1: checkpoints, and at the end agent.json. A directory with a checkpoint is resumed.").arg(directory()));
    set(m_browse, false, tr("A directory for the result, or one with a checkpoint to resume"));
    set(m_profiles, false, tr("Profiles as PipeDream writes them"));
    set(m_browseProfiles, false, {});
    m_hint->setText(
        isFinished() ? tr("The training in this directory is finished. To begin anew, choose another directory.")
        : m_begun && !m_busy
            ? tr("This directory has a checkpoint: Resume continues its training. To begin anew, choose another directory.")
            : tr("A checkpoint is written here every 10 seconds, and at the end agent.json."));
    Q_EMIT changed();
}

} // namespace trainyard
