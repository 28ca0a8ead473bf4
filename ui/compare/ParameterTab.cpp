// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ParameterTab.h"

#include "base/Format.h"
#include "compare/BackgroundComparison.h"
#include "compare/ChartCard.h"
#include "forms/FormColumn.h"
#include "run/compare/Seeds.h"
#include "scenario/ScenarioFile.h"
#include "session/MetricSubject.h"
#include "theme/CoreText.h"
#include "theme/ElidedComboBox.h"
#include "theme/ElidedLineEdit.h"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QFocusEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace parameter_tab {

QString numberWords(double value) { return QString::fromStdString(formatNumber(value, 6)); }

QLabel* label(const QString& text, QWidget* buddy, bool heading = false) {
    auto* out = new QLabel(text);
    if (heading) out->setProperty("heading", true);
    out->setBuddy(buddy);
    return out;
}

/// A click is followed by typing, which replaces what stands there.
class SelectsAll final : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        auto* line = static_cast<QLineEdit*>(watched);
        if (event->type() == QEvent::FocusIn || event->type() == QEvent::MouseButtonRelease)
            QTimer::singleShot(0, line, &QLineEdit::selectAll); // after the click
        return false;
    }
};

/// What is typed finds the entries that contain it.
void makeSearchable(QComboBox& box) {
    box.setLineEdit(new ElidedLineEdit);
    box.setInsertPolicy(QComboBox::NoInsert);
    keepListShort(box);
    box.completer()->setFilterMode(Qt::MatchContains);
    box.completer()->setCompletionMode(QCompleter::PopupCompletion);
    box.lineEdit()->setAccessibleName(box.accessibleName());
    box.lineEdit()->installEventFilter(new SelectsAll(&box));
    const auto showChosen = [&box] {
        box.setEditText(box.itemText(box.currentIndex()));
        box.lineEdit()->setCursorPosition(0); // long ones from their beginning
    };
    QObject::connect(box.lineEdit(), &QLineEdit::editingFinished, &box, showChosen);
    QObject::connect(&box, &QComboBox::currentIndexChanged, &box, showChosen);
}

} // namespace parameter_tab

ParameterTab::ParameterTab(Workspace& workspace, QWidget* parent)
    : BatchPage("response", tr("Progress of the runs")), m_workspace(workspace),
      m_seeds(new QLineEdit(QStringLiteral("1-10"))), m_metric(new MetricBox(tr("Metric"))),
      m_smaller(new QCheckBox(tr("Less is better"))), m_refine(new QPushButton(tr("Refine around the best"))),
      m_card(new ChartCard) {
    setParent(parent);
    setForm(makeForm());
    side()->setFixedWidth(Theme::scaled(300));
    underForm()->addWidget(m_refine);
    hint()->setProperty("muted", true);
    results()->addWidget(m_card, 1);
    results()->addStretch(0);
    offer(m_card);
    connect(m_card, &ChartCard::elementChosen, this, [this](std::size_t series, std::size_t element) {
        const Series& chosen = m_card->chart()->plots.front().series[series];
        if (chosen.key != "mean") return;
        const std::size_t rows = chosen.kind == Series::Kind::cells ? chosen.cells.rows : 1;
        const std::size_t across = chosen.kind == Series::Kind::cells ? chosen.cells.columns : 1;
        take(rows == 1 && across == 1 ? element : element % across * rows + element / across);
    });
    connect(&m_sweep, &BackgroundSweep::changed, this, &ParameterTab::refresh);
    connect(cancelButton(), &QPushButton::clicked, this, [this] { m_sweep.stop(); });
    connect(m_refine, &QPushButton::clicked, this, &ParameterTab::refine);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, [this] {
        m_message.clear();
        m_sweep.forget(); // results are those of their scenario
        proposeMetric();
        refill();
    });
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (ScenarioModel::changesRun(changes)) refill();
    });
    refresh();
    setFocusProxy(m_first.field);
}

