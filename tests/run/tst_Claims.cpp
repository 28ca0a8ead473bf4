// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Measured claims as a file and as charts: what is written is read again; every claim that was measured stands in one chart,
// at its value, with its interval.
#include "run/compare/ComparisonCharts.h"
#include "run/files/AtomicFile.h"
#include "studies/ClaimCharts.h"
#include "studies/ClaimsFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <cmath>
#include <fstream>
#include <random>
#include <set>

using namespace trainyard;

namespace {

std::vector<Claim> randomClaims(std::mt19937& random, std::size_t count) {
    std::uniform_real_distribution<double> value(-5, 300);
    std::vector<Claim> out;
    for (std::size_t i = 0; i < count; ++i) {
        Claim claim{.id = "a/row-" + std::to_string(i) + (random() % 2 ? "/time" : "/loss"),
                    .claim = "what \"is\" said, " + std::to_string(i),
                    .source = "derived: α",
                    .unit = random() % 2 ? "s" : "1",
                    .n = random() % 20,
                    .holds = random() % 4 != 0,
                    .finding = "found\nso"};
        claim.undecided = !claim.holds && random() % 2;
        if (random() % 5 != 0) claim.measured = value(random);
        if (claim.measured && random() % 3 != 0) claim.interval = std::pair(*claim.measured - 1, *claim.measured + 2);
        if (random() % 2) claim.expected = value(random);
        if (random() % 7 == 0) claim.id = "alone-" + std::to_string(i);
        out.push_back(claim);
    }
    return out;
}

const Series* seriesWith(const Chart& chart, const std::string& key) {
    for (const Series& series : chart.plots.front().series)
        if (series.key == key) return &series;
    return nullptr;
}

} // namespace

class tst_Claims : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fileIsReadAgain();
    void otherFilesAreRefused();
    void everyMeasuredClaimIsDrawnOnce();
    void failingClaimsAreSaid();
    void mapsComeBack();
};

void tst_Claims::fileIsReadAgain() {
    std::mt19937 random(1);
    QTemporaryDir dir;
    for (int round = 0; round < 50; ++round) {
        MeasuredStudy study{.study = "x", .title = "An X", .version = "9", .part = round % 2 ? "p" : "", .quick = true};
        study.report.claims = randomClaims(random, 12);
        study.report.stopped = round % 3 == 0;
        study.report.tables.push_back({"numbers", {"a", "b"}, {{"1", "x, y"}}});
        QVERIFY(writeStudy(dir.path().toStdString(), study).empty());
        const auto read = readClaims(dir.filePath(QStringLiteral("claims.json")).toStdString());
        QVERIFY(read);
        QCOMPARE(claimsJson(*read), claimsJson(study));
        QCOMPARE(read->report.stopped, study.report.stopped);
        QCOMPARE(commandOf(*read), commandOf(study));
        for (std::size_t i = 0; i < study.report.claims.size(); ++i) {
            const Claim &is = read->report.claims[i], &was = study.report.claims[i];
            QVERIFY(is.measured == was.measured && is.interval == was.interval && is.expected == was.expected);
            QVERIFY(is.finding == was.finding && is.n == was.n && is.holds == was.holds);
            QCOMPARE(is.undecided, was.undecided);
        }
    }
    std::ifstream table(dir.filePath(QStringLiteral("numbers.csv")).toStdString());
    const std::string text{std::istreambuf_iterator<char>(table), {}};
    QVERIFY(text.find("reproduce x --part p --quick") != std::string::npos);
    QVERIFY(text.find("1,\"x, y\"") != std::string::npos);
}

void tst_Claims::otherFilesAreRefused() {
    QTemporaryDir dir;
    const std::string path = dir.filePath(QStringLiteral("claims.json")).toStdString();
    QVERIFY(!readClaims(path));
    for (const char* text : {"", "[]", "{\"study\": 3}", "{\"study\": \"x\", \"claims\": [{}]}", "\0x"}) {
        std::ofstream(path) << text;
        const auto read = readClaims(path);
        QVERIFY(!read);
        QCOMPARE(read.problems().front().file, path);
    }
}

