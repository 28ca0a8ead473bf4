// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/TrainingPage.h"

#include "charts/PictureView.h"
#include "session/FileNames.h"
#include "theme/ActionReason.h"
#include "theme/CoreText.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"
#include "training/TrainingFigures.h"
#include "training/TrainingForm.h"
#include "training/TrainingPictures.h"
#include "training/TrainingWords.h"

#include <QDir>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {

namespace training_page {

constexpr int sideWidth = 340, leastPicture = 110;

/// The partitioner that decides by an agent, and its parameter that names the file.
struct AgentPolicy {
    const PolicyInfo* info = nullptr;
    std::string parameter;
};

AgentPolicy agentPolicy(const Registry& registry) {
    for (const PolicyInfo* info : registry.list(PolicyFamily::partitioner))
        for (const ParamField& field : info->schema.fields())
            if (field.type == ParamType::file) return {info, field.key};
    return {};
}

} // namespace training_page

using namespace training_page;

TrainingPage::TrainingPage(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_form(new TrainingForm(workspace.resources().root)),
      m_pictures(new TrainingPictures), m_scroll(new QScrollArea), m_go(new QPushButton),
      m_stop(new QPushButton(tr("St&op"))), m_use(new QPushButton(tr("&Use in This Scenario"))),
      m_export(new QToolButton), m_progress(new QProgressBar), m_status(new QLabel), m_title(new QLabel),
      m_problem(new QLabel) {
    setObjectName(QStringLiteral("training-page"));
    auto* columns = new QHBoxLayout(this);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(0);
    columns->addWidget(m_side = makeSide());
    columns->addWidget(makeResults(), 1);
    connect(m_go, &QPushButton::clicked, this, &TrainingPage::go);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stopping = true;
        m_training.end();
        refresh();
    });
    connect(m_use, &QPushButton::clicked, this, &TrainingPage::use);
    connect(m_form, &TrainingForm::changed, this, &TrainingPage::refresh);
    connect(&m_training, &BackgroundTraining::changed, this, &TrainingPage::refresh);
    connect(&m_training, &BackgroundTraining::ended, this, [this] {
        m_pausing = m_stopping = false;
        m_form->lookAgain();
        refresh();
    });
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &TrainingPage::refreshButtons);
    connect(&workspace.document(), &ScenarioModel::edited, this, &TrainingPage::refreshButtons);
    setFocusProxy(m_form);
    fitSizes();
    setWhatsThis(tr("Trains an agent that chooses how far computation graphs are split."));
    refresh();
}

TrainingPage::~TrainingPage() = default; // m_training stops, and leaves a checkpoint

QWidget* TrainingPage::makeSide() {
    auto* side = new QWidget;
    side->setProperty("panel", true);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_form, 1);
    m_go->setProperty("primary", true);
    m_go->setObjectName(QStringLiteral("training-go"));
    m_stop->setObjectName(QStringLiteral("training-stop"));
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(12, 6, 12, 12);
    buttons->addWidget(m_go, 1);
    buttons->addWidget(m_stop);
    column->addLayout(buttons);
    return side;
}

