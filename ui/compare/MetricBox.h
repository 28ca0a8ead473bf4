// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One metric of the run, chosen from all that stand for themselves. Used by the pages of Compare.
#include "theme/ElidedComboBox.h"

#include <string>

namespace trainyard {

class MetricBox final : public ElidedComboBox {
    Q_OBJECT
public:
    explicit MetricBox(const QString& accessibleName, QWidget* parent = nullptr);

    std::string metric() const { return currentData().toString().toStdString(); }
    void setMetric(const std::string& id); ///< what it does not offer changes nothing
};

} // namespace trainyard
