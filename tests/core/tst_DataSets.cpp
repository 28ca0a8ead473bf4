// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Data sets: those that ship are what they should be, damage is named by file and line, generators follow
// their laws.
#include "base/Stopped.h"
#include "learning/DataSet.h"
#include "learning/keyed/KeyedChoices.h"
#include "support/TestMain.h"

#include <QFile>
#include <QTemporaryDir>

#include <cmath>
#include <numeric>
#include <set>

using namespace trainyard;

namespace {

ResourcePaths resources() { return {std::filesystem::path(TRAINYARD_SOURCE_DIR) / "resources"}; }

std::shared_ptr<const DataSet> load(const Choice& choice, std::uint64_t seed = 1) {
    auto loaded = loadDataSet(choice, seed, resources());
    for (const auto& p : loaded.problems()) qCritical("%s", p.text().c_str());
    return loaded.value();
}

Batch all(const DataSet& data) {
    std::vector<std::uint32_t> rows(data.rows());
    std::iota(rows.begin(), rows.end(), 0u);
    Batch out;
    data.gather(rows, out);
    return out;
}

std::vector<int> classCounts(const Batch& batch, int classes) {
    std::vector<int> counts(static_cast<std::size_t>(classes));
    for (double y : batch.y) ++counts.at(static_cast<std::size_t>(y));
    return counts;
}

ParamValue whole(std::int64_t n) { return n; }

/// A resources directory with one file of our own.
struct Folder {
    QTemporaryDir dir;
    explicit Folder(const QString& name, const QByteArray& content) { write(name, content); }
    void write(const QString& name, const QByteArray& content) {
        QDir().mkpath(QFileInfo(dir.filePath(name)).path());
        QFile file(dir.filePath(name));
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
        file.write(content);
    }
    ResourcePaths paths() const { return {dir.path().toStdString()}; }
    QString problem(const Choice& choice) const {
        const auto loaded = loadDataSet(choice, 1, paths());
        return loaded ? QStringLiteral("loaded")
                      : QString::fromStdString(loaded.problems().at(0).text()).remove(dir.path() + "/");
    }
};

QByteArray shipped(const char* name) {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/resources/data/") + name);
    if (!file.open(QIODevice::ReadOnly)) qFatal("cannot read");
    return file.readAll();
}

QByteArray bigEndian(std::initializer_list<std::uint32_t> numbers) {
    QByteArray out;
    for (std::uint32_t n : numbers)
        for (int shift : {24, 16, 8, 0}) out.append(static_cast<char>(n >> shift));
    return out;
}

} // namespace

class tst_DataSets : public QObject {
    Q_OBJECT
private slots:
    void generatorsEndWhenStopped();
    void shippedSets();
    void standardised();
    void damagedFilesAreNamed_data();
    void damagedFilesAreNamed();
    void missingFilesAreNamed();
    void fashionMnist();
    void fashionMnistOfThePackage();
    void fashionMnistDamaged();
    void seedsAndRows();
    void regressionLaw();
    void classificationLaw();
    void clusterLaw();
    void ratingLaw();
    void streamLaw();
    void everySetHasItsPapers();
    void resourcePaths();
};

