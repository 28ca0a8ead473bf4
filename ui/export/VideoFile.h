// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Turns numbered frames into a video by means of ffmpeg, if that is installed; its metadata carry the run.
// Used by Movie only.
#include "export/ExportWork.h"
#include "export/FigureFiles.h"

namespace trainyard {

struct VideoJob {
    QString frames; ///< path of the frames, with "%06d" for their number, which counts from 1
    int count = 0;
    int framesPerSecond = 25;
    QString file;   ///< appears whole or not at all
    QString format; ///< "mp4" (H.264) or "webm" (VP9)
    FigureText text;
};

/// Where ffmpeg is; empty: not installed.
QString videoProgram();
/// Blocks until the video is there; any thread. `progress`: as in ExportControl. Adds to the result.
void writeVideo(const VideoJob& job, const std::function<bool(double)>& progress, ExportResult& result);

} // namespace trainyard
