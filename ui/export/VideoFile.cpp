// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/VideoFile.h"

#include "run/files/StagedDirectory.h"

#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryFile>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace trainyard {

namespace video_file {

constexpr int pollMilliseconds = 100;

/// A value of ffmpeg's own metadata format.
QByteArray escaped(const QByteArray& text) {
    QByteArray out;
    for (const char c : text) {
        if (c == '=' || c == ';' || c == '#' || c == '\\' || c == '\n') out += '\\';
        out += c;
    }
    return out;
}

QStringList codec(const QString& format) {
    const auto words = [](const char* text) { return QString::fromLatin1(text).split(QLatin1Char(' ')); };
    return format == QLatin1String("webm")
               ? words("-c:v libvpx-vp9 -b:v 0 -crf 30 -row-mt 1 -deadline good -cpu-used 4 -f webm")
               : words("-c:v libx264 -crf 18 -preset medium -movflags +faststart -f mp4");
}

Problem failed(const QString& file, const QString& why) {
    return {.code = "no-video",
            .message = {TRAINYARD_TEXT("the video was not made: {0}"), {why.toStdString()}},
            .file = file.toStdString()};
}

/// The last frame that ffmpeg says it has worked off.
int framesDone(const QByteArray& said) {
    const qsizetype at = said.lastIndexOf("frame=");
    return at < 0 ? 0 : said.mid(at + 6, said.indexOf('\n', at) - at - 6).trimmed().toInt();
}

} // namespace video_file

QString videoProgram() { return QStandardPaths::findExecutable(QStringLiteral("ffmpeg")); }

void writeVideo(const VideoJob& job, const std::function<bool(double)>& progress, ExportResult& result) {
    using namespace video_file;
    const QString program = videoProgram();
    if (program.isEmpty()) {
        result.problems.push_back(failed(job.file, QStringLiteral("ffmpeg is not installed; the frames are there")));
        return;
    }
    QTemporaryFile metadata; // a scenario can be longer than a command line
    if (!metadata.open()) {
        result.problems.push_back(failed(job.file, metadata.errorString()));
        return;
    }
    metadata.write(";FFMETADATA1\ntitle=" + escaped(job.text.title.toUtf8()) +
                   "\ncomment=" + escaped(job.text.provenance) + '\n');
    metadata.close();
    const std::string file = QFile::encodeName(job.file).toStdString();
    const StagedDirectory staging(std::filesystem::absolute(file).parent_path());
    if (!staging.problems().empty()) {
        result.problems.push_back(staging.problems().front());
        return;
    }
    const std::filesystem::path part = staging.path() / "video";
    QProcess ffmpeg;
    ffmpeg.start(program, QStringList{QStringLiteral("-nostdin"),
                                      QStringLiteral("-nostats"),
                                      QStringLiteral("-loglevel"),
                                      QStringLiteral("error"),
                                      QStringLiteral("-progress"),
                                      QStringLiteral("pipe:1"),
                                      QStringLiteral("-framerate"),
                                      QString::number(job.framesPerSecond),
                                      QStringLiteral("-start_number"),
                                      QStringLiteral("1"),
                                      QStringLiteral("-i"),
                                      job.frames,
                                      QStringLiteral("-i"),
                                      metadata.fileName(),
                                      QStringLiteral("-map"),
                                      QStringLiteral("0:v"),
                                      QStringLiteral("-map_metadata"),
                                      QStringLiteral("1"),
                                      QStringLiteral("-frames:v"),
                                      QString::number(job.count),
                                      QStringLiteral("-vf"),
                                      QStringLiteral("pad=ceil(iw/2)*2:ceil(ih/2)*2"),
                                      QStringLiteral("-pix_fmt"),
                                      QStringLiteral("yuv420p")} +
                              codec(job.format) + QStringList{QFile::decodeName(part.c_str())});
    QByteArray said;
    while (!ffmpeg.waitForFinished(pollMilliseconds)) {
        if (ffmpeg.state() == QProcess::NotRunning) break; // could not be started
        said = said.right(4096) + ffmpeg.readAllStandardOutput();
        if (progress(std::min(0.99, static_cast<double>(framesDone(said)) / std::max(1, job.count)))) continue;
        ffmpeg.kill();
        ffmpeg.waitForFinished();
        result.cancelled = true;
        return;
    }
    if (ffmpeg.exitStatus() != QProcess::NormalExit || ffmpeg.exitCode() != 0) {
        if (!progress(0)) { // Ctrl-C reaches it, too
            result.cancelled = true;
            return;
        }
        const QString why = QString::fromLocal8Bit(ffmpeg.readAllStandardError()).trimmed();
        result.problems.push_back(
            failed(job.file, why.isEmpty() ? ffmpeg.errorString() : why.section(QLatin1Char('\n'), -1)));
        return;
    }
    result.replaced += QFile::exists(job.file);
    if (std::rename(part.c_str(), file.c_str()) != 0) {
        result.problems.push_back(failed(job.file, QStringLiteral("it cannot be put into its place")));
        return;
    }
    result.files << job.file;
    progress(1);
}

} // namespace trainyard
