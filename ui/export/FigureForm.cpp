// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/FigureForm.h"

#include "export/FigureFiles.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace figure_form {
constexpr double perMillimetre = 96 / 25.4; // pixels
} // namespace figure_form

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

FigureForm::FigureForm(const ExportSettings& settings, QWidget* parent)
    : QWidget(parent), m_size(settings.size), m_width(new QDoubleSpinBox), m_height(new QDoubleSpinBox),
      m_sizeUnit(new QComboBox), m_theme(printThemeBox(settings.theme, "export-theme", this)), m_range(new QComboBox),
      m_timeUnit(new QComboBox), m_dots(new QSpinBox), m_pixels(new QLabel),
      m_footer(new QCheckBox(tr("Run details in a footer"))), m_ghost(ghostBox(settings.ghost, "export-ghost")),
      m_title(new QLineEdit), m_horizontal(new QLineEdit), m_vertical(new QLineEdit) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    makeTexts(form);
    makeSize(form, settings);
    makeLook(form, settings);
    showSize();
}

void FigureForm::makeTexts(QFormLayout* form) {
    const auto line = [&](QLineEdit* edit, const char* name, const QString& label, const QString& help) {
        named(edit, name, label, help);
        edit->setClearButtonEnabled(true);
        form->addRow(label, edit);
        connect(edit, &QLineEdit::textEdited, this, &FigureForm::takeTexts);
    };
    line(m_title, "export-title", tr("Title"), tr("Over the figure of the chosen view; empty: the view's own"));
    line(m_horizontal, "export-x-title", tr("X axis"), tr("Title of the horizontal axis, with its unit"));
    line(m_vertical, "export-y-title", tr("Y axis"), tr("Title of the vertical axis, with its unit"));
}

void FigureForm::makeSize(QFormLayout* form, const ExportSettings& settings) {
    auto* sides = new QHBoxLayout;
    sides->setSpacing(4);
    for (auto* side : {m_width, m_height}) {
        side->setKeyboardTracking(false);
        side->setButtonSymbols(QAbstractSpinBox::NoButtons);
        side->setAlignment(Qt::AlignRight);
        side->setMinimumWidth(side->fontMetrics().horizontalAdvance(QStringLiteral("00000.0")) + 16);
        connect(side, &QDoubleSpinBox::valueChanged, this, &FigureForm::takeSize);
    }
    named(m_width, "export-width", tr("Width"), tr("Width of a figure"));
    named(m_height, "export-height", tr("Height"), tr("Height of a figure; a table is as high as its rows"));
    m_sizeUnit->addItem(tr("mm"));
    m_sizeUnit->addItem(tr("px"));
    m_sizeUnit->setCurrentIndex(settings.millimetres ? 0 : 1);
    named(m_sizeUnit, "export-size-unit", tr("Unit of size"), tr("Millimetres on paper, or pixels of the PNG"));
    sides->addWidget(m_width, 1);
    sides->addWidget(new QLabel(QStringLiteral("×")));
    sides->addWidget(m_height, 1);
    sides->addWidget(m_sizeUnit);
    form->addRow(tr("Size"), sides);
    m_dots->setRange(leastDots, mostDots);
    m_dots->setValue(settings.dotsPerInch);
    m_dots->setSuffix(tr(" dpi"));
    m_dots->setKeyboardTracking(false);
    named(m_dots, "export-dpi", tr("Dots per inch"),
          tr("Resolution of a PNG: 96 for a screen, 300 for print. SVG and PDF do not depend on it."));
    form->addRow(tr("PNG"), m_dots);
    m_pixels->setProperty("muted", true);
    m_pixels->setWordWrap(true);
    form->addRow(QString(), m_pixels);
    connect(m_sizeUnit, &QComboBox::currentIndexChanged, this, &FigureForm::showSize);
    connect(m_dots, &QSpinBox::valueChanged, this, [this] {
        // A figure given in pixels keeps its pixels: it becomes smaller on paper.
        if (m_sizeUnit->currentIndex() == 1)
            takeSize();
        else
            tellPixels();
        Q_EMIT changed();
    });
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

/// The size in the unit chosen.
void FigureForm::showSize() {
    const bool pixels = m_sizeUnit->currentIndex() == 1;
    const double unit = pixels ? 96.0 / m_dots->value() : figure_form::perMillimetre;
    const std::pair<QDoubleSpinBox*, double> sides[] = {{m_width, m_size.width()}, {m_height, m_size.height()}};
    for (const auto& [side, value] : sides) {
        const QSignalBlocker quiet(side);
        side->setDecimals(pixels ? 0 : 1);
        side->setRange(std::ceil(leastSide / unit), std::floor(mostSide / unit));
        side->setValue(value / unit);
    }
    tellPixels();
    Q_EMIT changed();
}

void FigureForm::takeSize() {
    const bool pixels = m_sizeUnit->currentIndex() == 1;
    const double unit = pixels ? 96.0 / m_dots->value() : figure_form::perMillimetre;
    m_size = {std::clamp(m_width->value() * unit, leastSide, mostSide),
              std::clamp(m_height->value() * unit, leastSide, mostSide)};
    if (pixels)
        showSize();
    else
        tellPixels();
    Q_EMIT changed();
}

void FigureForm::tellPixels() {
    const QSize pixels = rasterSize(m_size, m_dots->value());
    const QString size = m_sizeUnit->currentIndex() == 0
                             ? tr("PNG: %1 × %2 pixels").arg(pixels.width()).arg(pixels.height())
                             : tr("On paper: %1 × %2 mm")
                                   .arg(QString::number(m_size.width() / figure_form::perMillimetre, 'f', 0),
                                        QString::number(m_size.height() / figure_form::perMillimetre, 'f', 0));
    m_pixels->setText(size);
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
    settings.size = m_size;
    settings.millimetres = m_sizeUnit->currentIndex() == 0;
    settings.dotsPerInch = m_dots->value();
    settings.theme = static_cast<PrintTheme>(m_theme->currentIndex());
    settings.shownRange = m_range->currentIndex() == 1;
    settings.unit = m_timeUnit->currentData().toString();
    settings.footer = m_footer->isChecked();
    settings.ghost = m_ghost->isChecked();
}

} // namespace trainyard
