// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Charts of a training as files.
#include "export/ChartFile.h"
#include "scenario/agents/AgentPlan.h"

namespace trainyard {

/// By the file's ending: png, svg, pdf, csv, tex; with the title, seed and digest of the configuration inside. Problems: another ending, or it
/// cannot be written.
Problems writeTrainingChart(const QString& path, const TitledChart& chart, const AgentPlan& plan);

} // namespace trainyard
