// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/ParamForm.h"

#include "base/Format.h"
#include "forms/FieldEditor.h"
#include "forms/RealField.h"
#include "theme/ActionReason.h"
#include "theme/CoreText.h"
#include "theme/Theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

namespace {

constexpr int fieldWidth = 104; // of a number, pixels

QString paramText(const std::string& text) { return QString::fromStdString(text); }

double paramNumber(const ParamValue& value) {
    if (const auto* i = std::get_if<std::int64_t>(&value)) return static_cast<double>(*i);
    const auto* d = std::get_if<double>(&value);
    return d ? *d : 0;
}

bool hasRange(const ParamField& field) {
    return field.maximum > field.minimum && std::isfinite(field.maximum - field.minimum);
}
/// The value at the right end of a slider; the field beside it takes up to the maximum.
double sliderEnd(const ParamField& field) {
    return field.usual > field.minimum ? std::min(field.usual, field.maximum) : field.maximum;
}
bool isLogarithmic(const ParamField& field) { return field.logarithmic && field.minimum > 0; }

/// As many decimals as a thousandth of the range needs.
int decimalsOf(const ParamField& field) {
    if (isLogarithmic(field)) return std::clamp(static_cast<int>(std::ceil(-std::log10(field.minimum))) + 1, 2, 12);
    const double step = hasRange(field) ? (field.maximum - field.minimum) / 1000 : 1e-3;
    return std::clamp(static_cast<int>(std::ceil(-std::log10(step))), 0, 9);
}

} // namespace

ParamForm::ParamForm(QWidget* parent) : QWidget(parent), m_rowsLayout(new QVBoxLayout(this)) {
    m_rowsLayout->setContentsMargins(0, 0, 0, 0);
    m_rowsLayout->setSpacing(10);
}

QString ParamForm::helpText(const ParamField& field) {
    QString text = QStringLiteral("<b>%1</b><br>%2")
                       .arg(coreText(field.label).toHtmlEscaped(), coreText(field.help).toHtmlEscaped());
    if (!field.effect.empty())
        text += QStringLiteral("<br>") + tr("What this changes: %1").arg(coreText(field.effect).toHtmlEscaped());
    const QString unit = field.unit.empty() ? QString() : QLatin1Char(' ') + paramText(field.unit);
    if (hasRange(field))
        text += QStringLiteral("<br>") + tr("From %1 to %2%3")
                                             .arg(paramText(formatNumber(field.minimum, 6)),
                                                  paramText(formatNumber(field.maximum, 6)), unit.toHtmlEscaped());
    const auto* flag = std::get_if<bool>(&field.defaultValue);
    const QString standard = flag ? (*flag ? tr("on") : tr("off")) : paramText(toString(field.defaultValue));
    return text + QStringLiteral("<br>") +
           tr("Default: %1%2").arg(standard.toHtmlEscaped(), flag ? QString() : unit.toHtmlEscaped());
}

int ParamForm::sliderPosition(const ParamField& field, double value) {
    if (!hasRange(field)) return 0;
    const double share = isLogarithmic(field) ? std::log(std::max(value, field.minimum) / field.minimum) /
                                                    std::log(sliderEnd(field) / field.minimum)
                                              : (value - field.minimum) / (sliderEnd(field) - field.minimum);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * sliderSteps));
}

double ParamForm::sliderValue(const ParamField& field, int position) {
    const double share = static_cast<double>(position) / sliderSteps;
    const double value = isLogarithmic(field) ? field.minimum * std::pow(sliderEnd(field) / field.minimum, share)
                                              : field.minimum + share * (sliderEnd(field) - field.minimum);
    if (field.type == ParamType::integer) return std::round(value);
    // Three digits: what a hand on a slider means.
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    return std::clamp(std::round(value / unit) * unit, field.minimum, sliderEnd(field));
}

void ParamForm::clear() {
    for (const Row& row : m_rows) {
        const auto* slider = qobject_cast<QSlider*>(row.slider);
        if (slider && slider->isSliderDown()) Q_EMIT dragEnded();
        for (QWidget* part : {row.control, row.slider})
            if (part) part->disconnect(this);
    }
    while (QLayoutItem* item = m_rowsLayout->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the one that is talking
        delete item;
    }
    m_rows.clear();
    m_fields.clear();
}

