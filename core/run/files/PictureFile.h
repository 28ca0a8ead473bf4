// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Pictures of views as CSV and JSON: every number that is drawn, and what the legend says. Written by the
// command line and by the window's export. Formats: docs/format/records.md.
#include "analysis/View.h"
#include "base/CsvRows.h"
#include "model/Workload.h"

#include <nlohmann/json_fwd.hpp>

namespace trainyard {

/// plot,series,kind,x,x_to,y,y_to,value,what: a row per element, named and in the order of the series.
/// Categories by their names. Of a diagram: a row per node, then per edge ("a>b"). Empty where the picture
/// is.
void writePicture(CsvRows& rows, const Picture& picture);
std::string pictureCsv(const Picture& picture);

/// {"view", "title", "empty"} or {"view", "title", "meaning", "legend", "plots" | "nodes" and "edges"}; what
/// an element stands for with the keys of the workload. Numbers that are not finite are null.
nlohmann::ordered_json pictureJson(const View& view, const Picture& picture, const Workload& workload);

} // namespace trainyard
