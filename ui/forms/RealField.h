// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A number as it is typed: any notation, no zeros that say nothing, with its unit. Used by ParamForm.
#include <QDoubleSpinBox>

#include <optional>

namespace trainyard {

/// A real-number field without trailing zeros.
class RealField final : public QDoubleSpinBox {
public:
    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;

private:
    std::optional<double> numberIn(const QString& text) const;
};

} // namespace trainyard
