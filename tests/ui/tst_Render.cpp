// Exported figures: every format exists, can be read by others, says what it shows, and gives its run back;
// no locale changes a number.
#include "plots/Recover.h"
#include "plots/Render.h"
#include "record/ClusterState.h"
#include "support/BusyRun.h"
#include "support/TestMain.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QLocale>
#include <QPainter>
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
    void tablesHaveRowsForEverything();
    void everyFormatGivesTheRunBack();
    void otherFilesAreRefused();
    void noLocaleChangesANumber();
    void rendersARecord();
    void badUsageIsSaid();
    void unwritableDirectoryIsSaid();

private:
    RunData busy() const;
    QByteArray read(const QString& name) const;
    static QStringList names();
    QTemporaryDir m_directory;
    QString m_provenance;
};

RunData tst_Render::busy() const {
    const auto run = test::busyRun();
    return {.id = 1,
            .label = QStringLiteral("busy"),
            .scenario = run.scenario,
            .seed = 42,
            .workload = run.workload,
            .log = run.log};
}

QStringList tst_Render::names() {
    QStringList all;
    for (const char* figure : {"loss", "stragglers", "gantt", "utilization"})
        for (const char* format : {"svg", "pdf", "png", "csv"})
            all << QString::fromLatin1(figure) + QLatin1Char('.') + QString::fromLatin1(format);
    return all;
}

