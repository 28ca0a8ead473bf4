// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Charts of a run by the window's own plotting code: calls `trainyard --render` where it is installed beside
// this program.
#include <stop_token>
#include <string>
#include <vector>

namespace trainyard::cli {

/// One view as one file; its ending (svg, pdf, png) is the format. `arguments`: further ones of --render.
/// False, with the reason on standard error, where it could not be made.
bool renderView(const std::string& recordDirectory, const std::string& view, const std::vector<std::string>& arguments,
                const std::string& file, const std::stop_token& stop);

/// Into the folder `pictures` there (run/files/RunFiles.h). Messages name the directory as `shown`. Says on standard error what it did, in one line. False: charts are missing. That the window is not installed is no failure.
bool renderCharts(const std::string& recordDirectory, const std::string& shown, const std::stop_token& stop);

} // namespace trainyard::cli