QWidget* ParameterTab::makeForm() {
    auto* scroll = new QScrollArea;
    QVBoxLayout* column = makeFormColumn(*scroll);
    m_first = makeAxis(column, tr("Parameter"), false);
    m_second = makeAxis(column, tr("Second parameter: a map"), true);
    m_seeds->setAccessibleName(tr("Seeds of each value"));
    m_seeds->setToolTip(tr("Whole numbers and ranges: 1-20, or 3,5,8-10"));
    m_metric->setObjectName(QStringLiteral("response-metric"));
    column->addWidget(parameter_tab::label(tr("Seeds"), m_seeds, true));
    column->addWidget(m_seeds);
    column->addWidget(parameter_tab::label(tr("Metric"), m_metric, true));
    column->addWidget(m_metric);
    column->addWidget(m_smaller);
    column->addStretch(1);
    connect(m_metric, &QComboBox::activated, this, [this] {
        takeDirection();
        refresh();
    });
    connect(m_smaller, &QCheckBox::toggled, this, &ParameterTab::refresh);
    proposeMetric();
    return scroll;
}

ParameterTab::AxisControls ParameterTab::makeAxis(QVBoxLayout* column, const QString& title, bool second) {
    AxisControls axis{new ElidedComboBox, new QLineEdit, new QLineEdit, new QLabel, new QSpinBox};
    axis.field->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    axis.field->setMinimumContentsLength(18);
    axis.field->setAccessibleName(title);
    axis.field->setObjectName(second ? QStringLiteral("second-field") : QStringLiteral("first-field"));
    parameter_tab::makeSearchable(*axis.field);
    axis.from->setAccessibleName(tr("%1: from").arg(title));
    axis.to->setAccessibleName(tr("%1: to").arg(title));
    axis.count->setAccessibleName(tr("%1: how many values").arg(title));
    axis.count->setRange(2, 200);
    axis.count->setValue(second ? 5 : 9);
    axis.count->setSuffix(tr(" values"));
    column->addWidget(parameter_tab::label(title, axis.field, true));
    column->addWidget(axis.field);
    auto* line = new QHBoxLayout;
    line->addWidget(parameter_tab::label(tr("from"), axis.from));
    line->addWidget(axis.from, 1);
    line->addWidget(parameter_tab::label(tr("to"), axis.to));
    line->addWidget(axis.to, 1);
    line->addWidget(axis.unit);
    column->addLayout(line);
    column->addWidget(axis.count);
    column->addSpacing(8);
    connect(axis.field, &QComboBox::currentIndexChanged, this, [this, axis] { proposeRange(axis); });
    return axis;
}

/// At once if it is seen, else when it will be: scenarios can be large.
void ParameterTab::proposeMetric() {
    m_metric->setMetric(answeringMetric(m_workspace.document().scenario()));
    takeDirection();
}

void ParameterTab::takeDirection() {
    const auto* metric = metricWithId(m_metric->metric());
    const QSignalBlocker quiet(m_smaller);
    m_smaller->setChecked(!metric || !metric->moreIsBetter);
}

void ParameterTab::refill() {
    m_stale = !isVisible();
    if (!m_stale) fillFields();
}

void ParameterTab::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_stale) refill();
}

/// The numbers of the scenario as it is now; what was chosen stays chosen, with its range.
void ParameterTab::fillFields() {
    m_fields = variedFields(m_workspace.document().scenario(), m_workspace.registry());
    for (const AxisControls& axis : {m_first, m_second}) {
        const QVariant before = axis.field->currentData();
        const QSignalBlocker quiet(axis.field);
        axis.field->clear();
        if (axis.field == m_second.field) axis.field->addItem(tr("none"), QString());
        std::string of; // a line between the fields of one and those of the next
        for (const VariedField& field : m_fields) {
            if (field.of != of && axis.field->count() > 0) axis.field->insertSeparator(axis.field->count());
            of = field.of;
            axis.field->addItem(coreText(field.label), QString::fromStdString(field.pointer));
        }
        const int at = before.isValid() ? axis.field->findData(before) : -1; // lines have no data
        axis.field->setCurrentIndex(std::max(0, at));
        axis.field->lineEdit()->setCursorPosition(0);
        QAbstractItemView* list = axis.field->view();
        const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
        list->setMinimumWidth(std::min(list->sizeHintForColumn(0) + 2 * bar, Theme::scaled(480)));
        if (at < 0 || axis.from->text().isEmpty()) proposeRange(axis);
    }
    refresh();
}

