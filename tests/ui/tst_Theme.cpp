// Colours that carry meaning: contrast on every surface, hues that stay, the load scale.
#include "session/RunData.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"
#include "theme/Theme.h"

#include <cmath>
#include <set>

using namespace trainyard;

class tst_Theme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textIsReadable_data();
    void textIsReadable();
    void jobsNextToEachOtherDiffer();
    void loadGrowsLighter();
    void everyActivityHasItsOwnFill();
    void sampleRunFolds();
};

// WCAG 2.1: relative luminance and contrast ratio.
static double luminance(const QColor& c) {
    const auto channel = [](double v) { return v <= 0.03928 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}
static double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

void tst_Theme::textIsReadable_data() {
    QTest::addColumn<int>("theme");
    QTest::addColumn<double>("least"); // WCAG 2.1: AA 4.5, AAA 7
    QTest::newRow("light") << 0 << 4.5;
    QTest::newRow("dark") << 1 << 4.5;
    QTest::newRow("high contrast") << 2 << 7.0;
}

void tst_Theme::textIsReadable() {
    QFETCH(int, theme);
    QFETCH(double, least);
    const Theme all[] = {Theme::light(), Theme::darkTheme(), Theme::highContrastTheme()};
    const Theme& t = all[theme];
    for (const QColor& ground : {t.window, t.surface, t.raised})
        for (const QColor& ink : {t.text, t.muted, t.accent, t.problem, t.warning, t.good})
            QVERIFY2(contrast(ink, ground) >= least, qPrintable(ink.name() + QStringLiteral(" on ") + ground.name()));
    // Edges that one must see to know where a field is (WCAG 1.4.11).
    if (t.highContrast) QVERIFY(contrast(t.hairline, t.surface) >= 3);
}

void tst_Theme::jobsNextToEachOtherDiffer() {
    for (const Theme& t : {Theme::light(), Theme::darkTheme(), Theme::highContrastTheme()}) {
        std::set<QRgb> seen;
        for (std::size_t i = 0; i < 8; ++i) {
            QVERIFY(contrast(t.job(JobId(i)), t.surface) > 1.5);
            QVERIFY(!t.jobStriped(JobId(i)));
            seen.insert(t.job(JobId(i)).rgb());
        }
        QCOMPARE(seen.size(), std::size_t{8});
        QCOMPARE(t.job(JobId(9)), t.job(JobId(1)));
        QVERIFY(t.jobStriped(JobId(9)));
    }
}

void tst_Theme::loadGrowsLighter() {
    for (const Theme& t : {Theme::light(), Theme::darkTheme()})
        for (int i = 0; i < 20; ++i) QVERIFY(luminance(t.load((i + 1) / 20.0)) > luminance(t.load(i / 20.0)));
}

void tst_Theme::everyActivityHasItsOwnFill() {
    const Theme t = Theme::light();
    std::set<QRgb> colours;
    for (const auto a : {Activity::compute, Activity::transfer, Activity::waiting, Activity::discarded,
                         Activity::update, Activity::failed})
        colours.insert(t.activity(a).rgb());
    QCOMPARE(colours.size(), std::size_t{6});
    QCOMPARE(t.activityBrush(Activity::compute).style(), Qt::SolidPattern);
    QCOMPARE(t.activityBrush(Activity::waiting).style(), Qt::TexturePattern);
}

// The sample the other view tests stand on is itself a valid run.
void tst_Theme::sampleRunFolds() {
    const auto before = test::sampleState(0.5), end = test::sampleState(1e6);
    QCOMPARE(before->job(JobId(0)).phase, JobPhase::running);
    QCOMPARE(before->job(JobId(0)).workers.size(), std::size_t{3});
    QCOMPARE(before->machine(MachineId(0)).free.amount(0), 2.0);
    QCOMPARE(end->job(JobId(0)).phase, JobPhase::finished);
    QCOMPARE(end->job(JobId(1)).phase, JobPhase::finished);
    QCOMPARE(end->machine(MachineId(0)).free.amount(0), 4.0);
}

TRAINYARD_TEST(tst_Theme)
#include "tst_Theme.moc"
