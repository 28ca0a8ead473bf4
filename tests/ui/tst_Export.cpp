// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Exports as work: what is written and told, that they can be stopped at any file, that nothing is ever left
// half written, that a run on show goes on meanwhile, and that a movie shows each instant as it was.
#include "charts/ChartLane.h"
#include "export/ExportJob.h"
#include "export/FigureSource.h"
#include "export/Movie.h"
#include "export/Recover.h"
#include "session/Provenance.h"
#include "support/BusyRecord.h"
#include "support/FullDisk.h"
#include "support/Patience.h"
#include "support/SmallScenarios.h"
#include "support/SvgTexts.h"
#include "support/TestMain.h"

#include <QDir>
#include <QImage>
#include <QPainter>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace trainyard;

class tst_Export : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void chosenViewsAndFormatsOnly();
    void olderFilesAreReplacedAndCounted();
    void cancelLeavesWholeFiles_data();
    void cancelLeavesWholeFiles();
    void fullDiskLeavesNothingHalf();
    void directoryInTheWayIsSaid();
    void unwritableDirectoryIsSaid();
    void pictureTooLargeIsSaid();
    void instantIsThatAskedFor();
    void tableNarrowsToTheSpan();
    void addedViewsHaveTables();
    void figuresSayWhoseTheyAre();
    void burstsAreNotDrawnAsLoad_data();
    void burstsAreNotDrawnAsLoad();
    void jobWorksBesideTheWindow();
    void jobEndsWithItsOwner();
    void movieTimesAreEven();
    void framesShowTheirInstants();
    void movieShowsAView();
    void movieCarriesItsRun();
    void cancelledMovieKeepsWholeFrames();
    void videoNeedsFfmpeg();
    void failingFfmpegIsSaid();

private:
    static QStringList files(const QString& directory);
};

QStringList tst_Export::files(const QString& directory) {
    return QDir(directory).entryList(QDir::Files | QDir::Hidden, QDir::Name);
}

void tst_Export::chosenViewsAndFormatsOnly() {
    QTemporaryDir directory;
    const ExportResult result =
        exportRun(test::busyRunData(), {.directory = directory.path(),
                                        .views = {QStringLiteral("gantt"), QStringLiteral("jobs")},
                                        .formats = {QStringLiteral("pdf"), QStringLiteral("csv")}});
    QVERIFY(result.problems.empty());
    QCOMPARE(files(directory.path()), QStringList({QStringLiteral("gantt.csv"), QStringLiteral("gantt.pdf"),
                                                   QStringLiteral("jobs.csv"), QStringLiteral("jobs.pdf")}));
    QCOMPARE(result.files.size(), 4);
    QCOMPARE(result.replaced, 0);
}

void tst_Export::olderFilesAreReplacedAndCounted() {
    QTemporaryDir directory;
    QFile older(directory.filePath(QStringLiteral("loss.csv")));
    QVERIFY(older.open(QIODevice::WriteOnly) && older.write("older") == 5);
    older.close();
    const ExportResult result =
        exportRun(test::busyRunData(), {.directory = directory.path(),
                                        .views = {QStringLiteral("loss")},
                                        .formats = {QStringLiteral("csv"), QStringLiteral("svg")}});
    QCOMPARE(result.replaced, 1);
    QVERIFY(older.open(QIODevice::ReadOnly));
    QVERIFY(older.readAll().startsWith("# trainyard "));
    // A browser must find the family: "Sans Serif" is none, and it would take a serif one.
    QFile svg(directory.filePath(QStringLiteral("loss.svg")));
    QVERIFY(svg.open(QIODevice::ReadOnly));
    const QByteArray picture = svg.readAll();
    QCOMPARE(picture.count(", sans-serif\""), picture.count("font-family="));
    QVERIFY(picture.count("font-family=") > 0 && !picture.contains("\"Sans Serif"));
}

