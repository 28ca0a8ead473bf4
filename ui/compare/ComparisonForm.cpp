// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ComparisonForm.h"

#include "analysis/QualityCourse.h"
#include "compare/OtherPolicies.h"
#include "forms/FormColumn.h"
#include "run/compare/ArmTitles.h"
#include "run/compare/Response.h"
#include "run/compare/Seeds.h"
#include "session/MetricSubject.h"
#include "session/SameChoice.h"
#include "theme/ActionReason.h"
#include "theme/CoreText.h"
#include "theme/ElidedComboBox.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace trainyard {

namespace comparison_form {

enum Amount { fixed, growing };

constexpr std::size_t shownCharts = 3;
/// Those that are shown first where the runs have them and the policies differ in them.
constexpr const char* telling[] = {"time_to_target_s", "mean_jct_s",           "makespan_s",     "final_loss",
                                   "updates_per_s",    "straggler_wait_share", "mean_queueing_s"};
/// Before them, where a scheduler that goes by losses is compared.
constexpr const char* tellingOfQuality[] = {"mean_active_loss", "time_to_90_s", "time_to_99_s"};

QLabel* label(const QString& text, QWidget* buddy, const char* kind = nullptr) {
    auto* out = new QLabel(text);
    if (kind) out->setProperty(kind, true);
    out->setBuddy(buddy);
    return out;
}

QString familyTitle(PolicyFamily family) {
    switch (family) {
    case PolicyFamily::scheduler: return ComparisonForm::tr("Scheduler");
    case PolicyFamily::synchronization: return ComparisonForm::tr("Synchronization");
    case PolicyFamily::parameters: return ComparisonForm::tr("Parameters");
    case PolicyFamily::partitioner: return ComparisonForm::tr("Partitioner");
    }
    return {};
}

constexpr PolicyFamily families[] = {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters,
                                     PolicyFamily::partitioner};

} // namespace comparison_form

ComparisonForm::ComparisonForm(Workspace& workspace, QWidget* parent)
    : QScrollArea(parent), m_workspace(workspace), m_list(new QListWidget), m_add(new QToolButton),
      m_combine(new QToolButton), m_rename(new QPushButton(tr("Rename"))), m_remove(new QPushButton(tr("Remove"))),
      m_baseline(new ElidedComboBox), m_amount(new ElidedComboBox), m_mode(new ElidedComboBox),
      m_kind(new ElidedComboBox), m_untilMetric(new MetricBox(tr("Metric of that interval"))),
      m_seeds(new QLineEdit(QStringLiteral("1-20"))), m_halfWidth(new QDoubleSpinBox),
      m_everyJob(new QCheckBox(tr("Also for jobs with policies of their own"))),
      m_losses(new QCheckBox(tr("Loss curves"))), m_metrics(new QListWidget), m_problem(new QLabel) {
    QVBoxLayout* column = makeFormColumn(*this);
    makeArms(column);
    makeAmount(column);
    makeLook(column);
    column->addStretch(1);
    widget()->installEventFilter(this);
    m_input = {m_list,   m_add,   m_combine,   m_rename,      m_remove, m_baseline,
               m_amount, m_seeds, m_halfWidth, m_untilMetric, m_mode,   m_everyJob};
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &ComparisonForm::reset);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (ScenarioModel::changesRun(changes)) showControls();
    });
    m_checkSoon.setSingleShot(true);
    connect(&m_checkSoon, &QTimer::timeout, this, [this] { check(); });
    reset();
}

/// It scrolls up and down only: no narrower than what it holds.
bool ComparisonForm::eventFilter(QObject* watched, QEvent* event) {
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        setMinimumWidth(widget()->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width());
    return QScrollArea::eventFilter(watched, event);
}

