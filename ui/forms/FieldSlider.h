// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The slider of a number that has a usual range: a stop per whole number where there are few, else a thousand, on a log
// scale where the field says so. Values past its end stand at the end. Used by ValueEditor.
#include "scenario/EntityFields.h"

#include <QSlider>

namespace trainyard {

class FieldSlider final : public QSlider {
    Q_OBJECT
public:
    explicit FieldSlider(QWidget* parent = nullptr);
    static bool suits(const FieldInfo& field) { return field.sliderEnd > field.minimum; }
    /// Values that differ leave it where it is.
    void show(const FieldInfo& field, const std::vector<std::string>& values);

    static constexpr int steps = 1000;
    /// From 0, or from the minimum where each whole number is a stop.
    static int positionOf(const FieldInfo& field, double value);
    /// Of three digits: what a hand on a slider means.
    static double valueAt(const FieldInfo& field, int position);

Q_SIGNALS:
    void chosen(const std::string& json);

private:
    FieldInfo m_field;
};

} // namespace trainyard
