#include "Commands.h"

namespace trainyard::cli {

void addCommands(CLI::App& app, int& status) {
    addList(app, status);
    addBench(app, status);
}

} // namespace trainyard::cli