void ComparisonForm::makeArms(QVBoxLayout* column) {
    m_list->setObjectName(QStringLiteral("arms"));
    m_list->setAccessibleName(tr("Compared policies"));
    m_list->setFixedHeight(m_list->fontMetrics().height() * 8 + 8);
    m_list->setToolTip(
        tr("Double-click, or F2, gives a policy another name in charts and tables; an empty one gives its own back"));
    m_list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    connect(m_list, &QListWidget::itemChanged, this,
            [this](QListWidgetItem* item) { rename(m_list->row(item), item->text()); });
    m_add->setText(tr("Add"));
    m_combine->setText(tr("Combine"));
    auto* buttons = new QGridLayout;
    for (QToolButton* button : {m_add, m_combine}) {
        button->setProperty("framed", true);
        button->setPopupMode(QToolButton::InstantPopup);
        button->setFocusPolicy(Qt::StrongFocus);
        auto* menu = new QMenu(button);
        button->setMenu(menu);
        connect(menu, &QMenu::aboutToShow, this, [this, menu, button] { fillMenu(menu, button == m_combine); });
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    }
    buttons->addWidget(m_add, 0, 0);
    buttons->addWidget(m_combine, 0, 1);
    buttons->addWidget(m_rename, 1, 0);
    buttons->addWidget(m_remove, 1, 1);
    m_add->setObjectName(QStringLiteral("add-arm"));
    m_rename->setObjectName(QStringLiteral("rename-arm"));
    m_remove->setObjectName(QStringLiteral("remove-arm"));
    connect(m_rename, &QPushButton::clicked, this, [this] { m_list->editItem(m_list->currentItem()); });
    connect(m_remove, &QPushButton::clicked, this, [this] {
        const int row = m_list->currentRow();
        if (row < 0) return;
        m_arms.erase(m_arms.begin() + row);
        showArms();
        m_list->setCurrentRow(std::min(row, m_list->count() - 1));
        Q_EMIT changed();
    });
    connect(m_list, &QListWidget::currentRowChanged, this, [this] { showControls(); });
    m_baseline->setAccessibleName(tr("Compared with"));
    m_baseline->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_problem->setObjectName(QStringLiteral("arms-problem"));
    m_problem->setWordWrap(true);
    m_problem->setProperty("problem", true);
    connect(m_baseline, &QComboBox::activated, this, &ComparisonForm::changed);
    connect(m_everyJob, &QCheckBox::toggled, this, [this] {
        showControls();
        Q_EMIT changed();
    });
    m_everyJob->setToolTip(tr("Jobs that choose a policy for themselves take the compared one instead"));
    column->addWidget(comparison_form::label(tr("Policies"), m_list, "heading"));
    column->addWidget(m_list);
    column->addLayout(buttons);
    column->addWidget(m_everyJob);
    column->addWidget(m_problem);
    column->addWidget(comparison_form::label(tr("Compared with"), m_baseline));
    column->addWidget(m_baseline);
    column->addSpacing(8);
}

void ComparisonForm::makeAmount(QVBoxLayout* column) {
    m_amount->addItems({tr("These seeds"), tr("Until the interval is narrow")});
    m_amount->setAccessibleName(tr("How many seeds"));
    m_seeds->setAccessibleName(tr("Seeds"));
    m_seeds->setObjectName(QStringLiteral("seeds"));
    m_seeds->setToolTip(tr("Whole numbers and ranges: 1-20, or 3,5,8-10"));
    m_halfWidth->setRange(0.01, 100);
    m_halfWidth->setValue(2);
    m_halfWidth->setDecimals(2);
    m_halfWidth->setPrefix(tr("half-width below "));
    m_halfWidth->setSuffix(tr(" % of the mean"));
    m_halfWidth->setAccessibleName(tr("Half-width of the interval, in percent of the mean"));
    m_halfWidth->setToolTip(
        tr("10 seeds, then twice as many at each look, of at most those above. Each look's interval is wider, so that "
           "the last one still covers the mean at 95 %."));
    m_mode->addItem(tr("Simulate"));
    m_mode->addItem(tr("Execute"));
    m_mode->setAccessibleName(tr("Mode"));
    column->addWidget(comparison_form::label(tr("Seeds"), m_seeds, "heading"));
    column->addWidget(m_amount);
    column->addWidget(m_seeds);
    column->addWidget(m_halfWidth);
    column->addWidget(m_untilMetric);
    column->addWidget(comparison_form::label(tr("Mode"), m_mode));
    column->addWidget(m_mode);
    column->addSpacing(8);
    const auto amountChanged = [this] {
        const bool growing = m_amount->currentIndex() == comparison_form::growing;
        m_halfWidth->setVisible(growing);
        m_untilMetric->setVisible(growing);
        if (growing && m_seeds->text() == QStringLiteral("1-20")) m_seeds->setText(QStringLiteral("1-1280"));
        if (!growing && m_seeds->text() == QStringLiteral("1-1280")) m_seeds->setText(QStringLiteral("1-20"));
        Q_EMIT changed();
    };
    connect(m_amount, &QComboBox::currentIndexChanged, this, amountChanged);
    for (QComboBox* each : std::initializer_list<QComboBox*>{m_untilMetric, m_mode})
        connect(each, &QComboBox::activated, this, &ComparisonForm::changed);
    connect(m_halfWidth, &QDoubleSpinBox::valueChanged, this, &ComparisonForm::changed);
    connect(m_seeds, &QLineEdit::textChanged, this, [this] {
        showControls();
        Q_EMIT changed();
    });
    m_halfWidth->hide();
    m_untilMetric->hide();
}