QByteArray tst_Render::read(const QString& name) const {
    QFile file(m_directory.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void tst_Render::initTestCase() {
    const ExportResult result = exportRun(busy(), {.directory = m_directory.path(), .size = {900, 480}});
    for (const auto& problem : result.problems) qWarning("%s", problem.text().c_str());
    QVERIFY(result.problems.empty());
    QCOMPARE(result.files.size(), names().size());
    m_provenance = QString::fromStdString(provenance(recipeOf(busy())));
    if (const QString shots = qEnvironmentVariable("TRAINYARD_SHOTS");
        !shots.isEmpty()) // for a person to look at
        exportRun(busy(), {.directory = shots});
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
        QVERIFY2(shapes > 10, qPrintable(name));
        QVERIFY(read(name).contains("Time (s)")); // axes are named, with units
    }
}

void tst_Render::svgLooksLikeThePng() {
    // Two devices, one picture: after blurring away antialiasing and textures, no patch of 12 pixels differs
    // much. (SVG knows no clipping here: a texture that runs out of its box would show.)
    for (const QString& name : names().filter(QStringLiteral(".svg"))) {
        QSvgRenderer renderer(read(name));
        QVERIFY(renderer.isValid());
        QImage drawn(900, 480, QImage::Format_RGB32), written;
        drawn.fill(Qt::white);
        QPainter painter(&drawn);
        renderer.render(&painter);
        painter.end();
        QVERIFY(written.loadFromData(
            read(QString(name).replace(QStringLiteral(".svg"), QStringLiteral(".png"))), "PNG"));
        if (const QString shots = qEnvironmentVariable("TRAINYARD_SHOTS"); !shots.isEmpty())
            drawn.save(shots + QStringLiteral("/from-") + name + QStringLiteral(".png"));
        const auto blurred = [](const QImage& image) {
            return image.scaled(75, 40, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        };
        const QImage a = blurred(drawn), b = blurred(written);
        int differing = 0;
        for (int y = 0; y < a.height(); ++y)
            for (int x = 0; x < a.width(); ++x) {
                const QColor p = a.pixelColor(x, y), q = b.pixelColor(x, y);
                differing += std::abs(p.red() - q.red()) + std::abs(p.green() - q.green()) +
                                 std::abs(p.blue() - q.blue()) >
                             110;
            }
        QVERIFY2(differing <= 15,
                 qPrintable(QStringLiteral("%1: %2 of 3000 patches").arg(name).arg(differing)));
    }
}

void tst_Render::pngHasItsSizeAndText() {
    for (const QString& name : names().filter(QStringLiteral(".png"))) {
        QImage image;
        QVERIFY(image.loadFromData(read(name), "PNG"));
        QCOMPARE(image.size(), QSize(900, 480));
        QCOMPARE(image.text(QStringLiteral("Comment")), m_provenance);
        QVERIFY(image.text(QStringLiteral("Software")).startsWith(QStringLiteral("Trainyard")));
        int coloured = 0; // more than text and grid is on it
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3) coloured += image.pixelColor(x, y).saturation() > 100;
        QVERIFY2(coloured > 50, qPrintable(name));
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

void tst_Render::tablesHaveRowsForEverything() {
    const QList<QByteArray> loss = read(QStringLiteral("loss.csv")).trimmed().split('\n');
    QCOMPARE(loss[0], "# " + m_provenance.toUtf8());
    QCOMPARE(loss[1], QByteArrayLiteral("job,time_s,update,loss"));
    // Digits evaluates after each of its 30 updates; the first: 2.3 / 1.35.
    QCOMPARE(std::count_if(loss.begin(), loss.end(),
                           [](const QByteArray& row) { return row.startsWith("digits,"); }),
             30);
    QVERIFY(loss[2].endsWith(",1,1.7037037037037035"));
    const QByteArray gantt = read(QStringLiteral("gantt.csv"));
    QVERIFY(gantt.contains("\nm4,0,digits,worker,4,0.4,"));
    QVERIFY(gantt.contains("\nm7,,,down,,12,18\n"));
    QVERIFY(read(QStringLiteral("stragglers.csv")).contains("\ndigits,w4,1,discarded,"));
    QVERIFY(read(QStringLiteral("utilization.csv")).contains("\ncpu,0.4,0.46428571428571")); // 13 of 28
}

void tst_Render::everyFormatGivesTheRunBack() {
    const Registry registry = Registry::builtin();
    const std::string original = writeScenario(*busy().scenario);
    for (const QString& name : names()) {
        const auto run = scenarioFromFigure(m_directory.filePath(name), registry);
        for (const auto& problem : run.problems()) qWarning("%s", problem.text().c_str());
        QVERIFY2(run.ok(), qPrintable(name));
        QCOMPARE(run.value().scenario.seed, std::uint64_t{42}); // as run, not as written
        QCOMPARE(run.value().recipe.digest, busy().log->digest());
        Scenario same = run.value().scenario;
        same.seed = busy().scenario->seed;
        QCOMPARE(writeScenario(same), original);
    }
}

void tst_Render::otherFilesAreRefused() {
    const Registry registry = Registry::builtin();
    const QString path = m_directory.filePath(QStringLiteral("holiday.png"));
    QImage image(10, 10, QImage::Format_RGB32);
    image.fill(Qt::white);
    QVERIFY(image.save(path));
    QVERIFY(!scenarioFromFigure(path, registry).ok());
    QVERIFY(!scenarioFromFigure(m_directory.filePath(QStringLiteral("missing.svg")), registry).ok());
}

void tst_Render::noLocaleChangesANumber() {
    const QLocale before;
    const QByteArray numeric(std::setlocale(LC_NUMERIC, nullptr));
    QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8"}) // where it is installed
        if (std::setlocale(LC_NUMERIC, name)) break;
    QTemporaryDir german;
    const ExportResult result = exportRun(busy(), {.directory = german.path(), .size = {900, 480}});
    std::setlocale(LC_NUMERIC, numeric.constData());
    QLocale::setDefault(before);
    QVERIFY(result.problems.empty());
    for (const QString& name : names()) {
        if (name.endsWith(QStringLiteral(".pdf"))) continue; // holds the time it was made
        QFile file(german.filePath(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY2(file.readAll() == read(name), qPrintable(name));
    }
}

void tst_Render::rendersARecord() {
    QTemporaryDir directory;
    RunRecord record;
    static_cast<RunRecipe&>(record) = recipeOf(busy());
    record.workload = busy().workload;
    record.log = busy().log;
    auto state = std::make_shared<ClusterState>(record.workload);
    record.log->walk(0, record.log->size(), [&](const Event& e) { state->apply(e); });
    record.state = state;
    const Problems problems = writeRecord(record, directory.filePath(QStringLiteral("record")).toStdString());
    for (const auto& problem : problems) qWarning("%s", problem.text().c_str());
    QVERIFY(problems.empty());
    const QString out = directory.filePath(QStringLiteral("charts"));
    const auto render = [&](const QStringList& words) {
        return renderRecord(QStringList{QStringLiteral("trainyard")} + words);
    };
    const QString from = directory.filePath(QStringLiteral("record"));
    QCOMPARE(render(QStringLiteral("--render,%1,--out,%2,--width,640,--height,400,--theme,print")
                        .arg(from, out)
                        .split(QLatin1Char(','))),
             0);
    QCOMPARE(QDir(out).entryList(QDir::Files).size(), names().size());
    QCOMPARE(QImage(out + QStringLiteral("/gantt.png")).size(), QSize(640, 400));
}

void tst_Render::badUsageIsSaid() {
    const QString somewhere = m_directory.filePath(QStringLiteral("x"));
    const auto status = [&](const QString& words) {
        return renderRecord((QStringLiteral("trainyard ") + words.arg(somewhere))
                                .split(QLatin1Char(' '), Qt::SkipEmptyParts));
    };
    QCOMPARE(renderRecord({}), 2);
    QCOMPARE(status(QStringLiteral("--out %1")), 2);
    QCOMPARE(status(QStringLiteral("--render r")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out")), 2);
    QCOMPARE(status(QStringLiteral("--render nowhere --out %1")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --width -3")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --theme pink")), 2);
    QCOMPARE(status(QStringLiteral("--render r --out %1 --colour red")), 2);
    QCOMPARE(status(QStringLiteral("--render r other --out %1")), 2);
    QVERIFY(!QDir(somewhere).exists());
}

void tst_Render::unwritableDirectoryIsSaid() {
    const QString file = m_directory.filePath(QStringLiteral("loss.csv")); // a file is no directory
    const ExportResult result = exportRun(busy(), {.directory = file + QStringLiteral("/charts")});
    QVERIFY(hasErrors(result.problems));
    QVERIFY(result.files.isEmpty());
    QVERIFY(hasErrors(exportRun({}, {.directory = m_directory.path()}).problems)); // nothing has run
}

TRAINYARD_TEST(tst_Render)
#include "tst_Render.moc"