// Class counts as published with each data set; one value of each as a spot check.
void tst_DataSets::shippedSets() {
    const Choice raw[] = {{"iris", {{"standardise", false}}},
                          {"wine", {{"standardise", false}}},
                          {"breast-cancer", {{"standardise", false}}},
                          {"digits", {{"standardise", false}}}};
    const std::vector<int> counts[] = {
        {50, 50, 50}, {59, 71, 48}, {212, 357}, {178, 182, 177, 183, 181, 182, 181, 179, 174, 180}};
    const std::size_t features[] = {4, 13, 30, 64};
    const double first[] = {5.1, 14.23, 17.99, 0};
    for (int i = 0; i < 4; ++i) {
        const auto data = load(raw[i]);
        const Batch batch = all(*data);
        QCOMPARE(data->features(), features[i]);
        QCOMPARE(data->classes(), static_cast<int>(counts[i].size()));
        QCOMPARE(data->rows(), static_cast<std::size_t>(std::accumulate(counts[i].begin(), counts[i].end(), 0)));
        QCOMPARE(classCounts(batch, data->classes()), counts[i]);
        QCOMPARE(batch.x[0], first[i]);
    }
    const Batch digits = all(*load(raw[3]));
    QCOMPARE(*std::max_element(digits.x.begin(), digits.x.end()), 16.0);
    // Published means of iris: 5.843, 3.057, 3.758, 1.199.
    const Batch iris = all(*load(raw[0]));
    const double means[] = {5.8433, 3.0573, 3.7580, 1.1993};
    for (std::size_t j = 0; j < 4; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < 150; ++i) sum += iris.x[i * 4 + j];
        QVERIFY(std::abs(sum / 150 - means[j]) < 5e-5);
    }
}

void tst_DataSets::standardised() {
    for (const char* id : {"iris", "wine", "breast-cancer", "digits"}) {
        const Batch batch = all(*load({id, {}}));
        int constant = 0;
        for (std::size_t j = 0; j < batch.features; ++j) {
            double sum = 0, squares = 0;
            for (std::size_t i = 0; i < batch.rows; ++i) {
                sum += batch.x[i * batch.features + j];
                squares += batch.x[i * batch.features + j] * batch.x[i * batch.features + j];
            }
            QVERIFY(std::abs(sum / double(batch.rows)) < 1e-12);
            if (squares == 0)
                ++constant;
            else
                QVERIFY(std::abs(squares / double(batch.rows) - 1) < 1e-12);
        }
        QCOMPARE(constant, std::string(id) == "digits" ? 3 : 0); // pixels that are never inked
    }
}

void tst_DataSets::damagedFilesAreNamed_data() {
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("problem");
    const QByteArray good = shipped("iris.csv");
    const QList<QByteArray> lines = good.split('\n');
    const auto with = [&](int line, const QByteArray& text) {
        auto changed = lines;
        changed[line - 1] = text;
        return changed.join('\n');
    };
    QTest::newRow("good") << good << "loaded";
    QTest::newRow("no newline at the end") << good.chopped(1) << "loaded";
    QTest::newRow("carriage returns") << QByteArray(good).replace("\n", "\r\n") << "loaded";
    QTest::newRow("byte-order mark") << "\xEF\xBB\xBF" + good << "loaded";
    QTest::newRow("quoted") << with(7, "\"5.1\",3.5,1.4,0.2,0") << "loaded";
    QTest::newRow("quote without end") << with(7, "\"5.1,3.5,1.4,0.2,0")
                                       << "data/iris.csv:7: a quoted value does not end, or not within 1 MiB";
    QTest::newRow("empty") << QByteArray() << "data/iris.csv: the file ends after 0 rows instead of 150";
    QTest::newRow("cut") << lines.mid(0, 100).join('\n')
                         << "data/iris.csv:100: the file ends after 99 rows instead of 150";
    QTest::newRow("cut in a line") << good.left(good.size() - 3)
                                   << "data/iris.csv:151: there are 4 values instead of 5";
    QTest::newRow("word") << with(7, "5.1,3.5,x,0.2,0") << "data/iris.csv:7: value 3 is \"x\", which is not a number";
    QTest::newRow("comma as point")
        << with(7, "5,1,3.5,1.4,0.2,0")
        << "data/iris.csv:7: the last value is 0.2; it must be a class, a whole number from 0 to 2";
    QTest::newRow("too few") << with(9, "5.1,3.5") << "data/iris.csv:9: there are 2 values instead of 5";
    QTest::newRow("too many") << with(9, "5.1,3.5,1.4,0.2,0,7") << "data/iris.csv:9: there are 6 values instead of 5";
    QTest::newRow("class") << with(3, "5.1,3.5,1.4,0.2,3")
                           << "data/iris.csv:3: the last value is 3; it must be a class, a whole number from 0 to 2";
    QTest::newRow("half a class")
        << with(3, "5.1,3.5,1.4,0.2,0.5")
        << "data/iris.csv:3: the last value is 0.5; it must be a class, a whole number from 0 to 2";
    QTest::newRow("not finite") << with(3, "nan,3.5,1.4,0.2,0")
                                << "data/iris.csv:3: value 1 is \"nan\", which is not a number";
    QTest::newRow("blank line") << with(3, "") << "data/iris.csv:151: the file ends after 149 rows instead of 150";
    QTest::newRow("more rows") << good + "5.1,3.5,1.4,0.2,0\n"
                               << "data/iris.csv:152: there are more than 150 rows";
    QTest::newRow("binary") << QByteArray(3000, '\0') << "data/iris.csv:1: the file ends after 0 rows instead of 150";
}