void ComparisonForm::makeLook(QVBoxLayout* column) {
    m_kind->addItems({tr("Means and intervals"), tr("Box plots"), tr("Distributions")});
    m_kind->setAccessibleName(tr("Kind of chart"));
    m_losses->setChecked(true);
    m_metrics->setAccessibleName(tr("Shown metrics"));
    m_metrics->setObjectName(QStringLiteral("shown-metrics"));
    m_metrics->setFixedHeight(m_metrics->fontMetrics().height() * 9);
    for (const auto& metric : metricDefinitions()) {
        if (!metric.ofRun() || standsForSeveral(metric)) continue; // of one job; of any resource
        auto* item = new QListWidgetItem(metricLabel(metric), m_metrics);
        item->setData(Qt::UserRole, QString::fromStdString(metric.id));
        item->setToolTip(coreText(metric.definition));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Unchecked);
    }
    column->addWidget(comparison_form::label(tr("Charts"), m_kind, "heading"));
    column->addWidget(m_kind);
    column->addWidget(m_losses);
    column->addWidget(comparison_form::label(tr("Metrics (none chosen: those that differ)"), m_metrics));
    column->addWidget(m_metrics);
    connect(m_kind, &QComboBox::activated, this, &ComparisonForm::lookChanged);
    connect(m_losses, &QCheckBox::toggled, this, &ComparisonForm::lookChanged);
    connect(m_metrics, &QListWidget::itemChanged, this, &ComparisonForm::lookChanged);
}

void ComparisonForm::fillMenu(QMenu* menu, bool combines) {
    menu->clear();
    const Scenario& scenario = m_workspace.document().scenario();
    const auto add = [&](QMenu* to, const QString& text, const std::string& arm) {
        connect(to->addAction(text), &QAction::triggered, this, [this, arm, combines] {
            if (combines)
                combine(arm);
            else
                addArm(arm);
        });
    };
    if (!combines) add(menu, tr("As in the scenario"), "scenario");
    for (const PolicyFamily family : comparison_form::families) {
        if (ownChoices(scenario, family).all == 0) continue; // nobody asks it
        auto* of = menu->addMenu(comparison_form::familyTitle(family));
        const std::string prefix = std::string(familyName(family)) + "=";
        for (const Variant& variant : scenario.variants)
            if (variant.family == family)
                add(of, QString::fromStdString(variant.title.empty() ? variant.name : variant.title),
                    prefix + variant.name);
        if (!of->isEmpty()) of->addSeparator();
        for (const PolicyInfo* info : m_workspace.registry().list(family))
            add(of, coreText(info->label), prefix + info->id);
    }
}

bool ComparisonForm::addArm(const std::string& text) {
    auto arm = armFrom(m_workspace.document().scenario(), m_workspace.registry(), text);
    const bool there = arm && std::find(m_arms.begin(), m_arms.end(), *arm) != m_arms.end();
    if (!arm || there || m_arms.size() >= mostArms) return false;
    m_arms.push_back(std::move(arm).value());
    showArms();
    m_list->setCurrentRow(m_list->count() - 1);
    Q_EMIT changed();
    return true;
}

void ComparisonForm::setArms(std::vector<ComparisonArm> arms) {
    m_arms = std::move(arms);
    showArms();
    Q_EMIT changed();
}

void ComparisonForm::combine(const std::string& text) {
    const int row = m_list->currentRow();
    auto other = armFrom(m_workspace.document().scenario(), m_workspace.registry(), text);
    if (row < 0 || !other) return;
    ComparisonArm& arm = m_arms[static_cast<std::size_t>(row)];
    std::erase_if(arm.choices, [&](const PolicyChoice& c) { return c.family == other->choices.front().family; });
    arm.choices.push_back(other->choices.front());
    arm.name = arm.choices.size() == 1 ? other->name : arm.name + " + " + other->name;
    arm.title.clear(); // of what it was
    showArms();
    m_list->setCurrentRow(row);
    Q_EMIT changed();
}

void ComparisonForm::showArms() {
    const QSignalBlocker quiet(m_list), quietToo(m_baseline);
    const QString baseline = m_baseline->currentText();
    m_list->clear();
    m_baseline->clear();
    for (std::size_t a = 0; a < m_arms.size(); ++a) {
        auto* item = new QListWidgetItem(m_list);
        item->setFlags(item->flags() | Qt::ItemIsEditable);
        m_baseline->addItem(QString());
    }
    showTitles();
    m_baseline->setCurrentIndex(std::max(0, m_baseline->findText(baseline)));
    showControls();
}

