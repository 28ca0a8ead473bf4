// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Writes the chosen views of one run as files: the same for the window, where it works on a thread of its
// own, and for the command line. Lanes are painted on the window's thread, as shapes, in a few milliseconds
// each; everything else (folding the log, pixels, compression, files) is done where this is called.
#include "base/ParamSchema.h"
#include "base/Problem.h"
#include "export/ExportViews.h"
#include "export/Figure.h"
#include "session/RunData.h"

#include <QHash>
#include <QStringList>

namespace trainyard {

struct RunProvenance;

struct ExportOptions {
    QString directory;         ///< made if needed
    QStringList views = {};    ///< ids; empty: all
    QStringList formats = {};  ///< of exportFormats(); empty: all
    QSizeF size = {1200, 560}; ///< of figures, in pixels at 96 per inch
    int dotsPerInch = 96;      ///< of PNG
    Theme theme = Theme::print();
    std::optional<double> from = {}, to = {}; ///< seconds; empty: from the start, to the end
    std::optional<double> at = {};            ///< instant of cluster and tables; empty: the end
    QString unit = {};                        ///< of the time axis, an id of timeUnits(); empty: by the span
    bool footer = true;                       ///< the run in small print under each figure
    bool ghost = true;                        ///< the run compared with, beneath lanes that have one
    bool leaveOutEmpty = false;               ///< views with nothing to show, also of those named
    QHash<QString, FigureTexts> texts = {};   ///< by view
    QString job = {};                         ///< key of the job that views are of; empty: the first that has workers
    std::map<std::string, ParamValues> viewOptions = {}; ///< by view
    QString file = {};                                   ///< the one figure goes there, not to the directory
};
/// "png", "svg", "pdf", "csv".
const QStringList& exportFormats();
constexpr int leastDots = 48, mostDots = 1200;     ///< per inch
constexpr double leastSide = 120, mostSide = 8000; ///< of a figure, pixels at 96 per inch

/// What was written, and what could not be.
struct ExportResult {
    QStringList files;
    int replaced = 0; ///< of them, how many took the place of older ones
    bool cancelled = false;
    Problems problems;
};

/// How an export meets the world around it.
struct ExportControl {
    /// Calls back on the window's thread, and returns when that is done.
    std::function<void(const std::function<void()>&)> paint = [](const auto& f) { f(); };
    /// Told how much is done, 0 … 1; false: stop. What has been written stays, whole.
    std::function<bool(double share)> progress = [](double) { return true; };
};

/// The run so far; a running one is exported as far as it has come. Goes on after a file that cannot be
/// written.
ExportResult exportRun(const RunData& run, const ExportOptions& options, const LaneSource& lanes = {},
                       const ExportControl& control = {});
/// The same with a provenance at hand (a record's, which knows its commands).
ExportResult exportFigures(const RunData& run, const RunProvenance& provenance, const ExportOptions& options,
                           const LaneSource& lanes = {}, const ExportControl& control = {});
/// Work that writes files of a run into a directory, made if needed. Where that holds a record with a list of its files
/// (run/files/RunFiles.h), or is the folder of pictures of one, they are of the record, and nothing is written if it is of another run.
ExportResult exportInto(const std::string& directory, const std::string& digest,
                        const std::function<ExportResult()>& work);
/// Nothing has run yet: what all exports then answer; empty if something has.
Problems whyNoExport(const RunData& run);

} // namespace trainyard