void tst_DataSets::damagedFilesAreNamed() {
    QFETCH(QByteArray, content);
    QFETCH(QString, problem);
    QCOMPARE(Folder("data/iris.csv", content).problem({"iris", {}}), problem);
}

void tst_DataSets::missingFilesAreNamed() {
    const QString text = Folder("x", "").problem({"digits", {}});
    QVERIFY2(text.startsWith("data/digits.csv: ") && text.contains("reinstall") && text.contains("TRAINYARD_RESOURCES"),
             qPrintable(text));
    if (!QFile::exists("/usr/share/datasets/fashion-mnist")) {
        const QString fashion = Folder("x", "").problem({"fashion-mnist", {}});
        QVERIFY2(fashion.contains("apt install dataset-fashion-mnist"), qPrintable(fashion));
    }
}

// Two images: one all 0, one all 255; standardised over all pixels to −1 and 1.
void tst_DataSets::fashionMnist() {
    Folder folder("data/fashion-mnist/train-images-idx3-ubyte",
                  bigEndian({0x0803, 2, 28, 28}) + QByteArray(784, '\0') + QByteArray(784, '\xff'));
    folder.write("data/fashion-mnist/train-labels-idx1-ubyte", bigEndian({0x0801, 2}) + QByteArray("\x03\x09"));
    for (bool standardise : {true, false}) {
        const auto data =
            loadDataSet({"fashion-mnist", {{"rows", whole(2)}, {"standardise", standardise}}}, 1, folder.paths())
                .value();
        QCOMPARE(data->rows(), std::size_t{2});
        QCOMPARE(data->classes(), 10);
        const Batch batch = all(*data);
        QCOMPARE(batch.rows, std::size_t{2});
        QCOMPARE(batch.x.size(), std::size_t{2 * 784});
        QCOMPARE(batch.x.front(), standardise ? -1.0 : 0.0);
        QCOMPARE(batch.x.back(), 1.0);
        QVERIFY(batch.y == (std::vector<double>{3, 9}));
    }
}

// The data set of the Debian package; where that is not installed, what to install is said.
void tst_DataSets::fashionMnistOfThePackage() {
    const auto installed = loadDataSet({"fashion-mnist", {{"rows", whole(60000)}}}, 1, resources());
    if (!installed) {
        QVERIFY(!QFile::exists("/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz"));
        QCOMPARE(installed.problems().front().code, std::string("missing-data"));
        QVERIFY(installed.problems().front().text().find("apt install dataset-fashion-mnist") != std::string::npos);
        return;
    }
    QCOMPARE(classCounts(all(**loadDataSet({"fashion-mnist", {{"rows", whole(1000)}}}, 1, resources())), 10).size(),
             std::size_t{10});
    QCOMPARE((*installed)->rows(), std::size_t{60000});
}

