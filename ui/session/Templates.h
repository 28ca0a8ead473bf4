// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Documents to start from: small clusters with a job or two on them, so that a new document runs at once.
// Shown by the start page and by File → New from Template.
#include "scenario/Scenario.h"

#include <QString>

#include <vector>

namespace trainyard {

struct ResourcePaths;

struct Template {
    QString id, title, sentence;
    Scenario scenario;
};

/// It comes with Trainyard: it opens as a copy, which is saved elsewhere.
bool isShippedScenario(const QString& path, const ResourcePaths& resources);
/// The empty one comes first.
std::vector<Template> documentTemplates();

} // namespace trainyard
