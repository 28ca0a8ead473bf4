// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Exported figures: every format exists, can be read by others, says what it shows, and gives its run back;
// no locale changes a number. The options of --render: tst_RenderCommand.
#include "charts/ViewChoice.h"
#include "export/ExportViews.h"
#include "export/ExportWork.h"
#include "export/FigureFiles.h"
#include "export/Recover.h"
#include "export/Render.h"
#include "session/Provenance.h"
#include "session/ShownIndex.h"
#include "support/BusyRecord.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QPicture>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <clocale>

using namespace trainyard;

class tst_Render : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyFigureInEveryFormat();
    void svgIsXmlWithTitleAndProvenance();
    void svgLooksLikeThePng();
    void pngHasItsSizeAndText();
    void pdfNamesItsMaker();
    void shapesKeepTheirSizeOnAnyDevice();
    void tablesHaveRowsForEverything();
    void everyFormatGivesTheRunBack();
    void otherFilesAreRefused();
    void noLocaleChangesANumber();
    void rendersARecord();
    void stoppedRunsSaySo();
    void unwritableDirectoryIsSaid();

private:
    QByteArray read(const QString& name) const;
    QStringList names() const;
    QTemporaryDir m_directory;
    QString m_provenance;
};

QStringList tst_Render::names() const {
    QStringList all;
    QStringList figures{QStringLiteral("loss"),        QStringLiteral("stragglers"), QStringLiteral("gantt"),
                        QStringLiteral("utilization"), QStringLiteral("queue"),      QStringLiteral("cluster"),
                        QStringLiteral("jobs"),        QStringLiteral("metrics"),    QStringLiteral("events")};
    ShownIndex index(test::busyRunData());
    index.update();
    for (const View& view : views()) // those that concern this run
        if (const QString id = QString::fromStdString(view.id); concernsRun(view, &index) && !figures.contains(id))
            figures << id; // lanes stand for the views of their names
    for (const QString& figure : figures)
        for (const char* format : {"svg", "pdf", "png", "csv"})
            all << figure + QLatin1Char('.') + QLatin1String(format);
    return all;
}

QByteArray tst_Render::read(const QString& name) const {
    QFile file(m_directory.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void tst_Render::initTestCase() {
    const ExportResult result = exportRun(test::busyRunData(), {.directory = m_directory.path(), .size = {900, 480}});
    for (const auto& problem : result.problems) qWarning("%s", problem.text().c_str());
    QVERIFY(result.problems.empty());
    QCOMPARE(result.files.size(), names().size());
    m_provenance = QString::fromStdString(provenanceText(provenanceOf(test::busyRunData())));
    if (const QString shots = qEnvironmentVariable("TRAINYARD_SHOTS"); !shots.isEmpty()) // for a person to look at
        exportRun(test::busyRunData(), {.directory = shots});
    QVERIFY(m_provenance.contains(QStringLiteral(" seed=42 ")));
}

void tst_Render::everyFigureInEveryFormat() {
    for (const QString& name : names()) QVERIFY2(read(name).size() > 500, qPrintable(name));
}

void tst_Render::svgIsXmlWithTitleAndProvenance() {
    for (const QString& name : names().filter(QStringLiteral(".svg"))) {
        QXmlStreamReader xml(read(name));
        QString title, description;
        int shapes = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            if (xml.name() == QStringLiteral("title"))
                title = xml.readElementText();
            else if (xml.name() == QStringLiteral("desc"))
                description = xml.readElementText();
            else
                shapes += xml.name() == QStringLiteral("path") || xml.name() == QStringLiteral("rect") ||
                          xml.name() == QStringLiteral("polyline") || xml.name() == QStringLiteral("polygon");
        }
        QVERIFY2(!xml.hasError(), qPrintable(name + xml.errorString()));
        QVERIFY(title.endsWith(QStringLiteral("Two jobs, one slow worker, one failure")));
        QCOMPARE(description, m_provenance);
        const bool lane = QStringList{QStringLiteral("loss.svg"), QStringLiteral("stragglers.svg"),
                                      QStringLiteral("gantt.svg"), QStringLiteral("utilization.svg")}
                              .contains(name);
        QVERIFY2(!lane || shapes > 10, qPrintable(name));
        QVERIFY(!lane || read(name).contains("Time (s)")); // axes are named, with units
    }
}

void tst_Render::svgLooksLikeThePng() {
    // Two devices, one picture: after blurring away antialiasing and textures, no patch of 12 pixels differs
    // much. (SVG knows no clipping here: a texture that runs out of its box would show.)
    for (const QString& name : names().filter(QStringLiteral(".svg"))) {
        QSvgRenderer renderer(read(name));
        QVERIFY(renderer.isValid());
        QImage written;
        QVERIFY(
            written.loadFromData(read(QString(name).replace(QStringLiteral(".svg"), QStringLiteral(".png"))), "PNG"));
        QImage drawn(written.size(), QImage::Format_RGB32);
        drawn.fill(Qt::white);
        QPainter painter(&drawn);
        renderer.render(&painter);
        painter.end();
        if (const QString shots = qEnvironmentVariable("TRAINYARD_SHOTS"); !shots.isEmpty())
            drawn.save(shots + QStringLiteral("/from-") + name + QStringLiteral(".png"));
        const auto blurred = [](const QImage& image) {
            return image.scaled(image.size() / 12, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        };
        const QImage a = blurred(drawn), b = blurred(written);
        int differing = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) {
                const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
                differing +=
                    std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) + std::abs(p.blue() - q.blue()) > 110;
            }
        QVERIFY2(
            differing * 200 <= a.width() * a.height(),
            qPrintable(QStringLiteral("%1: %2 of %3 patches").arg(name).arg(differing).arg(a.width() * a.height())));
    }
}