QWidget* TrainingPage::makeResults() {
    auto* results = new QWidget;
    auto* column = new QVBoxLayout(results);
    column->setContentsMargins(16, 8, 16, 8);
    column->setSpacing(6);
    m_title->setObjectName(QStringLiteral("training-title"));
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::RichText);
    m_status->setObjectName(QStringLiteral("training-status"));
    m_status->setWordWrap(true);
    m_status->setProperty("muted", true);
    m_problem->setObjectName(QStringLiteral("training-failure"));
    m_problem->setWordWrap(true);
    m_problem->setProperty("problem", true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_progress->setTextVisible(false);
    m_progress->setRange(0, 1000);
    m_progress->setAccessibleName(tr("Progress of the training"));
    m_use->setObjectName(QStringLiteral("training-use"));
    m_export->setText(tr("Export"));
    m_export->setObjectName(QStringLiteral("training-export"));
    m_export->setProperty("framed", true);
    m_export->setPopupMode(QToolButton::InstantPopup);
    m_export->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_export);
    menu->addAction(tr("Save Reward…"), this, [this] { save(TrainingPictures::reward); });
    menu->addAction(tr("Save Validation…"), this, [this] { save(TrainingPictures::validation); });
    menu->addAction(tr("Save Degrees…"), this, [this] { save(TrainingPictures::degrees); });
    m_export->setMenu(menu);
    auto* top = new QHBoxLayout;
    top->addWidget(m_title, 1);
    top->addWidget(m_pictures->choice(), 0, Qt::AlignTop);
    top->addWidget(m_export, 0, Qt::AlignTop);
    top->addWidget(m_use, 0, Qt::AlignTop);
    column->addLayout(top);
    column->addWidget(m_progress);
    column->addWidget(m_status);
    column->addWidget(m_problem);
    m_scroll->setWidget(m_pictures);
    m_scroll->setWidgetResizable(true); // they scroll only where they would be too low to be read
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_scroll, 100);
    column->addStretch(1); // beneath the words, while there is nothing to show
    return results;
}

/// Start, Resume, Pause or Continue: what the button says.
void TrainingPage::go() {
    if (m_training.isRunning()) {
        m_pausing = true;
        m_training.pause();
    } else if (m_training.isPaused()) {
        m_training.goOn();
    } else if (auto request = m_form->request()) {
        m_training.start(std::move(*request));
    }
    refresh();
}

QString TrainingPage::agentFile() const {
    return QString::fromStdString((m_training.request().directory / agentName).string());
}

/// Scenarios name it relative to the current directory.
QString TrainingPage::nameInScenarios() const {
    return QDir::current().relativeFilePath(QFileInfo(agentFile()).absoluteFilePath());
}

QString TrainingPage::whyNotUse() const {
    if (!m_training.isDone()) return tr("No agent has been trained yet.");
    const QString name = nameInScenarios();
    if (QDir::isAbsolutePath(name) || name.startsWith(QLatin1String("..")))
        return tr("Scenarios name agents beneath the current directory: copy agent.json to %1.")
            .arg(QDir::toNativeSeparators(QDir::currentPath()));
    const auto& network = m_workspace.document().scenario().cluster.ramp;
    if (!network) return tr("The open scenario has no optical network.");
    const OpticalNetwork& trained = m_training.request().plan.network;
    if (network->groups != trained.groups || network->racks != trained.racks || network->servers != trained.servers)
        return tr("The optical network of the open scenario has another shape.");
    return {};
}

void TrainingPage::use() {
    if (!whyNotUse().isEmpty()) return;
    const AgentPolicy policy = agentPolicy(m_workspace.registry());
    m_workspace.document().choosePolicy(
        PolicyFamily::partitioner,
        {.id = policy.info->id, .parameters = {{policy.parameter, nameInScenarios().toStdString()}}});
    Q_EMIT labWanted();
}

void TrainingPage::refresh() {
    m_form->setBusy(m_training.isRunning() || m_training.isPaused());
    m_pictures->show(m_training.watched());
    m_scroll->setVisible(m_training.watched() != nullptr);
    refreshStatus();
    refreshButtons();
}

/// Why nothing is begun, while nothing goes on.
QString TrainingPage::whyNotGo() const {
    const auto request = m_form->request();
    if (!request) return m_form->whyNot();
    const bool shown =
        m_training.isDone() && m_form->isFinished() && request->directory == m_training.request().directory;
    return shown ? tr("The result in this directory is shown.") : QString();
}