void tst_Export::cancelLeavesWholeFiles_data() {
    QTest::addColumn<QStringList>("views");
    for (const char* view : {"loss", "gantt", "iteration", "cluster", "jobs", "events"}) // each kind, by itself
        QTest::newRow(view) << QStringList{QLatin1String(view)};
    QTest::newRow("two views") << QStringList{QStringLiteral("jobs"), QStringLiteral("utilization")};
}

// Stopped at every possible question, each file that is there gives its run back, and no other file is there.
void tst_Export::cancelLeavesWholeFiles() {
    QFETCH(QStringList, views);
    const auto brief = test::busyRun(4);
    const RunData run{.id = 1, .scenario = brief.scenario, .seed = 42, .workload = brief.workload, .log = brief.log};
    std::size_t before = 0;
    bool finished = false;
    for (int questions = 1; !finished && questions < 400; ++questions) {
        QTemporaryDir directory;
        int left = questions;
        ExportControl control;
        control.progress = [&](double share) { return share >= 0 && share <= 1 && --left > 0; };
        const ExportResult result =
            exportRun(run, {.directory = directory.path(), .views = views, .size = {300, 160}}, {}, control);
        finished = !result.cancelled;
        QVERIFY(result.problems.empty());
        const QStringList there = files(directory.path());
        QCOMPARE(there.size(), result.files.size());
        QVERIFY(static_cast<std::size_t>(there.size()) >= before);
        if (static_cast<std::size_t>(there.size()) == before && !finished) continue; // nothing new to read
        before = static_cast<std::size_t>(there.size());
        if (before > 0) QVERIFY(scenarioFromFigure(result.files.back()).ok());
    }
    QVERIFY(finished);
    QCOMPARE(before, static_cast<std::size_t>(4 * views.size()));
}

