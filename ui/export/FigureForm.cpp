// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/FigureForm.h"

#include "export/FigureSize.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>

#include <algorithm>

namespace trainyard {

QComboBox* printThemeBox(PrintTheme chosen, const char* name, QWidget* parent) {
    auto* box = new QComboBox(parent);
    box->addItem(FigureForm::tr("Print"));
    box->addItem(FigureForm::tr("Light"));
    box->addItem(FigureForm::tr("Dark"));
    box->setCurrentIndex(static_cast<int>(chosen));
    return named(box, name, FigureForm::tr("Theme"),
                 FigureForm::tr("Colours of exported figures, independent of the window's theme"));
}

QCheckBox* ghostBox(bool checked, const char* name) {
    auto* box = new QCheckBox(FigureForm::tr("Also the compared run"));
    box->setChecked(checked);
    named(box, name, box->text(), {});
    setWhyNoGhost(*box, {});
    return box;
}

void setWhyNoGhost(QCheckBox& box, const QString& why) {
    box.setEnabled(why.isEmpty());
    box.setToolTip(
        why.isEmpty()
            ? FigureForm::tr("The dashed curves of the compared run, as in the timeline. Tables contain this run only.")
            : why);
}

QLineEdit* figureTextLine(QFormLayout& form, const char* name, const QString& label, const QString& help) {
    auto* edit = named(new QLineEdit, name, label, help);
    edit->setClearButtonEnabled(true);
    form.addRow(label, edit);
    return edit;
}

FigureForm::FigureForm(const ExportSettings& settings, QWidget* parent)
    : QWidget(parent), m_theme(printThemeBox(settings.theme, "export-theme", this)), m_range(new QComboBox),
      m_timeUnit(new QComboBox), m_footer(new QCheckBox(tr("Run details in a footer"))),
      m_ghost(ghostBox(settings.ghost, "export-ghost")) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    makeTexts(form);
    m_size = new FigureSize(*form, settings);
    connect(m_size, &FigureSize::changed, this, &FigureForm::changed);
    makeLook(form, settings);
}

void FigureForm::makeTexts(QFormLayout* form) {
    m_title = figureTextLine(*form, "export-title", tr("Title"),
                             tr("Over the figure of the chosen view; empty: the view's own"));
    m_horizontal =
        figureTextLine(*form, "export-x-title", tr("X axis"), tr("Title of the horizontal axis, with its unit"));
    m_vertical = figureTextLine(*form, "export-y-title", tr("Y axis"), tr("Title of the vertical axis, with its unit"));
    for (QLineEdit* edit : {m_title, m_horizontal, m_vertical})
        connect(edit, &QLineEdit::textEdited, this, &FigureForm::takeTexts);
}

void FigureForm::makeLook(QFormLayout* form, const ExportSettings& settings) {
    form->addRow(tr("Theme"), m_theme);
    m_range->addItem(tr("Whole run"));
    m_range->addItem(tr("As the timeline shows"));
    m_range->setCurrentIndex(settings.shownRange ? 1 : 0);
    named(m_range, "export-range", tr("Part of the run"),
          tr("What the time axis spans, and which rows tables over time have"));
    form->addRow(tr("Time"), m_range);
    m_timeUnit->addItem(tr("Fitting"), QString());
    for (const TimeUnit& unit : timeUnits()) m_timeUnit->addItem(unit.name, unit.id);
    m_timeUnit->setCurrentIndex(std::max(0, m_timeUnit->findData(settings.unit)));
    named(m_timeUnit, "export-time-unit", tr("Unit of the time axis"), tr("In which unit times are written"));
    form->addRow(tr("Time unit"), m_timeUnit);
    m_footer->setChecked(settings.footer);
    named(m_footer, "export-footer", m_footer->text(),
          tr("Scenario, seed, version and digest under each figure. The file contains its run in any case."));
    form->addRow(QString(), m_footer);
    form->addRow(QString(), m_ghost);
    for (QComboBox* box : {m_theme, m_range, m_timeUnit}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(8);
        connect(box, &QComboBox::currentIndexChanged, this, &FigureForm::changed);
    }
    for (QCheckBox* box : {m_footer, m_ghost}) connect(box, &QCheckBox::toggled, this, &FigureForm::changed);
}

void FigureForm::takeTexts() {
    m_texts[m_view] = {m_title->text().trimmed(), m_horizontal->text().trimmed(), m_vertical->text().trimmed()};
    Q_EMIT changed();
}

void FigureForm::forgetTexts() {
    m_texts.clear();
    for (QLineEdit* edit : {m_title, m_horizontal, m_vertical}) edit->clear();
    Q_EMIT changed();
}

void FigureForm::setView(const ExportView& view, bool axes) {
    m_view = view.id;
    const FigureTexts texts = m_texts.value(view.id);
    m_title->setText(texts.title);
    m_horizontal->setText(texts.horizontal);
    m_vertical->setText(texts.vertical);
    for (QLineEdit* edit : {m_horizontal, m_vertical}) {
        edit->setEnabled(axes);
        edit->setPlaceholderText(axes ? QString() : tr("has no axes"));
    }
}

void FigureForm::setWhyNoGhost(const QString& why) { trainyard::setWhyNoGhost(*m_ghost, why); }

void FigureForm::setOwnTexts(const FigureTexts& own) {
    m_title->setPlaceholderText(own.title);
    if (m_horizontal->isEnabled()) m_horizontal->setPlaceholderText(own.horizontal);
    if (m_vertical->isEnabled()) m_vertical->setPlaceholderText(own.vertical);
}

void FigureForm::takeInto(ExportSettings& settings) const {
    m_size->takeInto(settings);
    settings.theme = static_cast<PrintTheme>(m_theme->currentIndex());
    settings.shownRange = m_range->currentIndex() == 1;
    settings.unit = m_timeUnit->currentData().toString();
    settings.footer = m_footer->isChecked();
    settings.ghost = m_ghost->isChecked();
}

} // namespace trainyard