void ParamForm::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
    for (QWidget* field : m_fields) field->setFixedWidth(Theme::scaled(fieldWidth));
}

void ParamForm::show(const ParamSchema& schema, const ParamValues& values) {
    const auto sameField = [](const Row& row, const ParamField& f) {
        return row.field.key == f.key && row.field.type == f.type && row.field.minimum == f.minimum &&
               row.field.maximum == f.maximum && row.field.usual == f.usual && row.field.label == f.label &&
               row.field.choices == f.choices;
    };
    const auto& fields = schema.fields();
    std::string focused;
    if (!std::equal(m_rows.begin(), m_rows.end(), fields.begin(), fields.end(), sameField)) {
        for (const Row& row : m_rows)
            if (row.control->hasFocus()) focused = row.field.key;
        clear();
        for (const ParamField& field : fields) m_rows.push_back(makeRow(field));
    }
    for (const Row& row : m_rows) {
        const auto given = values.find(row.field.key);
        row.set(given == values.end() ? row.field.defaultValue : given->second);
        if (focused.empty() || row.field.key != focused) continue;
        row.control->parentWidget()->show(); // the layout would do so later: what is hidden gets no focus
        row.control->setFocus();
    }
}

void ParamForm::setIdle(const std::map<std::string, QString>& idle) {
    for (const Row& row : m_rows) {
        const auto why = idle.find(row.field.key);
        setControlAvailable(*row.control->parentWidget(), why == idle.end() ? QString() : why->second,
                            helpText(row.field));
    }
}

void ParamForm::showProblems(const FieldProblems& problems) {
    for (const Row& row : m_rows) {
        const FieldProblem problem = problemOf(problems, row.field.key);
        showProblem(row.note, problem);
        markProblem(row.control, problem);
    }
}

QString ParamForm::problem(const QString& key) const {
    for (const Row& row : m_rows)
        if (paramText(row.field.key) == key) return row.note->text();
    return {};
}

QWidget* ParamForm::control(const QString& key) const {
    for (const Row& row : m_rows)
        if (paramText(row.field.key) == key) return row.control;
    return nullptr;
}

QWidget* ParamForm::slider(const QString& key) const {
    for (const Row& row : m_rows)
        if (paramText(row.field.key) == key) return row.slider;
    return nullptr;
}

ParamForm::Row ParamForm::makeRow(const ParamField& field) {
    Row row{.field = field};
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    switch (field.type) {
    case ParamType::boolean: makeFlag(row, column); break;
    case ParamType::choice:
    case ParamType::file: makeChoice(row, column); break;
    case ParamType::integer:
    case ParamType::real: makeNumber(row, column); break;
    }
    box->setToolTip(helpText(field));
    row.control->setAccessibleName(coreText(field.label));
    row.control->setAccessibleDescription(coreText(field.help));
    column->addWidget(row.note = makeProblemNote());
    m_rowsLayout->addWidget(box);
    return row;
}

void ParamForm::makeFlag(Row& row, QVBoxLayout* column) {
    auto* check = new QCheckBox(coreText(row.field.label));
    row.control = check;
    column->addWidget(check);
    connect(check, &QCheckBox::toggled, this, [this, key = row.field.key](bool on) { Q_EMIT edited(key, on); });
    row.set = [check](const ParamValue& value) {
        const QSignalBlocker quiet(check);
        const auto* on = std::get_if<bool>(&value);
        check->setChecked(on && *on);
    };
}

void ParamForm::makeChoice(Row& row, QVBoxLayout* column) {
    auto* label = new QLabel(coreText(row.field.label));
    auto* combo = new QComboBox;
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);                    // the label breaks its line rather
    const bool isWord = row.field.type == ParamType::choice && !row.field.open; // "as-many-as-fit", for people
    for (const auto& c : row.field.choices)
        combo->addItem(isWord ? paramText(c).replace(u'-', u' ') : paramText(c), paramText(c));
    label->setBuddy(combo);
    label->setWordWrap(true);
    auto* line = new QHBoxLayout;
    line->addWidget(label, 1);
    line->addWidget(combo);
    column->addLayout(line);
    row.control = combo;
    connect(combo, &QComboBox::activated, this, [this, combo, key = row.field.key](int index) {
        Q_EMIT edited(key, combo->itemData(index).toString().toStdString());
    });
    if (row.field.open) {
        combo->setEditable(true);
        combo->setInsertPolicy(QComboBox::NoInsert);
        combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo->setMinimumContentsLength(12);
        connect(combo->lineEdit(), &QLineEdit::editingFinished, this, [this, combo, key = row.field.key] {
            Q_EMIT edited(key, combo->currentText().trimmed().toStdString());
        });
    }
    row.set = [combo, open = row.field.open](const ParamValue& value) {
        const QSignalBlocker quiet(combo);
        const QString word = paramText(toString(value));
        combo->setCurrentIndex(combo->findData(word));
        if (open) combo->setEditText(word);
    };
}