void tst_Render::pngHasItsSizeAndText() {
    for (const QString& name : names().filter(QStringLiteral(".png"))) {
        QImage image;
        QVERIFY(image.loadFromData(read(name), "PNG"));
        const bool table = name.startsWith(QLatin1String("jobs")) || name.startsWith(QLatin1String("metrics")) ||
                           name.startsWith(QLatin1String("events"));
        QCOMPARE(image.width(), 900);
        QVERIFY(table || image.height() == 480);
        QCOMPARE(image.dotsPerMeterX(), 3780); // 96 per inch
        QCOMPARE(image.text(QStringLiteral("Comment")), m_provenance);
        QVERIFY(image.text(QStringLiteral("Software")).startsWith(QStringLiteral("Trainyard")));
        int coloured = 0; // more than text and grid is on it
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3) coloured += image.pixelColor(x, y).saturation() > 100;
        const bool words = name.startsWith(QLatin1String("cluster")) || // what says why it is empty, and a load in grey
                           name.startsWith(QLatin1String("link")) || name.startsWith(QLatin1String("rates")) ||
                           name.startsWith(QLatin1String("trade-off"));
        QVERIFY2(table || words || coloured > 50, qPrintable(name));
    }
}

void tst_Render::pdfNamesItsMaker() {
    for (const QString& name : names().filter(QStringLiteral(".pdf"))) {
        const QByteArray pdf = read(name);
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.trimmed().endsWith("%%EOF"));
        QVERIFY(pdf.contains("<xmp:CreatorTool>Trainyard"));
        QVERIFY(pdf.contains(m_provenance.toHtmlEscaped().toUtf8()));
    }
}

// Qt enlarges what was recorded to the resolution of the device, which on a PDF is ten times a screen's.
void tst_Render::shapesKeepTheirSizeOnAnyDevice() {
    QPicture shapes;
    QPainter recorder(&shapes);
    recorder.fillRect(QRect(10, 10, 20, 20), Qt::red);
    recorder.end();
    QImage fine(200, 200, QImage::Format_RGB32);
    fine.fill(Qt::white);
    fine.setDotsPerMeterX(37795); // 960 per inch
    fine.setDotsPerMeterY(37795);
    QPainter painter(&fine);
    painter.scale(2, 2);
    drawShapes(painter, shapes);
    painter.end();
    QCOMPARE(fine.pixelColor(21, 21), QColor(Qt::red));
    QCOMPARE(fine.pixelColor(58, 58), QColor(Qt::red));
    QCOMPARE(fine.pixelColor(62, 62), QColor(Qt::white));
    QCOMPARE(fine.pixelColor(150, 150), QColor(Qt::white));
}

void tst_Render::tablesHaveRowsForEverything() {
    const RunProvenance provenance = provenanceOf(test::busyRunData());
    const QByteArray above = QByteArray::fromStdString(provenanceAbove(provenance)),
                     below = QByteArray::fromStdString(provenanceBelow(provenance));
    QCOMPARE(above.count('\n'), 1); // the table begins in the second line
    QVERIFY(read(QStringLiteral("loss.csv")).startsWith(above) && read(QStringLiteral("loss.csv")).endsWith(below));
    const QList<QByteArray> loss =
        read(QStringLiteral("loss.csv")).mid(above.size()).chopped(below.size()).trimmed().split('\n');
    QCOMPARE(loss[0], QByteArrayLiteral("plot,series,kind,x,x_to,y,y_to,value,what"));
    // Digits evaluates after each of its 30 updates; the first: 2.3 / 1.35.
    QCOMPARE(std::count_if(loss.begin(), loss.end(), [](const QByteArray& row) { return row.startsWith("1,digits,"); }),
             30);
    QVERIFY(loss[1].endsWith(",1.7037037037,,,"));
    const QByteArray gantt = read(QStringLiteral("gantt.csv"));
    QVERIFY(gantt.contains("\nm4,0,digits,worker,w4,0.4,"));
    QVERIFY(gantt.contains("\nm7,,,down,,12,18\n"));
    QVERIFY(read(QStringLiteral("stragglers.csv")).contains("\ndigits,w4,1,discarded,"));
    QVERIFY(read(QStringLiteral("utilization.csv")).contains("cpu allocated,steps,0.4,4,46.4285714286,")); // 13 of 28
    // At the end nothing is placed, and both jobs have ended.
    const QByteArray jobs = read(QStringLiteral("jobs.csv"));
    QVERIFY(jobs.contains(",digits,Digits,trained,finished,30,30,0,0,0.2,"));
    QVERIFY(read(QStringLiteral("cluster.csv")).contains("\nm7,,up,0,4,0,16,\n"));
    QVERIFY(
        read(QStringLiteral("metrics.csv")).mid(above.size()).startsWith("metric,of,at_cursor,at_end,unit,meaning\n"));
    const auto events =
        read(QStringLiteral("events.csv")).mid(above.size()).chopped(below.size()).trimmed().split('\n');
    QCOMPARE(static_cast<std::size_t>(events.size()), test::busyRunData().log->size() + 1);
    QCOMPARE(events[0], QByteArrayLiteral("time_s,event,job,aux,a,b,value"));
}