void tst_DataSets::fashionMnistDamaged() {
    const QString images = "data/fashion-mnist/train-images-idx3-ubyte",
                  labels = "data/fashion-mnist/train-labels-idx1-ubyte";
    const QByteArray goodImages = bigEndian({0x0803, 2, 28, 28}) + QByteArray(2 * 784, '\1');
    const QByteArray goodLabels = bigEndian({0x0801, 2}) + QByteArray("\x03\x09");
    const Choice two{"fashion-mnist", {{"rows", whole(2)}}};
    Folder folder(images, goodImages);
    folder.write(labels, goodLabels);
    QCOMPARE(folder.problem(two), "loaded");
    QCOMPARE(folder.problem({"fashion-mnist", {{"rows", whole(3)}}}),
             images + ": it has 2 items, but \"rows\" requests 3");
    folder.write(images, goodImages.chopped(1));
    QVERIFY(folder.problem(two).startsWith(images + ": the file ends early or is damaged"));
    folder.write(images, goodLabels);
    QCOMPARE(folder.problem(two), images + ": this is not an IDX file of bytes with 3 dimensions");
    folder.write(images, bigEndian({0x0803, 2, 28, 27}) + QByteArray(2 * 784, '\1'));
    QCOMPARE(folder.problem(two), images + ": the images are not 28 × 28 pixels");
    folder.write(images, QByteArray());
    QCOMPARE(folder.problem(two), images + ": this is not an IDX file of bytes with 3 dimensions");
    folder.write(images, goodImages);
    folder.write(labels, bigEndian({0x0801, 2}) + QByteArray("\x03\x0a"));
    QCOMPARE(folder.problem(two), labels + ": label 1 is 10; classes are 0 to 9");
}

void tst_DataSets::seedsAndRows() {
    for (const char* id :
         {"synthetic-regression", "synthetic-classification", "synthetic-clusters", "synthetic-ratings"}) {
        const Batch a = all(*load({id, {{"rows", whole(50)}}})), again = all(*load({id, {{"rows", whole(50)}}})),
                    other = all(*load({id, {{"rows", whole(50)}}}, 2)),
                    longer = all(*load({id, {{"rows", whole(80)}}}));
        QVERIFY(a.x == again.x && a.y == again.y);
        QVERIFY(a.x != other.x && a.y != other.y);
        // More rows extend the same data.
        QVERIFY(std::equal(a.x.begin(), a.x.end(), longer.x.begin()) &&
                std::equal(a.y.begin(), a.y.end(), longer.y.begin()));
    }
}

// Residuals against the true parameters are the noise; the sample covariance has the trace and the
// determinant of eigenvalues 1, 1/√κ, 1/κ (κ = 100: 1.11 and 10⁻³). Trace: variance of its mean Σ 2λ²/n; log
// det: ≈ 2d/n. 4 standard errors each.
void tst_DataSets::regressionLaw() {
    const std::size_t n = 20000;
    const auto data = load({"synthetic-regression",
                            {{"rows", whole(n)}, {"features", whole(3)}, {"condition_number", 100.0}, {"noise", 0.5}}});
    const auto truth = data->trueParameters();
    QCOMPARE(truth.size(), std::size_t{3});
    const Batch b = all(*data);
    double noise = 0, c[3][3] = {};
    for (std::size_t i = 0; i < n; ++i) {
        const double* x = &b.x[i * 3];
        const double residual = b.y[i] - (x[0] * truth[0] + x[1] * truth[1] + x[2] * truth[2]);
        noise += residual * residual / n;
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k) c[j][k] += x[j] * x[k] / n;
    }
    QVERIFY(std::abs(noise - 0.25) < 4 * 0.25 * std::sqrt(2.0 / n));
    QVERIFY(std::abs(c[0][0] + c[1][1] + c[2][2] - 1.11) < 4 * std::sqrt(2 * (1 + 1e-2 + 1e-4) / n));
    const double det = c[0][0] * (c[1][1] * c[2][2] - c[1][2] * c[2][1]) -
                       c[0][1] * (c[1][0] * c[2][2] - c[1][2] * c[2][0]) +
                       c[0][2] * (c[1][0] * c[2][1] - c[1][1] * c[2][0]);
    QVERIFY(std::abs(std::log(det / 1e-3)) < 4 * std::sqrt(2.0 * 3 / n));
    QVERIFY(std::abs(c[0][1]) > 1e-2); // directions mix the coordinates
}

