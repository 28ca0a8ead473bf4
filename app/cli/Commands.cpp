#include "Commands.h"

namespace trainyard::cli {

void addCommands(CLI::App& app, int& status) {
    addRun(app, status);
    addCompare(app, status);
    addReproduce(app, status);
    addSweep(app, status);
    addMerge(app, status);
    addValidate(app, status);
    addVerify(app, status);
    addList(app, status);
    addBench(app, status);
    addExplain(app, status);
    addChart(app, status);
    addFit(app, status);
    addImport(app, status);
}

} // namespace trainyard::cli
