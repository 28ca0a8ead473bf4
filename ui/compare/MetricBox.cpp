// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/MetricBox.h"

#include "session/MetricSubject.h"

namespace trainyard {

MetricBox::MetricBox(const QString& accessibleName, QWidget* parent) : ElidedComboBox(parent) {
    setAccessibleName(accessibleName);
    keepListShort(*this);
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const auto& metric : metricDefinitions())
        if (metric.ofRun() && !standsForSeveral(metric))
            addItem(metricLabel(metric), QString::fromStdString(metric.id));
}

void MetricBox::setMetric(const std::string& id) {
    if (const int at = findData(QString::fromStdString(id)); at >= 0) setCurrentIndex(at);
}

} // namespace trainyard