// Without separation labels are uniform; the share that differs from a set without mislabelling is the
// parameter.
void tst_DataSets::classificationLaw() {
    const std::size_t n = 10000;
    const auto choice = [&](double wrong) {
        return Choice{"synthetic-classification",
                      {{"rows", whole(n)}, {"classes", whole(4)}, {"features", whole(2)}, {"mislabelled", wrong}}};
    };
    const Batch clean = all(*load(choice(0))), noisy = all(*load(choice(0.1))), wrong = all(*load(choice(1)));
    QVERIFY(clean.x == noisy.x);
    int different = 0;
    for (std::size_t i = 0; i < n; ++i) {
        different += clean.y[i] != noisy.y[i];
        QVERIFY(clean.y[i] != wrong.y[i]);
    }
    QVERIFY(std::abs(different / double(n) - 0.1) < 4 * std::sqrt(0.09 / n));
    for (int count : classCounts(clean, 4)) QVERIFY(std::abs(count - 2500) < 4 * std::sqrt(n * 0.25 * 0.75));
}

// Around the mean of its cluster a row has variance 1 in each coordinate.
void tst_DataSets::clusterLaw() {
    const std::size_t n = 8000;
    const auto data =
        load({"synthetic-clusters", {{"rows", whole(n)}, {"features", whole(2)}, {"clusters", whole(3)}}});
    QCOMPARE(data->classes(), 3);
    const Batch b = all(*data);
    double squares = 0;
    for (double c : {0.0, 1.0, 2.0})
        for (std::size_t j : {0u, 1u}) {
            double sum = 0, sum2 = 0, count = 0;
            for (std::size_t i = 0; i < n; ++i)
                if (b.y[i] == c) {
                    sum += b.x[2 * i + j];
                    sum2 += b.x[2 * i + j] * b.x[2 * i + j];
                    ++count;
                }
            squares += sum2 - sum * sum / count;
        }
    const double degrees = 2.0 * (n - 3);
    QVERIFY(std::abs(squares / degrees - 1) < 4 * std::sqrt(2 / degrees));
}

void tst_DataSets::ratingLaw() {
    const std::size_t n = 20000;
    const auto data =
        load({"synthetic-ratings",
              {{"rows", whole(n)}, {"users", whole(10)}, {"items", whole(20)}, {"rank", whole(3)}, {"skew", 1.0}}});
    QCOMPARE(data->users(), std::size_t{10});
    QCOMPARE(data->classes(), 20);
    const auto truth = data->trueParameters();
    QCOMPARE(truth.size(), std::size_t{30 * 3});
    const Batch b = all(*data);
    double noise = 0, firstUser = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto u = static_cast<std::size_t>(b.x[2 * i]), v = static_cast<std::size_t>(b.x[2 * i + 1]);
        QVERIFY(u < 10 && v < 20);
        double residual = b.y[i];
        for (std::size_t r = 0; r < 3; ++r) residual -= truth[u * 3 + r] * truth[(10 + v) * 3 + r];
        noise += residual * residual / n;
        firstUser += u == 0;
    }
    QVERIFY(std::abs(noise - 0.01) < 4 * 0.01 * std::sqrt(2.0 / n));
    const double share = 1 / 2.928968253968254; // harmonic number H₁₀
    QVERIFY(std::abs(firstUser / n - share) < 4 * std::sqrt(share * (1 - share) / n));
}