void ComparisonForm::showTitles() {
    const QSignalBlocker quiet(m_list);
    const auto titles = armTitles(m_workspace.document().scenario(), m_workspace.registry(), m_arms);
    for (int row = 0; row < m_list->count(); ++row) {
        const QString title = coreText(titles[static_cast<std::size_t>(row)]);
        m_list->item(row)->setText(title);
        m_baseline->setItemText(row, title);
    }
}

/// An empty title gives its own back.
void ComparisonForm::rename(int row, const QString& title) {
    ComparisonArm& arm = m_arms[static_cast<std::size_t>(row)];
    const std::string before = std::exchange(arm.title, std::string());
    const QString own = coreText(
        armTitles(m_workspace.document().scenario(), m_workspace.registry(), m_arms)[static_cast<std::size_t>(row)]);
    if (const QString given = title.simplified(); given != own) arm.title = given.toStdString();
    showTitles();
    if (arm.title != before) Q_EMIT titlesChanged();
}

Result<ComparisonRequest> ComparisonForm::request() const {
    ComparisonRequest out{.scenario = m_workspace.document().share(),
                          .registry = std::make_shared<const Registry>(m_workspace.registry()),
                          .resources = m_workspace.resources(),
                          .arms = m_arms};
    if (m_arms.size() < 2)
        return Problem{.code = "bad-usage", .message = {TRAINYARD_TEXT("Add at least two policies to compare."), {}}};
    auto seeds = parseSeeds(m_seeds->text().toStdString());
    if (!seeds) return seeds.problems();
    out.seeds = std::move(seeds).value();
    out.baseline = static_cast<std::size_t>(std::max(0, m_baseline->currentIndex()));
    if (m_amount->currentIndex() == comparison_form::growing)
        out.until = HalfWidthRule{m_untilMetric->metric(), m_halfWidth->value() / 100};
    out.everyJob = m_everyJob->isChecked();
    out.mode = m_mode->currentIndex() == 1 ? RunMode::execute : RunMode::simulate;
    out.traces = true;
    return out;
}

void ComparisonForm::set(const ComparisonRequest& request) {
    setArms(request.arms);
    m_baseline->setCurrentIndex(static_cast<int>(request.baseline));
    m_amount->setCurrentIndex(request.until ? comparison_form::growing : comparison_form::fixed);
    if (request.until) {
        m_halfWidth->setValue(100 * request.until->relative);
        m_untilMetric->setMetric(request.until->metric);
    }
    m_seeds->setText(QString::fromStdString(seedsText(request.seeds)));
    m_everyJob->setChecked(request.everyJob);
    m_mode->setCurrentIndex(request.mode == RunMode::execute ? 1 : 0);
    Q_EMIT changed();
}

/// Whether it can run is looked at when there is nothing else to do, and only while it is seen: scenarios can be large.
void ComparisonForm::showControls() {
    const bool selected = m_list->currentRow() >= 0, full = m_arms.size() >= mostArms;
    const QString unselected = selected ? QString() : tr("Select one of the list first");
    setControlAvailable(*m_rename, unselected, tr("Another name for the selected one, in charts and tables"));
    setControlAvailable(*m_remove, unselected, tr("Takes the selected one away"));
    setControlAvailable(*m_combine, unselected, tr("Gives the selected one a policy of another family, too"));
    setControlAvailable(*m_add, full ? tr("Eight are the most that one chart can tell apart") : QString(),
                        tr("Another policy or variant, two to eight in all"));
    m_checkSoon.start(0);
}

/// Beside what the scenario has, where it names no variants: two policies that all its jobs can have.
void ComparisonForm::propose() {
    constexpr std::size_t enough = 3;
    if (!std::exchange(m_proposes, false) || m_arms.size() != 1) return;
    for (const std::string& text :
         otherPolicies(m_workspace.document().scenario(), m_workspace.registry(), m_everyJob->isChecked())) {
        auto arm = armFrom(m_workspace.document().scenario(), m_workspace.registry(), text);
        if (!arm) continue;
        m_arms.push_back(std::move(arm).value());
        const auto made = request();
        if (!made || !armScenario(*made, m_arms.size() - 1).problems().empty()) m_arms.pop_back();
        if (m_arms.size() == enough) break;
    }
    showArms();
    Q_EMIT changed();
}

void ComparisonForm::showEvent(QShowEvent* event) {
    QScrollArea::showEvent(event);
    propose();
    m_checkSoon.start(0);
}

