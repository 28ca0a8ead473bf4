// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What trainyard-bench is asked for on its command line: a measurement of the window, or a picture of it.
#include "session/Workspace.h"

#include <QSize>
#include <QStringList>

namespace trainyard {

class MainWindow;

struct BenchOptions {
    QString file;
    QString screenshot; ///< path of the picture to write; empty: the window is measured
    QSize size{1280, 800};
    QString language;    ///< "pseudo", "" = as written
    QString change;      ///< "synchronization=fastest-k,k=2": to be chosen once the picture's instant has come
    QStringList select;  ///< keys of machines, switches, links or racks, or of a job, to be selected
    QString link;        ///< "r1m2=tor-2": a link that is being drawn, the button still held
    QString theme;       ///< "light", "dark", "high-contrast", "" = as set
    QStringList panels;  ///< to be brought to the front
    QStringList compare; ///< arms to be compared in the place Compare: "synchronization=async"; "": the place alone
    QStringList sweep;   ///< one or two JSON pointers: the response of a metric to them
    /// "start", "lab", "compare"; "two-runs": the run and the one before it; "claims/STUDY[/PART]": measured quickly;
    /// "training/ITERATIONS": the first configuration is trained for so many; "": as it opens
    QString place;
    QString page;  ///< HTML file of the comparison or the claims to write
    int chart = 0; ///< kind of the charts of a comparison
    bool projector = false;
    double atSeconds = -1;
    bool json = false, memory = false; ///< memory: of a run with its ghost, and nothing else
    bool comparison = false;           ///< frames of the place Compare, and nothing else
    bool training = false;             ///< frames while an agent is trained, and nothing else
    int jobs = 1000;                   ///< of the run that is measured
};

/// Plays until the run has come to options.atSeconds (or to its end), writes the picture and returns the exit
/// status.
int takeScreenshot(MainWindow& window, Workspace& workspace, const BenchOptions& options);

/// Measures start-up, the work of a frame with 1,000 machines and options.jobs jobs (during a run, dragged, zoomed,
/// panned), scrubbing, opening and memory; at 1280×800 and, named "large", at 1920×1080. Prints the
/// benchmarks. `secondsToFirstPaint`: of this start, measured by the caller.
int runBench(MainWindow& window, Workspace& workspace, const BenchOptions& options, double secondsToFirstPaint);

} // namespace trainyard