void tst_DataSets::streamLaw() {
    const auto data = load({"gaussian-stream", {{"features", whole(3)}, {"noise", 2.0}, {"distance", 1.5}}});
    QCOMPARE(data->rows(), std::size_t{0});
    QCOMPARE(data->trueParameters().size(), std::size_t{3});
    RandomStream random(1, Purpose::test), same(1, Purpose::test);
    Batch b, pieces;
    const std::size_t n = 20000;
    data->draw(random, n, b);
    data->draw(same, 1, pieces);
    data->draw(same, n - 1, pieces);
    QVERIFY(b.x == pieces.x && b.y == pieces.y && b.rows == n && pieces.rows == n && b.features == 3);
    double noise = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double residual =
            b.y[i] + 1.5 * (b.x[3 * i] + b.x[3 * i + 1] + b.x[3 * i + 2]); // w* = −1.5 from the start at 0
        noise += residual * residual / n;
    }
    QVERIFY(std::abs(noise - 4) < 4 * 4 * std::sqrt(2.0 / n));
    const std::vector<double> zero(3), wrong(7);
    QCOMPARE(data->exactRisk(zero).value(), 0.5 * (3 * 2.25 + 4));
    QVERIFY(!data->exactRisk(wrong));
}

void tst_DataSets::everySetHasItsPapers() {
    std::set<std::string> ids;
    for (const auto& info : dataSets()) {
        ids.insert(info.id);
        QVERIFY2(!info.label.empty() && !info.summary.empty() && !info.licence.empty() && !info.provenance.empty(),
                 info.id.c_str());
        for (const auto& f : info.schema.fields()) QVERIFY2(!f.label.empty() && !f.help.empty(), f.key.c_str());
    }
    QCOMPARE(ids.size(), dataSets().size());
    QVERIFY(ids.count("digits") && ids.count("fashion-mnist") && ids.count("gaussian-stream"));
    const auto unknown = loadDataSet({"mnist", {}}, 1, resources());
    QCOMPARE(QString::fromStdString(unknown.problems().at(0).pointer), "/id");
}

// The variable wins where it is set; else the place beside the executable that exists.
void tst_DataSets::resourcePaths() {
    const QByteArray before = qgetenv("TRAINYARD_RESOURCES");
    qputenv("TRAINYARD_RESOURCES", "/somewhere/else");
    QCOMPARE(ResourcePaths::find("/usr/bin/trainyard").root, std::filesystem::path("/somewhere/else"));
    qunsetenv("TRAINYARD_RESOURCES");
    QTemporaryDir dir;
    const auto root = std::filesystem::canonical(dir.path().toStdString());
    const auto tree = root / "resources";
    const auto executable = root / "build/dev/bin/trainyard";
    std::filesystem::create_directories(tree / "data");
    std::filesystem::create_directories(executable.parent_path());
    QCOMPARE(ResourcePaths::find(executable).root, tree);
    const auto prefix = root / "build/dev/share/trainyard/resources";
    std::filesystem::create_directories(prefix / "data");
    QCOMPARE(ResourcePaths::find(executable).root, prefix); // installed wins over the source tree
    qputenv("TRAINYARD_RESOURCES", before);
}

// All that make data, of trained and of keyed jobs; files of a fixed size are read whole.
void tst_DataSets::generatorsEndWhenStopped() {
    std::stop_source stop;
    stop.request_stop();
    int made = 0;
    for (const DataSetInfo& info : dataSets()) {
        if (std::set<std::string>{"breast-cancer", "digits", "wine", "iris", "fashion-mnist", "gaussian-stream"}
                .contains(info.id))
            continue;
        ++made;
        QVERIFY_THROWS_EXCEPTION(Stopped, (void)loadDataSet({info.id, {}}, 1, resources(), stop.get_token()));
    }
    QVERIFY(made >= 5);
    for (const KeyedModelInfo& model : keyedModels())
        for (const KeyedDataInfo& data : keyedDataSets()) {
            if (data.dataKind != model.dataKind || !data.id.starts_with("planted-")) continue;
            const KeyedTask task{.model = {model.id, {}}, .data = {data.id, {}}};
            QVERIFY(makeKeyedModel(task, 1).ok());
            QVERIFY_THROWS_EXCEPTION(Stopped, (void)makeKeyedModel(task, 1, stop.get_token()));
        }
}

TRAINYARD_TEST(tst_DataSets)
#include "tst_DataSets.moc"