const VariedField* ParameterTab::fieldOf(const AxisControls& axis) const {
    const std::string pointer = axis.field->currentData().toString().toStdString();
    for (const VariedField& field : m_fields)
        if (field.pointer == pointer) return &field;
    return nullptr;
}

/// Around the present value, within what is allowed.
void ParameterTab::proposeRange(const AxisControls& axis) {
    const VariedField* field = fieldOf(axis);
    for (QWidget* each : std::initializer_list<QWidget*>{axis.from, axis.to, axis.count}) {
        each->setEnabled(field != nullptr);
        each->setToolTip(field ? QString() : tr("Choose a parameter first"));
    }
    axis.unit->setText(field ? QString::fromStdString(field->unit) : QString());
    axis.unit->setVisible(!axis.unit->text().isEmpty());
    if (!field) return;
    double from = field->present / 4, to = field->present > 0 ? field->present * 4 : 1;
    if (field->maximum > field->minimum) from = std::max(from, field->minimum), to = std::min(to, field->maximum);
    if (field->whole) from = std::floor(from), to = std::ceil(to);
    if (field->maximum > field->minimum) from = std::max(from, field->minimum);
    if (to <= from) to = from + 1;
    axis.from->setText(parameter_tab::numberWords(from));
    axis.to->setText(parameter_tab::numberWords(to));
    axis.from->setToolTip(field->maximum > field->minimum
                              ? tr("%1 to %2 are allowed; now %3")
                                    .arg(parameter_tab::numberWords(field->minimum),
                                         parameter_tab::numberWords(field->maximum),
                                         parameter_tab::numberWords(field->present))
                              : tr("Now %1").arg(parameter_tab::numberWords(field->present)));
    axis.to->setToolTip(axis.from->toolTip());
}

bool ParameterTab::choose(const std::string& pointer, const std::string& second) {
    const int first = m_first.field->findData(QString::fromStdString(pointer));
    const int other = m_second.field->findData(QString::fromStdString(second));
    if (first < 0 || other < 0) return false;
    m_first.field->setCurrentIndex(first);
    m_second.field->setCurrentIndex(other);
    return true;
}

Result<SweepRequest> ParameterTab::request() const {
    SweepRequest out{.scenario = m_workspace.document().share(),
                     .registry = std::make_shared<const Registry>(m_workspace.registry()),
                     .resources = m_workspace.resources()};
    for (const AxisControls& axis : {m_first, m_second}) {
        const VariedField* field = fieldOf(axis);
        if (!field) continue;
        bool isFrom = false, isTo = false;
        const double from = axis.from->text().toDouble(&isFrom), to = axis.to->text().toDouble(&isTo);
        if (!isFrom || !isTo || !(to > from))
            return Problem{
                .code = "bad-usage",
                .message = {TRAINYARD_TEXT("the range of {0} is two numbers, the second the greater"), {field->label}}};
        const bool byRatios = from > 0 && to / from >= 50;
        out.axes.push_back({field->pointer, valuesBetween(from, to, static_cast<std::size_t>(axis.count->value()),
                                                          field->whole, byRatios)});
    }
    if (out.axes.empty())
        return Problem{.code = "bad-usage", .message = {TRAINYARD_TEXT("this scenario has no number to vary"), {}}};
    if (out.axes.size() == 2 && out.axes[0].pointer == out.axes[1].pointer)
        return Problem{.code = "bad-usage", .message = {TRAINYARD_TEXT("the two parameters must differ"), {}}};
    auto seeds = parseSeeds(m_seeds->text().toStdString());
    if (!seeds) return seeds.problems();
    out.seeds = std::move(seeds).value();
    return out;
}

void ParameterTab::run() {
    if (m_sweep.isRunning()) return;
    auto made = request();
    m_message = made ? QString() : coreText(made.problems().front().message);
    if (made)
        begin(std::move(made).value());
    else
        refresh();
}

void ParameterTab::begin(SweepRequest request) {
    m_shownFields.clear();
    for (const SweepAxis& axis : request.axes)
        for (const VariedField& field : m_fields)
            if (field.pointer == axis.pointer) m_shownFields.push_back(field);
    const ScenarioModel& document = m_workspace.document();
    m_sweep.start(std::move(request), BackgroundComparison::folderFor(document.filePath(), document.displayName()));
}

