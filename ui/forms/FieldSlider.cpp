// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FieldSlider.h"

#include "base/Format.h"
#include "forms/FieldEditor.h"
#include "theme/CoreText.h"

#include <QSignalBlocker>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace field_slider {

bool isLogarithmic(const FieldInfo& field) { return field.logarithmic && field.minimum > 0; }

/// A handful of whole numbers: one stop each.
bool hasStopPerNumber(const FieldInfo& field) {
    return field.kind == FieldInfo::Kind::integer && field.sliderEnd - field.minimum <= FieldSlider::steps &&
           !isLogarithmic(field);
}

} // namespace field_slider

using namespace field_slider;

FieldSlider::FieldSlider(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    connect(this, &QSlider::valueChanged, this,
            [this](int position) { Q_EMIT chosen(formatNumber(valueAt(m_field, position))); });
}

int FieldSlider::positionOf(const FieldInfo& field, double value) {
    const double kept = std::clamp(value, field.minimum, field.sliderEnd);
    if (hasStopPerNumber(field)) return static_cast<int>(kept);
    const double share = isLogarithmic(field)
                             ? std::log(kept / field.minimum) / std::log(field.sliderEnd / field.minimum)
                             : (kept - field.minimum) / (field.sliderEnd - field.minimum);
    return static_cast<int>(std::lround(share * steps));
}

double FieldSlider::valueAt(const FieldInfo& field, int position) {
    if (hasStopPerNumber(field)) return position;
    const double share = static_cast<double>(position) / steps;
    const double value = isLogarithmic(field) ? field.minimum * std::pow(field.sliderEnd / field.minimum, share)
                                              : std::lerp(field.minimum, field.sliderEnd, share);
    if (field.kind == FieldInfo::Kind::integer) return std::round(value);
    if (value == 0) return 0;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 2);
    return std::clamp(std::round(value / unit) * unit, field.minimum, field.sliderEnd);
}

void FieldSlider::show(const FieldInfo& field, const std::vector<std::string>& values) {
    const QSignalBlocker quiet(this);
    m_field = field;
    setAccessibleName(coreText(field.label));
    if (isSliderDown()) return;
    if (hasStopPerNumber(field)) {
        setRange(static_cast<int>(field.minimum), static_cast<int>(field.sliderEnd));
        setPageStep(std::max(1, (maximum() - minimum()) / 10));
    } else {
        setRange(0, steps);
        setPageStep(steps / 10);
    }
    const auto value = valuesDiffer(values) ? std::nullopt : parseNumber(values.front());
    if (value) setValue(positionOf(field, *value));
}

} // namespace trainyard