void ComparisonForm::check(bool asked) {
    if (!isVisible()) return;
    QStringList lines;
    if (const auto made = request())
        for (std::size_t a = 0; a < m_arms.size(); ++a) {
            const auto scenario = armScenario(*made, a);
            for (const Problem& problem : scenario.problems())
                lines << (scenario
                              ? coreText(problem.message)
                              : tr("%1: %2").arg(m_list->item(static_cast<int>(a))->text(), coreText(problem.message)));
        }
    else if (asked || !m_arms.empty() || parseSeeds(m_seeds->text().toStdString()).problems().size() > 0)
        for (const Problem& problem : made.problems()) lines << coreText(problem.message);
    lines.removeDuplicates();
    m_problem->setText(lines.mid(0, 3).join(QLatin1Char('\n')));
    m_problem->setVisible(!lines.isEmpty());
}

/// Another document: other variants, other jobs.
void ComparisonForm::reset() {
    m_arms.clear();
    const Scenario& scenario = m_workspace.document().scenario();
    const bool everyOwn =
        std::any_of(std::begin(comparison_form::families), std::end(comparison_form::families), [&](auto family) {
            const OwnChoices own = ownChoices(scenario, family);
            return own.all > 0 && own.own == own.all;
        });
    const QSignalBlocker quiet(m_everyJob);
    m_everyJob->setChecked(everyOwn); // else comparing would change nothing
    m_mode->setCurrentIndex(scenario.mode == RunMode::execute ? 1 : 0);
    m_untilMetric->setMetric(answeringMetric(scenario));
    showArms();
    addArm("scenario");
    for (const Variant& variant : scenario.variants) { // none that is what the scenario has anyway
        const bool same = !everyOwn && isSameChoice(m_workspace.registry(), variant.family, variant.choice,
                                                    scenario.policies.of(variant.family));
        if (m_arms.size() < 4 && !same) addArm(std::string(familyName(variant.family)) + "=" + variant.name);
    }
    m_proposes = true;
    if (isVisible()) propose();
    Q_EMIT changed();
}

bool ComparisonForm::isAboutLosses() const {
    return std::ranges::any_of(m_arms, [&](const ComparisonArm& arm) {
        const auto own = std::ranges::find(arm.choices, PolicyFamily::scheduler, &PolicyChoice::family);
        const std::string& id =
            own != arm.choices.end() ? own->choice.id : m_workspace.document().scenario().policies.scheduler.id;
        const PolicyInfo* info = m_workspace.registry().find(PolicyFamily::scheduler, id);
        return info && info->goesByLosses;
    });
}

std::vector<std::string> ComparisonForm::metrics(const ComparisonResult* result) const {
    std::vector<std::string> out;
    for (int i = 0; i < m_metrics->count(); ++i)
        if (m_metrics->item(i)->checkState() == Qt::Checked)
            out.push_back(m_metrics->item(i)->data(Qt::UserRole).toString().toStdString());
    if (!out.empty() || !result) return out;
    const auto take = [&](const auto& ids) {
        for (const std::string& id : std::vector<std::string>(std::begin(ids), std::end(ids)))
            if (out.size() < comparison_form::shownCharts && std::ranges::find(out, id) == out.end() &&
                varies(*result, id))
                out.push_back(id);
    };
    take(std::array{"blocking_rate"}); // jobs that are blocked take no time
    for (const std::string& quality : firstQualities(m_workspace.document().scenario()))
        take(std::array{"final_" + quality});
    if (isAboutLosses()) take(comparison_form::tellingOfQuality);
    take(comparison_form::telling);
    if (!out.empty()) return out;
    if (const auto varying = varyingMetrics(*result); !varying.empty()) out.push_back(varying.front());
    return out;
}

ComparisonChartKind ComparisonForm::kind() const { return static_cast<ComparisonChartKind>(m_kind->currentIndex()); }
void ComparisonForm::setKind(ComparisonChartKind kind) {
    m_kind->setCurrentIndex(static_cast<int>(kind));
    Q_EMIT lookChanged();
}
bool ComparisonForm::wantsLosses() const { return m_losses->isChecked(); }

void ComparisonForm::setRunning(bool running) {
    for (QWidget* each : m_input) {
        each->setEnabled(!running);
        if (running) m_tips.emplace(each, each->toolTip());
        each->setToolTip(running ? tr("Cancel the comparison to change what is compared") : m_tips[each]);
    }
    if (running) return;
    m_tips.clear();
    showControls();
}

} // namespace trainyard
