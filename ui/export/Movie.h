// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A run as a movie: numbered PNG frames of cluster and timeline as they were at each instant, and a video of
// them where ffmpeg is installed. Each frame, the video's metadata and a provenance beside them carry the run.
// Used by the export panel and by the command line.
#include "export/ExportWork.h"

#include <QSize>

namespace trainyard {

struct MovieOptions {
    QString directory;        ///< frames go to its "frames", the video beside
    QSize size = {1280, 800}; ///< pixels of a frame
    int framesPerSecond = 25;
    std::optional<double> from = {}, to = {}; ///< simulated seconds; empty: from the start, to the end
    double speed = 0;                         ///< simulated seconds per second of movie; 0: all in 20 s
    QString video = {};                       ///< "mp4", "webm"; empty: frames only
    Theme theme = Theme::light();
    QString unit = {};  ///< of the time axis; empty: by the span
    bool ghost = true;  ///< the run compared with, beneath lanes that have one
    QString title = {}; ///< empty: the scenario's
    QString view = {};  ///< of views(): in place of the cluster; empty: the cluster
    QString job = {};   ///< key of the job that the view is of; empty: the first that has workers
    ParamValues viewOptions = {};
};

constexpr int mostFrames = 100'000, mostFramesPerSecond = 120;
constexpr int leastFrameSide = 240, mostFrameSide = 7680;
constexpr double usualMovieSeconds = 20;

/// The instants of the frames: evenly spaced, the first at the beginning, the last at the end. `head`: where
/// the run has come to, seconds.
struct MovieTimes {
    double from = 0, to = 1, speed = 1; ///< speed: as above, never 0
    int frames = 1;                     ///< mostFrames + 1 if more would be needed
    double at(int frame, int framesPerSecond) const;
};
MovieTimes movieTimes(const MovieOptions& options, double head);

/// Why there can be no video; empty if there can.
QString whyNoVideo();

ExportResult exportMovie(const RunData& run, const RunProvenance& provenance, const MovieOptions& options,
                         const LaneSource& lanes = {}, const ExportControl& control = {});

} // namespace trainyard
