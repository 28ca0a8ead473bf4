// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/FigureSize.h"

#include "export/FigureFiles.h"
#include "export/FigureForm.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace figure_size {
constexpr double perMillimetre = 96 / 25.4; // pixels
}

FigureSize::FigureSize(QFormLayout& form, const ExportSettings& settings)
    : QObject(&form), m_size(settings.size), m_width(new QDoubleSpinBox), m_height(new QDoubleSpinBox),
      m_unit(new QComboBox), m_dots(new QSpinBox), m_pixels(new QLabel) {
    auto* sides = new QHBoxLayout;
    sides->setSpacing(4);
    for (auto* side : {m_width, m_height}) {
        side->setKeyboardTracking(false);
        side->setButtonSymbols(QAbstractSpinBox::NoButtons);
        side->setAlignment(Qt::AlignRight);
        side->setMinimumWidth(side->fontMetrics().horizontalAdvance(QStringLiteral("00000.0")) + 16);
        connect(side, &QDoubleSpinBox::valueChanged, this, &FigureSize::take);
    }
    named(m_width, "export-width", tr("Width"), tr("Width of a figure"));
    named(m_height, "export-height", tr("Height"), tr("Height of a figure; a table is as high as its rows"));
    m_unit->addItem(tr("mm"));
    m_unit->addItem(tr("px"));
    m_unit->setCurrentIndex(settings.millimetres ? 0 : 1);
    named(m_unit, "export-size-unit", tr("Unit of size"), tr("Millimetres on paper, or pixels of the PNG"));
    sides->addWidget(m_width, 1);
    sides->addWidget(new QLabel(QStringLiteral("×")));
    sides->addWidget(m_height, 1);
    sides->addWidget(m_unit);
    form.addRow(tr("Size"), sides);
    m_dots->setRange(leastDots, mostDots);
    m_dots->setValue(settings.dotsPerInch);
    m_dots->setSuffix(tr(" dpi"));
    m_dots->setKeyboardTracking(false);
    named(m_dots, "export-dpi", tr("Dots per inch"),
          tr("Resolution of a PNG: 96 for a screen, 300 for print. SVG and PDF do not depend on it."));
    form.addRow(tr("PNG"), m_dots);
    m_pixels->setProperty("muted", true);
    m_pixels->setWordWrap(true);
    form.addRow(QString(), m_pixels);
    connect(m_unit, &QComboBox::currentIndexChanged, this, &FigureSize::show);
    connect(m_dots, &QSpinBox::valueChanged, this, [this] {
        // A figure given in pixels keeps its pixels: it becomes smaller on paper.
        if (isInPixels()) return take();
        tellPixels();
        Q_EMIT changed();
    });
    show();
}

int FigureSize::dotsPerInch() const { return m_dots->value(); }

void FigureSize::takeInto(ExportSettings& settings) const {
    settings.size = m_size;
    settings.millimetres = !isInPixels();
    settings.dotsPerInch = m_dots->value();
}

bool FigureSize::isInPixels() const { return m_unit->currentIndex() == 1; }
double FigureSize::unit() const { return isInPixels() ? 96.0 / m_dots->value() : figure_size::perMillimetre; }

/// In the unit chosen.
void FigureSize::show() {
    const std::pair<QDoubleSpinBox*, double> sides[] = {{m_width, m_size.width()}, {m_height, m_size.height()}};
    for (const auto& [side, value] : sides) {
        const QSignalBlocker quiet(side);
        side->setDecimals(isInPixels() ? 0 : 1);
        side->setRange(std::ceil(leastSide / unit()), std::floor(mostSide / unit()));
        side->setValue(value / unit());
    }
    tellPixels();
    Q_EMIT changed();
}

void FigureSize::take() {
    m_size = {std::clamp(m_width->value() * unit(), leastSide, mostSide),
              std::clamp(m_height->value() * unit(), leastSide, mostSide)};
    if (isInPixels()) return show();
    tellPixels();
    Q_EMIT changed();
}

void FigureSize::tellPixels() {
    const QSize pixels = rasterSize(m_size, m_dots->value());
    m_pixels->setText(isInPixels() ? tr("On paper: %1 × %2 mm")
                                         .arg(QString::number(m_size.width() / figure_size::perMillimetre, 'f', 0),
                                              QString::number(m_size.height() / figure_size::perMillimetre, 'f', 0))
                                   : tr("PNG: %1 × %2 pixels").arg(pixels.width()).arg(pixels.height()));
}

} // namespace trainyard
