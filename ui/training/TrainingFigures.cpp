// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/TrainingFigures.h"

#include "base/Fnv.h"
#include "export/PictureFigure.h"

namespace trainyard {

Problems writeTrainingChart(const QString& path, const TitledChart& chart, const AgentPlan& plan) {
    Fnv digest;
    const std::string configuration = writeAgentPlan(plan);
    digest.add(configuration.data(), configuration.size());
    const std::string line = "trainyard training=" + digest.text() + " seed=" + std::to_string(plan.seed) +
                             " version=" TRAINYARD_VERSION " command=\"trainyard-cli train CONFIG\"";
    const FigureFrame frame{.size = {640, 400},
                            .theme = Theme::print(),
                            .title = QString::fromStdString(plan.title) + QStringLiteral(": ") + chart.title,
                            .footer = QString::fromStdString(line),
                            .vector = true};
    const auto picture = std::make_shared<const Picture>(*chart.chart);
    return writeChartFile(path, chart, {line, "# " + line + "\n"}, frame.size, 300,
                          [&](QPainter& painter) { paintPictureFigure(painter, frame, picture, {}); });
}

} // namespace trainyard