void tst_Render::everyFormatGivesTheRunBack() {
    const std::string original = writeScenario(*test::busyRunData().scenario);
    for (const QString& name : names()) {
        const auto run = scenarioFromFigure(m_directory.filePath(name));
        for (const auto& problem : run.problems()) qWarning("%s", problem.text().c_str());
        QVERIFY2(run.ok(), qPrintable(name));
        QCOMPARE(run.value().scenario.seed, std::uint64_t{42}); // as run, not as written
        QCOMPARE(run.value().provenance.digest, test::busyRunData().log->digest());
        Scenario same = run.value().scenario;
        same.seed = test::busyRunData().scenario->seed;
        QCOMPARE(writeScenario(same), original);
    }
}

void tst_Render::otherFilesAreRefused() {
    const QString path = m_directory.filePath(QStringLiteral("holiday.png"));
    QImage image(10, 10, QImage::Format_RGB32);
    image.fill(Qt::white);
    QVERIFY(image.save(path));
    QVERIFY(!scenarioFromFigure(path).ok());
    QVERIFY(!scenarioFromFigure(m_directory.filePath(QStringLiteral("missing.svg"))).ok());
}

void tst_Render::noLocaleChangesANumber() {
    const QLocale before;
    const QByteArray numeric(std::setlocale(LC_NUMERIC, nullptr));
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8"}) // where it is installed
        if (std::setlocale(LC_NUMERIC, name)) break;
    QTemporaryDir german;
    const ExportResult result = exportRun(test::busyRunData(), {.directory = german.path(), .size = {900, 480}});
    std::setlocale(LC_NUMERIC, numeric.constData());
    QLocale::setDefault(before);
    QVERIFY(result.problems.empty());
    for (const QString& name : names()) {
        QFile file(german.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll() == read(name), qPrintable(name));
    }
}

void tst_Render::rendersARecord() {
    const QString from = m_directory.filePath(QStringLiteral("record")),
                  out = m_directory.filePath(QStringLiteral("charts"));
    QVERIFY(test::writeBusyRecord(from));
    QCOMPARE(renderRecord({QStringLiteral("trainyard"), QStringLiteral("--render"), from, QStringLiteral("--out"), out,
                           QStringLiteral("--width"), QStringLiteral("640"), QStringLiteral("--height"),
                           QStringLiteral("400"), QStringLiteral("--theme"), QStringLiteral("print")}),
             0);
    QCOMPARE(QDir(out).entryList(QDir::Files).size(), names().size());
    QCOMPARE(QImage(out + QStringLiteral("/gantt.png")).size(), QSize(640, 400));
}

/// In every file of a run that did not come to its end, and under its figures.
void tst_Render::stoppedRunsSaySo() {
    RunData run = test::busyRunData();
    QVERIFY(provenanceOf(run).complete && !provenanceFooter(provenanceOf(run)).contains(QStringLiteral("complete")));
    run.cutShort = Problem{.code = "limit", .message = {"too many events", {}}};
    const RunProvenance provenance = provenanceOf(run);
    QVERIFY(!provenance.complete);
    QVERIFY(provenanceFooter(provenance).endsWith(QStringLiteral(" complete=false")));
    QVERIFY(QString::fromStdString(provenanceAbove(provenance))
                .endsWith(QStringLiteral("# not complete: too many events\n")));
}

void tst_Render::unwritableDirectoryIsSaid() {
    const QString file = m_directory.filePath(QStringLiteral("loss.csv")); // a file is no directory
    const ExportResult result = exportRun(test::busyRunData(), {.directory = file + QStringLiteral("/charts")});
    QVERIFY(hasErrors(result.problems));
    QVERIFY(result.files.isEmpty());
    QVERIFY(hasErrors(exportRun({}, {.directory = m_directory.path()}).problems)); // nothing has run
}

TRAINYARD_TEST(tst_Render)
#include "tst_Render.moc"