/// More values between the neighbours of the best; those that are known are not run again.
void ParameterTab::refine() {
    const auto points = responsePoints(view());
    const auto best = bestOf(view(), points);
    SweepRequest next = *m_sweep.request();
    if (!best || next.axes.size() != 1 || m_sweep.isRunning()) return;
    auto& values = next.axes.front().values;
    const std::size_t at = best->point, low = at > 0 ? at - 1 : at, high = std::min(at + 1, values.size() - 1);
    std::vector<std::string> between;
    for (std::size_t i = low; i < high; ++i) {
        auto part =
            valuesBetween(std::stod(values[i]), std::stod(values[i + 1]), 4, m_shownFields.front().whole, false);
        between.insert(between.end(), part.begin(), part.end());
    }
    values.insert(values.end(), between.begin(), between.end());
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) { return std::stod(a) < std::stod(b); });
    values.erase(std::unique(values.begin(), values.end()), values.end());
    begin(std::move(next));
}

ResponseView ParameterTab::view() const {
    std::vector<VariedField> fields = m_shownFields;
    for (VariedField& field : fields) // the present value may have been changed since
        for (const VariedField& now : m_fields)
            if (now.pointer == field.pointer) field.present = now.present;
    return {*m_sweep.request(), m_sweep.rows(),         std::move(fields),
            m_metric->metric(), m_smaller->isChecked(), m_sweep.isPartial()};
}

void ParameterTab::say(const QString& message) {
    m_message = message;
    refresh();
}

/// Of the scenario that was varied; what was varied is in the chart.
ChartProvenance ParameterTab::provenance() const {
    const SweepRequest& request = *m_sweep.request();
    return chartProvenance(RunProvenance{.scenarioText = writeScenario(*request.scenario),
                                         .scenarioName = m_workspace.document().displayName().toStdString(),
                                         .seed = request.seeds.front(),
                                         .version = TRAINYARD_VERSION},
                           request.seeds, partText(m_sweep));
}

void ParameterTab::refresh() {
    const bool running = m_sweep.isRunning(), known = m_sweep.request() && !m_shownFields.empty();
    const bool refinable = known && !running && !m_sweep.rows().empty() && m_shownFields.size() == 1;
    m_refine->setEnabled(refinable);
    m_refine->setToolTip(refinable ? tr("More values between the neighbours of the best")
                                   : tr("Run over one parameter first"));
    QStringList lines;
    if (!m_message.isEmpty()) lines << m_message;
    if (known) lines << runsText(m_sweep);
    for (const Problem& problem : m_sweep.problems())
        if (lines.size() < 4) lines << coreText(problem.message);
    showProgress(m_sweep, tr("Run"), running,
                 static_cast<double>(m_sweep.rows().size()) /
                     static_cast<double>(std::max<std::size_t>(1, m_sweep.all())),
                 lines);
    m_card->setVisible(known);
    hint()->setText(
        known
            ? tr("A click on a point, or Enter, takes its value into the scenario; Undo takes it back.")
            : tr("Choose a number of the scenario and a range: each value is run with all seeds, and the metric is shown with "
                 "its interval. With a second number it is a map."));
    if (!known) return;
    const auto* metric = metricWithId(m_metric->metric());
    m_card->show(std::make_shared<const Chart>(responseChart(view())), metric ? metricLabel(*metric) : QString());
}

/// As one step to undo.
void ParameterTab::take(std::size_t number) {
    const auto points = responsePoints(view());
    if (number >= points.size()) return;
    const ResponsePoint& point = points[number];
    const SweepRequest& request = *m_sweep.request();
    QStringList words;
    for (std::size_t a = 0; a < point.values.size(); ++a)
        words << tr("%1 = %2").arg(coreText(m_shownFields[a].label), QString::fromStdString(point.values[a]));
    m_workspace.document().change(tr("Take %1").arg(words.join(QStringLiteral(", "))), [&](Scenario& scenario) {
        for (std::size_t a = 0; a < point.values.size(); ++a)
            if (auto changed = setValue(scenario, request.axes[a].pointer, point.values[a]))
                scenario = std::move(changed).value();
    });
    m_message = tr("%1 is in the scenario now.").arg(words.join(QStringLiteral(", ")));
    refresh();
}

} // namespace trainyard
