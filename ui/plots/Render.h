#pragma once
// Exported figures: loss curves, straggler strip, Gantt and utilization of one run, each as SVG, PDF, PNG and
// CSV, drawn by the window's own painters in the print theme. Every file carries the line of provenance()
// (core run/RunRecord.h), which readRecipe() finds again: given back to either program, a figure reproduces
// its run. Called by `trainyard --render` and by the window's export.
#include "base/Problem.h"
#include "session/RunData.h"
#include "theme/Theme.h"

#include <QSize>
#include <QStringList>

namespace trainyard {

struct RunRecipe;

struct ExportOptions {
    QString directory;     ///< made if needed
    QSize size{1200, 560}; ///< pixels of the PNG; SVG and PDF are as large at 96 pixels per inch
    Theme theme = Theme::print();
};

/// What was written, and what could not be.
struct ExportResult {
    QStringList files;
    Problems problems;
};

/// The run so far; a running one is exported as far as it has come.
ExportResult exportRun(const RunData& run, const ExportOptions& options);
/// The same with a recipe at hand (a record's, which knows its commands).
ExportResult exportFigures(const RunData& run, const RunRecipe& recipe, const ExportOptions& options);
/// The recipe of a run that the window holds: scenario, seed, commands taken from its log, digest.
RunRecipe recipeOf(const RunData& run);

/// `trainyard --render RECORD --out DIR [--width PIXELS] [--height PIXELS] [--theme print|light|dark]`: the
/// program's arguments, its name first. Prints the files' names; problems go to standard error. Exit status:
/// 0 done, 1 not everything could be written, 2 bad usage or bad input. Needs a QGuiApplication.
int renderRecord(const QStringList& arguments);

} // namespace trainyard