void ParamForm::makeNumber(Row& row, QVBoxLayout* column) {
    const ParamField& field = row.field;
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(coreText(field.label));
    label->setWordWrap(true);
    line->addWidget(label, 1);
    const QString suffix = field.unit.empty() ? QString() : QLatin1Char(' ') + paramText(field.unit);
    std::function<void(double)> setNumber;
    if (field.type == ParamType::integer) {
        auto* spin = new QSpinBox;
        const auto bounded = [](double v) {
            return static_cast<int>(
                std::clamp(v, double{std::numeric_limits<int>::min()}, double{std::numeric_limits<int>::max()}));
        };
        spin->setRange(hasRange(field) ? bounded(field.minimum) : std::numeric_limits<int>::min(),
                       hasRange(field) ? bounded(field.maximum) : std::numeric_limits<int>::max());
        spin->setSuffix(suffix);
        spin->setKeyboardTracking(false);
        spin->setAccelerated(true);
        connect(spin, &QSpinBox::valueChanged, this,
                [this, key = field.key](int v) { Q_EMIT edited(key, std::int64_t{v}); });
        setNumber = [spin, bounded](double v) { spin->setValue(bounded(v)); };
        row.control = spin;
    } else {
        auto* spin = new RealField;
        spin->setDecimals(decimalsOf(field));
        if (hasRange(field))
            spin->setRange(field.minimum, field.maximum);
        else
            spin->setRange(-1e300, 1e300);
        spin->setSuffix(suffix);
        spin->setKeyboardTracking(false);
        spin->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        connect(spin, &QDoubleSpinBox::valueChanged, this,
                [this, key = field.key](double v) { Q_EMIT edited(key, v); });
        setNumber = [spin](double v) { spin->setValue(v); };
        row.control = spin;
    }
    row.control->setFixedWidth(Theme::scaled(fieldWidth));
    m_fields << row.control;
    label->setBuddy(row.control);
    line->addWidget(row.control);
    column->addLayout(line);
    row.set = [control = row.control, setNumber](const ParamValue& value) {
        const QSignalBlocker quiet(control);
        setNumber(paramNumber(value));
    };
    if (hasRange(field)) addSlider(row, column, setNumber);
}

void ParamForm::addSlider(Row& row, QVBoxLayout* column, const std::function<void(double)>& setNumber) {
    const ParamField& field = row.field;
    auto* bar = new QSlider(Qt::Horizontal);
    // A handful of whole numbers: one stop each.
    const bool whole =
        field.type == ParamType::integer && sliderEnd(field) - field.minimum <= sliderSteps && !isLogarithmic(field);
    if (whole)
        bar->setRange(static_cast<int>(field.minimum), static_cast<int>(sliderEnd(field)));
    else
        bar->setRange(0, sliderSteps);
    if (whole) bar->setPageStep(std::max(1, (bar->maximum() - bar->minimum()) / 10));
    bar->setAccessibleName(coreText(field.label));
    row.slider = bar;
    column->addWidget(bar);
    connect(bar, &QSlider::sliderPressed, this, &ParamForm::dragBegan);
    connect(bar, &QSlider::sliderReleased, this, &ParamForm::dragEnded);
    connect(bar, &QSlider::valueChanged, this, [field, whole, setNumber](int position) {
        setNumber(whole ? position : sliderValue(field, position)); // the field beside it says so
    });
    row.set = [bar, field, whole, setControl = row.set](const ParamValue& value) {
        setControl(value);
        const QSignalBlocker quiet(bar);
        if (!bar->isSliderDown())
            bar->setValue(whole ? static_cast<int>(paramNumber(value)) : sliderPosition(field, paramNumber(value)));
    };
}

} // namespace trainyard
