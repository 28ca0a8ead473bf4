// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/Movie.h"

#include "export/FigureFiles.h"
#include "export/FileWords.h"
#include "export/MovieFrame.h"
#include "export/MovieRun.h"
#include "export/VideoFile.h"
#include "run/files/AtomicFile.h"
#include "session/Provenance.h"

#include <QCoreApplication>
#include <QImage>
#include <QPainter>
#include <QPicture>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace movie {

constexpr double videoShare = 0.2; // of the progress, where there is a video

Problem tooMany(const MovieTimes& times) {
    return {.code = "too-many-frames",
            .message = {TRAINYARD_TEXT("this would be more than {0} frames: choose a shorter part, fewer frames per "
                                       "second, or more simulated seconds per second than {1}"),
                        {std::to_string(mostFrames), std::to_string(times.speed)}}};
}

} // namespace movie

double MovieTimes::at(int frame, int framesPerSecond) const {
    return frame + 1 >= frames ? to : from + frame * speed / framesPerSecond;
}

MovieTimes movieTimes(const MovieOptions& options, double head) {
    MovieTimes times{.from = std::clamp(options.from.value_or(0), 0.0, head),
                     .to = std::clamp(options.to.value_or(head), 0.0, head)};
    times.to = std::max(times.to, times.from);
    const double span = times.to - times.from;
    times.speed = options.speed > 0 ? options.speed : std::max(span / usualMovieSeconds, 1e-9);
    const double needed = std::ceil(span / times.speed * options.framesPerSecond - 1e-6) + 1;
    times.frames = static_cast<int>(std::min<double>(needed, mostFrames + 1));
    return times;
}

QString whyNoVideo() {
    return videoProgram().isEmpty() ? QCoreApplication::translate("Export", "ffmpeg is not installed: only numbered "
                                                                            "frames can be written")
                                    : QString();
}

namespace movie {

std::string frameName(int number) {
    return QStringLiteral("frame-%1.png").arg(number, 6, 10, QLatin1Char('0')).toStdString();
}

/// Frames of a longer movie that was written there before: a video made of all of them would go on with that one.
void sayWhatIsLeft(const std::filesystem::path& frames, int count, Problems& problems) {
    std::error_code ignored;
    int last = count;
    while (std::filesystem::exists(frames / frameName(last + 1), ignored)) ++last;
    if (last > count)
        problems.push_back({.code = "frames-left",
                            .message = {TRAINYARD_TEXT("frames {0} to {1} are of an earlier movie, and are left there"),
                                        {std::to_string(count + 1), std::to_string(last)}},
                            .severity = Severity::warning,
                            .file = frames.string()});
}

ExportResult write(const RunData& run, const RunProvenance& provenance, const MovieOptions& options,
                   const LaneSource& lanes, const ExportControl& control) {
    ExportResult result;
    const std::filesystem::path directory(bytesOf(options.directory)), frames = directory / "frames";
    if (result.problems = probeDirectory(frames); hasErrors(result.problems)) return result;
    const std::size_t events = run.log->size();
    const MovieTimes times = movieTimes(options, events > 0 ? (*run.log)[events - 1].time.toSeconds() : 0);
    if (times.frames > mostFrames) {
        result.problems.push_back(tooMany(times));
        return result;
    }
    const LaneSource source = lanes ? lanes : standardLanes();
    MovieFrame painter(run, options, times, source, provenanceFooter(provenance));
    const FigureText text{painter.title(), provenanceLine(provenance)};
    MovieRun movieRun(run);
    const double share = options.video.isEmpty() ? 1 : 1 - videoShare;
    const auto write = [&](const std::filesystem::path& path, std::string_view bytes) {
        std::error_code ignored;
        const bool replaces = std::filesystem::exists(path, ignored);
        result.problems = writeFileAtomically(path, bytes);
        if (hasErrors(result.problems)) return false;
        result.files << wordOf(path.string());
        result.replaced += replaces;
        return true;
    };
    if (!write(directory / "provenance.json", "{\"provenance\":" + provenanceJsonText(provenance) + "}\n"))
        return result;
    for (int i = 0; i < times.frames; ++i) {
        const SimTime at = SimTime::seconds(times.at(i, options.framesPerSecond));
        movieRun.advanceTo(at);
        QPicture shapes;
        control.paint([&] { painter.record(shapes, movieRun.index(), movieRun.state(), at); });
        const QByteArray png = pngFile(painter.raster(shapes), text);
        if (!control.progress(share * i / times.frames)) { // it may have been stopped before it was painted
            result.cancelled = true;
            return result;
        }
        if (!write(frames / frameName(i + 1), {png.constData(), static_cast<std::size_t>(png.size())})) return result;
    }
    if (!options.video.isEmpty())
        writeVideo(
            {.frames = QString::fromStdString((frames / "frame-%06d.png").string()),
             .count = times.frames,
             .framesPerSecond = options.framesPerSecond,
             .file = QString::fromStdString((directory / "run.").string()) + options.video,
             .format = options.video,
             .text = text},
            [&](double part) { return control.progress(share + (1 - share) * part); }, result);
    sayWhatIsLeft(frames, times.frames, result.problems);
    return result;
}

} // namespace movie

ExportResult exportMovie(const RunData& run, const RunProvenance& provenance, const MovieOptions& options,
                         const LaneSource& lanes, const ExportControl& control) {
    if (Problems nothing = whyNoExport(run); !nothing.empty()) {
        ExportResult result;
        result.problems = std::move(nothing);
        return result;
    }
    return exportInto(bytesOf(options.directory), provenance.digest,
                      [&] { return movie::write(run, provenance, options, lanes, control); });
}

} // namespace trainyard