void TrainingPage::refreshButtons() {
    const bool running = m_training.isRunning(), paused = m_training.isPaused();
    if (running) {
        m_go->setText(m_pausing ? tr("Pausing…") : tr("&Pause"));
        setControlAvailable(*m_go, m_pausing || m_stopping ? tr("The iteration under way is given up.") : QString(),
                            tr("Writes a checkpoint and waits"));
    } else if (paused) {
        m_go->setText(tr("Co&ntinue"));
        setControlAvailable(*m_go, {}, tr("Continues where it was paused"));
    } else {
        m_go->setText(m_form->isFinished() ? tr("&Show Result") : m_form->resumes() ? tr("Resu&me") : tr("&Start"));
        setControlAvailable(*m_go, whyNotGo(),
                            m_form->isFinished() ? tr("Shows the training in the directory")
                            : m_form->resumes()  ? tr("Continues from the checkpoint in the directory")
                                                 : tr("Begins the training"));
    }
    setControlAvailable(*m_stop,
                        m_stopping          ? tr("A checkpoint is being written.")
                        : running || paused ? QString()
                                            : tr("Nothing is being trained."),
                        tr("Ends the training with a checkpoint, from which it can be resumed"));
    m_use->setVisible(m_training.isDone());
    setControlAvailable(*m_use, whyNotUse(), tr("Makes this agent the scenario's partitioner"));
}

QString TrainingPage::statusText() const {
    const auto& watched = m_training.watched();
    if (m_training.isDone()) {
        const QString outcome = outcomeInWords(*watched);
        return tr("Finished. The agent is in %1; scenarios use it by the partitioner %2.")
                   .arg(QDir::toNativeSeparators(agentFile()),
                        coreText(agentPolicy(m_workspace.registry()).info->label)) +
               (outcome.isEmpty() ? QString() : u' ' + outcome);
    }
    if (!watched) return m_training.isRunning() ? tr("It begins …") : QString();
    QString text = progressInWords(*watched);
    if (m_training.isPaused()) return tr("Paused.") + u' ' + text;
    if (!m_training.isRunning()) return tr("Stopped.") + u' ' + text;
    if (const double left = m_training.secondsLeft(); left >= 0) text += u' ' + tr("· %1 left").arg(timeLeftText(left));
    return text;
}

void TrainingPage::save(int which) {
    const TitledChart chart = m_pictures->chart(static_cast<TrainingPictures::Which>(which));
    if (!chart.chart) return;
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save Chart"), proposedFile(chart.title + QStringLiteral(".pdf")),
                                     tr("Charts (*.pdf *.svg *.png *.csv *.tex)"));
    if (path.isEmpty()) return;
    const Problems problems = writeTrainingChart(path, chart, m_training.request().plan);
    m_message = problems.empty() ? tr("%1 is written.").arg(path) : coreText(problems.front().message);
    refreshStatus();
}

void TrainingPage::refreshStatus() {
    const bool begun = m_training.isRunning() || m_training.watched();
    const AgentPlan& plan = m_training.request().plan;
    m_title->setText(
        begun
            ? tr("<b>%1</b>, seed %2").arg(QString::fromStdString(plan.title).toHtmlEscaped()).arg(plan.seed)
            : tr("Choose a configuration on the left and train its agent: it learns how far to split computation graphs. "
                 "This page shows how well it does beside simple rules."));
    m_progress->setVisible(m_training.isRunning() || m_training.isPaused());
    m_progress->setValue(m_training.all() > 0 ? static_cast<int>(1000 * m_training.done() / m_training.all()) : 0);
    m_export->setVisible(m_training.watched() != nullptr);
    QString text = statusText();
    if (!m_message.isEmpty()) text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + m_message;
    m_status->setText(text);
    m_status->setVisible(!text.isEmpty());
    QString wrong = problemsInWords(m_training.problems());
    if (!wrong.isEmpty() && m_training.isPaused())
        wrong += u'\n' + tr("Nothing is lost while the window is open: Continue writes it again, and goes on.");
    m_problem->setText(wrong);
    m_problem->setVisible(!wrong.isEmpty());
}

QString TrainingPage::status() const { return m_status->text(); }

void TrainingPage::fitSizes() {
    m_side->setFixedWidth(Theme::scaled(sideWidth));
    for (const auto which : {TrainingPictures::reward, TrainingPictures::validation, TrainingPictures::degrees})
        m_pictures->picture(which).setMinimumHeight(Theme::scaled(leastPicture));
}

void TrainingPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitSizes();
}

void TrainingPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_form->lookAgain();
    refresh();
}

} // namespace trainyard
