#pragma once
// Charts of a run by the window's own plotting code: calls `trainyard --render` where it is installed beside
// this program.
#include <stop_token>
#include <string>

namespace trainyard::cli {

/// Says on standard error what it did, in one line. A missing window is no failure of the run.
void renderCharts(const std::string& recordDirectory, const std::stop_token& stop);

} // namespace trainyard::cli
