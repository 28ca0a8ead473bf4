// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Pictures within a form of what its numbers mean: a law's density, drawn arrivals and sizes, samples of a
// data set.
#include "analysis/TrainingChoices.h"
#include "scenario/EntityFields.h"

#include <QWidget>

namespace trainyard {

class FormPreview : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual void show(const Scenario& scenario, EntityRef entity) = 0;
};

/// What is drawn beneath this field or group; null if nothing is.
FormPreview* makeFormPreview(const FieldInfo& field, EntityRef::Kind kind, const ResourcePaths& resources);

} // namespace trainyard