// The system's limit on the size of a file stands for a disk that is full: writing fails in the middle.
void tst_Export::fullDiskLeavesNothingHalf() {
    QTemporaryDir directory;
    ExportResult result;
    {
        const test::FullDisk full(20'000);
        result = exportRun(test::busyRunData(), {.directory = directory.path(), .size = {900, 480}});
    }
    QVERIFY(hasErrors(result.problems));
    QVERIFY(!result.files.isEmpty()); // small ones had room
    QCOMPARE(files(directory.path()).size(), result.files.size());
    QCOMPARE(result.problems.size(), std::size_t{1}); // of all files that had none
    QCOMPARE(result.problems.front().file, directory.path().toStdString());
    QVERIFY(std::stoi(result.problems.front().message.arguments.front()) > 3);
    for (const QString& file : result.files) QVERIFY2(scenarioFromFigure(file).ok(), qPrintable(file));
}

void tst_Export::directoryInTheWayIsSaid() {
    QTemporaryDir directory;
    QVERIFY(QDir(directory.path()).mkdir(QStringLiteral("loss.png")));
    const ExportResult result =
        exportRun(test::busyRunData(), {.directory = directory.path(),
                                        .views = {QStringLiteral("loss")},
                                        .formats = {QStringLiteral("png"), QStringLiteral("svg")}});
    QCOMPARE(result.problems.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(result.problems[0].file).endsWith(QStringLiteral("loss.png")));
    QCOMPARE(files(directory.path()), QStringList{QStringLiteral("loss.svg")}); // the others are written all the same
}

void tst_Export::unwritableDirectoryIsSaid() {
    QTemporaryDir directory;
    QFile file(directory.filePath(QStringLiteral("file")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const ExportResult result =
        exportRun(test::busyRunData(), {.directory = file.fileName() + QStringLiteral("/charts")});
    QVERIFY(hasErrors(result.problems));
    QVERIFY(result.files.isEmpty());
    QVERIFY(hasErrors(exportRun({}, {.directory = directory.path()}).problems)); // nothing has run
}

void tst_Export::pictureTooLargeIsSaid() {
    QTemporaryDir directory;
    const ExportResult result =
        exportRun(test::busyRunData(), {.directory = directory.path(),
                                        .views = {QStringLiteral("gantt")},
                                        .formats = {QStringLiteral("png"), QStringLiteral("svg")},
                                        .size = {8000, 8000},
                                        .dotsPerInch = 1200});
    QCOMPARE(result.problems.size(), std::size_t{1});
    QCOMPARE(result.problems[0].code, std::string("figure-too-large"));
    QCOMPARE(files(directory.path()), QStringList{QStringLiteral("gantt.svg")});
}

// At 5 s all nine workers sit on their machines; at the end none does.
void tst_Export::instantIsThatAskedFor() {
    const auto table = [](std::optional<double> at) {
        FigureSource source(test::busyRunData(), {.at = at}, {});
        std::string text;
        CsvRows rows([&](std::string_view piece) { return !(text += piece).empty(); });
        source.writeTable(rows, {QStringLiteral("cluster"), {}, ViewKind::cluster}, {}, [](const auto& f) { f(); });
        rows.flush();
        return text;
    };
    QVERIFY(table(5).find("\nm1,,up,3,4,5,16,digits:w1 digits:s1\n") != std::string::npos);
    QVERIFY(table(5).find("\nm2,,up,3,4,7,16,digits:w2 ranking:w1\n") != std::string::npos);
    QVERIFY(table({}).find("\nm1,,up,0,4,0,16,\n") != std::string::npos);
    QVERIFY(table(13).find("\nm7,,down,0,4,0,16,\n") != std::string::npos);
}

void tst_Export::tableNarrowsToTheSpan() {
    FigureSource source(test::busyRunData(), {.from = 12.0, .to = 14.0}, {});
    std::string text;
    CsvRows rows([&](std::string_view piece) { return !(text += piece).empty(); });
    source.writeTable(rows, {QStringLiteral("events"), {}, ViewKind::events}, {}, [](const auto& f) { f(); });
    rows.flush();
    const QStringList lines = QString::fromStdString(text).split(QLatin1Char('\n'), Qt::SkipEmptyParts).mid(1);
    QVERIFY(lines.size() > 10);
    for (const QString& line : lines) {
        const double t = line.section(QLatin1Char(','), 0, 0).toDouble();
        QVERIFY2(t >= 12 && t <= 14, qPrintable(line));
    }
    QVERIFY(lines.first().startsWith(QStringLiteral("12,"))); // what happens at the first instant belongs to it
}

void tst_Export::burstsAreNotDrawnAsLoad_data() {
    QTest::addColumn<int>("bursts");
    for (const int bursts : {700, 1100, 3000, 20'000}) QTest::addRow("%d", bursts) << bursts;
}

// A link that is busy for a thousandth of the time: its figure shows that, its table has every change.
void tst_Export::burstsAreNotDrawnAsLoad() {
    QFETCH(int, bursts);
    const auto log = std::make_shared<EventLog>();
    const auto workload = expandWorkload(test::starScenario(4), 1);
    for (int i = 0; i < bursts; ++i)
        for (const bool busy : {true, false}) {
            Event e{.time = SimTime::seconds((i + (busy ? 0 : 1e-3)) / bursts), .type = EventType::linkLoad};
            e.a = 2;
            e.value = busy ? workload->cluster.links[1].bandwidth : 0;
            if (busy || i + 1 < bursts) log->append(e);
        }
    Event last = (*log)[log->size() - 1]; // the last one is a tenth of a second
    last.time = last.time + Duration::seconds(0.03);
    last.value = 0;
    log->append(last);
    const RunData run{.scenario = nullptr, .seed = 1, .workload = workload, .log = log};
    FigureSource source(run, {.viewOptions = {{"link", {{"link", workload->cluster.links[1].key}}}}}, {});
    const ExportView view{QStringLiteral("link"), {}, ViewKind::view, findView("link")};
    std::string text;
    CsvRows rows([&](std::string_view piece) { return !(text += piece).empty(); });
    source.writeTable(rows, view, {}, [](const auto& f) { f(); });
    rows.flush();
    QVERIFY2(std::ranges::count(text, '\n') > 2 * bursts, text.substr(0, 500).c_str());
    QImage image(source.sizeOf(view).toSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    source.paint(painter, view, {}, {}, true);
    painter.end();
    int high = 0, low = 0; // coloured pixels; text and grid are grey
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (QColor(image.pixel(x, y)).hsvSaturation() > 60) ++(2 * y < image.height() ? high : low);
    QVERIFY2(low > 100, qPrintable(QString::number(low)));
    QVERIFY2(high > 100 && high < 3000, qPrintable(QString::number(high))); // the last one, and no other
}

// New views need no code to be exported as lanes, pictures and numbers.
void tst_Export::addedViewsHaveTables() {
    const auto lane = makeChartLane({QStringLiteral("workers?job=ranking")});
    const LaneSource lanes = [&] { return std::vector<LaneView>{{lane->id(), lane.get()}}; };
    QTemporaryDir directory;
    const ExportResult result =
        exportRun(test::busyRunData(), {.directory = directory.path(), .views = {lane->id()}}, lanes);
    QVERIFY(result.problems.empty());
    QCOMPARE(result.files.size(), 4);
    QFile file(directory.filePath(QStringLiteral("workers-ranking.csv")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QList<QByteArray> lines = file.readAll().trimmed().split('\n');
    lines.removeIf([](const QByteArray& line) { return line.startsWith('#'); });
    QCOMPARE(lines[0], QByteArrayLiteral("plot,series,kind,x,x_to,y,y_to,value,what"));
    QVERIFY(lines.contains(QByteArrayLiteral("1,placed workers,steps,4,12,3,,,")));
}

/// Which machine it is, not "A machine".
void tst_Export::figuresSayWhoseTheyAre() {
    QTemporaryDir directory;
    const RunData run = test::busyRunData();
    const ExportResult result = exportRun(
        run, {.directory = directory.path(), .views = {QStringLiteral("machine")}, .formats = {QStringLiteral("svg")}});
    QVERIFY(result.problems.empty());
    QFile file(directory.filePath(QStringLiteral("machine.svg")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const Machine& machine = run.workload->cluster.machines.front();
    const QString title =
        QStringLiteral("A machine, %1").arg(QString::fromStdString(machine.name.empty() ? machine.key : machine.name));
    const QStringList texts = test::svgTexts(file.readAll());
    QVERIFY2(texts.join(u'|').contains(title), qPrintable(texts.join(u'|')));
}

// While it works the event loop turns: a timer of the window's goes on.
void tst_Export::jobWorksBesideTheWindow() {
    QTemporaryDir directory;
    ExportJob job;
    QSignalSpy finished(&job, &ExportJob::finished), progressed(&job, &ExportJob::progressed);
    const LaneSource lanes = standardLanes();
    const QThread* window = QThread::currentThread();
    std::atomic<bool> besides = true, painted = false;
    job.start(QStringLiteral("Exporting"), [&](const ExportControl& control) {
        besides = besides && QThread::currentThread() != window;
        control.paint([&] { painted = QThread::currentThread() == window; });
        return exportRun(test::busyRunData(), {.directory = directory.path()}, lanes, control);
    });
    QVERIFY(job.isRunning());
    QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, test::patience);
    QVERIFY(besides && painted);
    QVERIFY(!job.isRunning());
    QVERIFY(job.result().problems.empty());
    QCOMPARE(job.result().files.size(),
             92); // 23 views in four formats; those of adaptive policies do not concern this run
    QVERIFY(progressed.count() > 3);
    QCOMPARE(job.share(), 1.0);
}

void tst_Export::jobEndsWithItsOwner() {
    QTemporaryDir directory;
    const LaneSource lanes = standardLanes();
    bool cancelled = false;
    {
        ExportJob job;
        job.start(QStringLiteral("Exporting"), [&](const ExportControl& control) {
            while (control.progress(0)) control.paint([] {});
            ExportResult result = exportRun(test::busyRunData(), {.directory = directory.path()}, lanes, control);
            cancelled = result.cancelled;
            return result;
        });
        QCoreApplication::processEvents();
    }
    QVERIFY(cancelled);
    QVERIFY(files(directory.path()).isEmpty());
}

void tst_Export::movieTimesAreEven() {
    // 10 s at 2 s per second and 4 frames per second: 20 steps of half a second.
    const MovieTimes times = movieTimes({.framesPerSecond = 4, .speed = 2}, 10);
    QCOMPARE(times.frames, 21);
    for (int i = 0; i < 21; ++i) QCOMPARE(times.at(i, 4), 0.5 * i);
    // What does not divide ends with a shorter step.
    const MovieTimes odd = movieTimes({.framesPerSecond = 1, .from = 1.0, .to = 4.5, .speed = 1}, 10);
    QCOMPARE(odd.frames, 5);
    QCOMPARE(odd.at(3, 1), 4.0);
    QCOMPARE(odd.at(4, 1), 4.5);
    QCOMPARE(movieTimes({}, 100).speed, 5.0); // all in 20 s
    QCOMPARE(movieTimes({.speed = 1e-9}, 1e6).frames, mostFrames + 1);
    QTemporaryDir directory;
    const RunData run = test::busyRunData();
    const ExportResult much = exportMovie(run, provenanceOf(run), {.directory = directory.path(), .speed = 1e-9});
    QCOMPARE(much.problems.size(), std::size_t{1});
    QCOMPARE(much.problems[0].code, std::string("too-many-frames"));
    QVERIFY(much.files.isEmpty());
}

// A frame is the same whether the movie began at 0 or just before it.
void tst_Export::framesShowTheirInstants() {
    QTemporaryDir directory;
    const RunData run = test::busyRunData();
    const auto movie = [&](const char* name, double from, double to, double speed) {
        MovieOptions options{
            .directory = directory.filePath(QLatin1String(name)), .size = {640, 400}, .framesPerSecond = 1};
        options.from = from;
        options.to = to;
        options.speed = speed;
        return exportMovie(run, provenanceOf(run), options);
    };
    QCOMPARE(movie("a", 0, 8, 2).files.size(), 6); // five frames and the provenance
    QCOMPARE(movie("b", 0, 8, 4).files.size(), 4);
    const auto frame = [&](const char* of, int number) {
        return QImage(directory.filePath(
            QStringLiteral("%1/frames/frame-%2.png").arg(QLatin1String(of)).arg(number, 6, 10, QLatin1Char('0'))));
    };
    QCOMPARE(frame("a", 1).size(), QSize(640, 400));
    QVERIFY(frame("a", 5).size() == QSize(640, 400) && frame("a", 6).isNull());
    QCOMPARE(frame("a", 3), frame("b", 2)); // both at 4 s
    QVERIFY(frame("a", 3) != frame("a", 2));
    // A shorter one in its place says which frames are not its own.
    const ExportResult shorter = movie("a", 0, 8, 4);
    QCOMPARE(shorter.problems.size(), std::size_t{1});
    QVERIFY2(shorter.problems[0].text().find("frames 4 to 5 ") != std::string::npos,
             shorter.problems[0].text().c_str());
    QCOMPARE(movie("b", 0, 8, 4).problems.size(), std::size_t{0});
    if (const QString shots = qEnvironmentVariable("TRAINYARD_SHOTS"); !shots.isEmpty())
        exportMovie(run, provenanceOf(run),
                    {.directory = shots + QStringLiteral("/movie"), .framesPerSecond = 1, .speed = 4});
}

// In place of the cluster a movie may show a view: other frames than with the cluster, and others as time goes on.
void tst_Export::movieShowsAView() {
    QTemporaryDir directory;
    const RunData run = test::busyRunData();
    const auto frame = [&](const char* name, const char* view, double at) {
        const QString folder = directory.filePath(QLatin1String(name));
        exportMovie(run, provenanceOf(run),
                    {.directory = folder,
                     .size = {640, 400},
                     .framesPerSecond = 1,
                     .from = at,
                     .to = at,
                     .view = QLatin1String(view)});
        return QImage(folder + QStringLiteral("/frames/frame-000001.png"));
    };
    const QImage cluster = frame("cluster", "", 5), early = frame("early", "participation", 5),
                 late = frame("late", "participation", 9);
    QVERIFY(!cluster.isNull() && !early.isNull());
    QVERIFY(cluster != early && early != late);
}

void tst_Export::movieCarriesItsRun() {
    QTemporaryDir directory;
    const RunData run = test::busyRunData();
    MovieOptions options{.directory = directory.path(), .size = {320, 240}, .framesPerSecond = 2, .speed = 10};
    if (whyNoVideo().isEmpty()) options.video = QStringLiteral("mp4");
    ExportResult result = exportMovie(run, provenanceOf(run), options);
    for (const auto& problem : result.problems) qWarning("%s", problem.text().c_str());
    QVERIFY(result.problems.empty());
    if (!options.video.isEmpty()) {
        options.video = QStringLiteral("webm");
        result.files << exportMovie(run, provenanceOf(run), options).files.last();
        QVERIFY(result.files.last().endsWith(QStringLiteral("run.webm")));
    }
    for (const QString& file : result.files) {
        const auto back = scenarioFromFigure(file);
        for (const auto& problem : back.problems()) qWarning("%s", problem.text().c_str());
        QVERIFY2(back.ok(), qPrintable(file));
        QCOMPARE(back->provenance.digest, run.log->digest());
        QCOMPARE(back->scenario.seed, std::uint64_t{42});
    }
}

void tst_Export::cancelledMovieKeepsWholeFrames() {
    QTemporaryDir directory;
    const RunData run = test::busyRunData();
    int left = 12;
    ExportControl control;
    control.progress = [&](double) { return --left > 0; };
    const ExportResult result =
        exportMovie(run, provenanceOf(run), {.directory = directory.path(), .size = {320, 240}, .framesPerSecond = 10},
                    {}, control);
    QVERIFY(result.cancelled);
    const QStringList frames = files(directory.filePath(QStringLiteral("frames")));
    QVERIFY(frames.size() > 2 && frames.size() < 12);
    QCOMPARE(frames.size() + 1, result.files.size());
    for (const QString& frame : frames)
        QCOMPARE(QImage(directory.filePath(QStringLiteral("frames/")) + frame).size(), QSize(320, 240));
}

void tst_Export::videoNeedsFfmpeg() {
    QTemporaryDir nothing;
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", nothing.path().toLocal8Bit());
    const QString why = whyNoVideo();
    const RunData run = test::busyRunData();
    const ExportResult result = exportMovie(run, provenanceOf(run),
                                            {.directory = nothing.path(),
                                             .size = {320, 240},
                                             .framesPerSecond = 1,
                                             .speed = 20,
                                             .video = QStringLiteral("mp4")});
    qputenv("PATH", path);
    QVERIFY(why.contains(QStringLiteral("ffmpeg")));
    QCOMPARE(result.problems.size(), std::size_t{1});
    QCOMPARE(result.problems[0].code, std::string("no-video"));
    QVERIFY(result.files.size() > 1); // the frames are there
}

// What ffmpeg leaves half done goes, and what it says is passed on.
void tst_Export::failingFfmpegIsSaid() {
    QTemporaryDir directory, programs;
    QFile fake(programs.filePath(QStringLiteral("ffmpeg")));
    QVERIFY(fake.open(QIODevice::WriteOnly));
    fake.write("#!/bin/sh\nfor last; do :; done\necho half > \"$last\"\necho 'no room on the reel' >&2\nexit 3\n");
    fake.close();
    QVERIFY(fake.setPermissions(fake.permissions() | QFile::ExeOwner));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", programs.path().toLocal8Bit() + ':' + path);
    const RunData run = test::busyRunData();
    const ExportResult result = exportMovie(run, provenanceOf(run),
                                            {.directory = directory.path(),
                                             .size = {320, 240},
                                             .framesPerSecond = 1,
                                             .speed = 20,
                                             .video = QStringLiteral("webm")});
    qputenv("PATH", path);
    QCOMPARE(result.problems.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(result.problems[0].text()).contains(QStringLiteral("no room on the reel")));
    QCOMPARE(files(directory.path()), QStringList{QStringLiteral("provenance.json")});
}

TRAINYARD_TEST(tst_Export)
#include "tst_Export.moc"