void tst_Claims::everyMeasuredClaimIsDrawnOnce() {
    std::mt19937 random(2);
    for (const std::size_t count : {0u, 1u, 7u, 60u, 200u}) {
        const std::vector<Claim> claims = randomClaims(random, count);
        std::set<std::size_t> drawn;
        std::set<std::string> titles;
        for (const ClaimChart& chart : claimCharts(claims)) {
            QVERIFY2(titles.insert(chart.title).second, chart.title.c_str()); // a list of charts tells them apart
            QVERIFY(chart.claims.size() > 1 && chart.claims.size() <= mostClaimRows);
            QCOMPARE(chart.chart.plots.front().y.categories.size(), chart.claims.size());
            for (std::size_t row = 0; row < chart.claims.size(); ++row) {
                const Claim& claim = claims[chart.claims[row]];
                QVERIFY(drawn.insert(chart.claims[row]).second);
                QCOMPARE(claim.unit, claims[chart.claims.front()].unit);
                const Series* dot = seriesWith(chart.chart, "measured " + claim.id);
                QVERIFY(dot && dot->x == std::vector<double>{*claim.measured});
                QCOMPARE(dot->y.front(), static_cast<double>(row));
                const Series* whiskers = seriesWith(chart.chart, "interval " + claim.id);
                QCOMPARE(whiskers != nullptr, claim.interval.has_value());
                if (whiskers)
                    QVERIFY(whiskers->x[0] == claim.interval->first && whiskers->x[1] == claim.interval->second);
                QCOMPARE(seriesWith(chart.chart, "expected " + claim.id) != nullptr, claim.expected.has_value());
            }
            // Nothing that is not positive stands on a logarithmic axis.
            if (chart.chart.plots.front().x.kind == Axis::Kind::logarithmic)
                for (const Series& series : chart.chart.plots.front().series)
                    for (const double x : series.x) QVERIFY(std::isnan(x) || x > 0);
        }
        // What is left out has no value, or no company.
        for (std::size_t i = 0; i < count; ++i) {
            if (drawn.contains(i) || !claims[i].measured) continue;
            QVERIFY2(claims[i].id.starts_with("alone-") || count < 60 || drawn.size() > 0, claims[i].id.c_str());
        }
    }
}

void tst_Claims::failingClaimsAreSaid() {
    std::vector<Claim> claims{
        {.id = "some-name/time-to-1e-5", .unit = "s", .measured = 1.0, .n = 3, .holds = true},
        {.id = "some-name/full-sync", .unit = "s", .measured = 2.0, .n = 5, .holds = false},
        {.id = "some-name/mean_active_loss", .unit = "s", .measured = 2.0, .n = 5, .holds = true}};
    const auto charts = claimCharts(claims);
    QCOMPARE(charts.size(), std::size_t{1});
    QCOMPARE(charts.front().title, std::string("Some name")); // in words
    const Chart& chart = charts.front().chart;
    QCOMPARE(chart.plots.front().y.categories[0].label.english(), std::string("Time to 1e-5"));
    QCOMPARE(chart.plots.front().y.categories[1].label.english(), std::string("Full sync ✗"));
    QCOMPARE(chart.plots.front().y.categories[2].label.english(), metricWithId("mean_active_loss")->label);
    QVERIFY(chart.caution.english().find("1 of 3") != std::string::npos);
    QVERIFY(chart.meaning.english().find("n = 3 to 5") != std::string::npos);
    claims[0].holds = false;
    claims[0].undecided = true;
    const Chart both = claimCharts(claims).front().chart;
    QCOMPARE(both.caution.english(), std::string("1 of 3 does not hold (✗), 1 is undecided (?)."));
    QCOMPARE(both.plots.front().y.categories[0].label.english(), std::string("Time to 1e-5 ?"));
    claims[0].holds = claims[1].holds = true;
    claims[0].undecided = false;
    QVERIFY(claimCharts(claims).front().chart.caution.empty());
}

void tst_Claims::mapsComeBack() {
    MeasuredStudy study{.study = "pacml", .title = "t", .version = "1"};
    const StudyMap map{.title = "minus the best",
                       .meaning = "Differences.",
                       .columns = {"A", "B"},
                       .rows = {"1 s", "2 s", "4 s"},
                       .values = {0.5, -1, NAN, 2, 0, 0.25},
                       .notes = {"a", "b", "c", "d", "e", "f"}};
    study.report.maps = {map};
    QTemporaryDir dir;
    QVERIFY(writeStudy(dir.path().toStdString(), study).empty());
    const auto read = readClaims((dir.path() + "/claims.json").toStdString());
    QVERIFY(read.ok());
    QCOMPARE(read->report.maps.size(), std::size_t{1});
    QCOMPARE(claimsJson(*read), claimsJson(study));
    const auto charts = mapCharts(read->report.maps);
    QCOMPARE(charts.size(), std::size_t{1});
    const Series& cells = charts[0].chart.plots.front().series.front();
    QVERIFY(cells.cells.written && cells.cells.columns == 2 && cells.cells.rows == 3);
    QCOMPARE(cells.cells.values[3], 2.0);
    QCOMPARE(cells.notes[4].english(), std::string("e"));
    QVERIFY(cells.cells.scale.from == -1 && cells.cells.scale.to == 2);
    std::string text = claimsJson(study); // a value less
    const auto at = text.find("0.5,");
    QVERIFY(at != std::string::npos);
    text.erase(at, 4);
    QVERIFY(writeFileAtomically((dir.path() + "/claims.json").toStdString(), text).empty());
    QVERIFY(!readClaims((dir.path() + "/claims.json").toStdString()).ok());
}

TRAINYARD_TEST(tst_Claims)
#include "tst_Claims.moc"
