// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Colours that carry meaning: contrast on every surface, hues that stay, the load scale.
#include "charts/PictureStyle.h"
#include "lanes/LanePainter.h"
#include "session/RunData.h"
#include "support/SampleRun.h"
#include "support/TestMain.h"
#include "theme/ElidedComboBox.h"
#include "theme/ElidedLineEdit.h"
#include "theme/Theme.h"

#include <QBuffer>
#include <QFile>
#include <QPainter>
#include <QSvgGenerator>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace trainyard;

class tst_Theme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void textIsReadable_data();
    void textIsReadable();
    void jobsNextToEachOtherDiffer();
    void jobsAreNoActivities();
    void seriesAreNoJobs();
    void seriesAreToldApart();
    void tableOfThePalette();
    void loadGrowsLighter();
    void everyActivityHasItsOwnFill();
    void comboBoxesSayThatTheyAreCut();
    void lineEditsSayThatTheyAreCut();
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

/// Machines or resources in the colour of the first job would be read as that job.
void tst_Theme::seriesAreNoJobs() {
    const auto apart = [](const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
    };
    for (const Theme& theme : {Theme::light(), Theme::darkTheme(), Theme::highContrastTheme(), Theme::print()})
        for (std::uint32_t i = 0; i < 8; ++i) {
            const QColor colour = roleColour(theme, Role::hue(i));
            for (const QColor& ground : {theme.window, theme.surface, theme.raised})
                QVERIFY2(contrast(colour, ground) >= 3, qPrintable(colour.name()));
            for (std::uint32_t j = 0; j < 10; ++j)
                QVERIFY2(apart(colour, theme.job(JobId(j))) > 30, qPrintable(colour.name()));
            for (std::uint32_t j = 0; j < i; ++j) QVERIFY(apart(colour, roleColour(theme, Role::hue(j))) > 60);
        }
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
    for (const double share : {0.18, 0.25, 0.35, 0.55}) // idle bars, links, borders of cards
        if (t.highContrast) QVERIFY(contrast(t.rest(share, t.surface), t.surface) >= 3);
}

void tst_Theme::jobsNextToEachOtherDiffer() {
    for (const Theme& t : {Theme::light(), Theme::darkTheme(), Theme::highContrastTheme()}) {
        std::set<QRgb> seen;
        for (std::size_t i = 0; i < 10; ++i) {
            const QColor colour = t.job(JobId(i));
            for (const QColor& ground : {t.window, t.surface, t.raised})
                QVERIFY2(contrast(colour, ground) >= 3,
                         qPrintable(colour.name() + QStringLiteral(" on ") + ground.name()));
            QVERIFY2(contrast(t.ghost(colour), t.surface) >= 3, qPrintable(colour.name()));
            QVERIFY(!t.jobStriped(JobId(i)));
            seen.insert(colour.rgb());
        }
        QVERIFY(contrast(t.ghost(t.muted), t.surface) >= 3);
        QCOMPARE(seen.size(), std::size_t{10});
        QCOMPARE(t.job(JobId(11)), t.job(JobId(1)));
        QVERIFY(t.jobStriped(JobId(11)));
    }
}

namespace {

using Three = std::array<double, 3>;

/// Linear red, green and blue of a colour as people with a colour vision see it: Machado, Oliveira, Fernandes (2009), full severity.
Three simulated(const QColor& colour, const std::array<Three, 3>& vision) {
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    const Three given{linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())};
    Three rgb{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) rgb[i] += vision[i][j] * given[j];
        rgb[i] = std::clamp(rgb[i], 0.0, 1.0);
    }
    return rgb;
}

/// CIELAB of it.
Three seen(const QColor& colour, const std::array<Three, 3>& vision) {
    const Three rgb = simulated(colour, vision);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.95047),
                 y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]),
                 z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// CIE 1994.
double distance(const Three& a, const Three& b) {
    const double chroma = std::hypot(a[1], a[2]), other = std::hypot(b[1], b[2]), dC = chroma - other;
    const double dH2 = std::max(0.0, std::pow(a[1] - b[1], 2) + std::pow(a[2] - b[2], 2) - dC * dC);
    const double mean = std::sqrt(chroma * other);
    return std::sqrt(std::pow(a[0] - b[0], 2) + std::pow(dC / (1 + 0.045 * mean), 2) +
                     dH2 / std::pow(1 + 0.015 * mean, 2));
}

struct Vision {
    const char* name;
    double least; ///< between jobs; activities have textures, too, and so lie nearer
    std::array<Three, 3> matrix;
};
const Vision visions[] = {
    {"normal", 20, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     10.5,
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     10.5,
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     10.5,
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}}};

/// A colour that carries meaning; those of one kind stand beside each other.
struct Named {
    QString name;
    QColor colour;
    int kind; ///< 0: jobs and activities, 1: series
};

std::vector<Named> palette(const Theme& t) {
    std::vector<Named> out;
    for (std::size_t i = 0; i < 10; ++i) out.push_back({QStringLiteral("job %1").arg(i + 1), t.job(JobId(i)), 0});
    for (const auto a : {Activity::compute, Activity::transfer, Activity::waiting, Activity::discarded,
                         Activity::update, Activity::failed})
        out.push_back({activityName(a), t.activity(a), 0});
    for (std::size_t i = 0; i < 8; ++i) out.push_back({QStringLiteral("series %1").arg(i + 1), t.series(i), 1});
    return out;
}

/// The contrast of each colour with what it is drawn on, and how far the nearest of its kind is for each colour vision.
QString paletteTable(const Theme& t) {
    QString text =
        QStringLiteral("| colour | | window | surface | raised | normal | protanopia | deuteranopia | tritanopia |\n"
                       "|---|---|--:|--:|--:|--:|--:|--:|--:|\n");
    const std::vector<Named> all = palette(t);
    for (const Named& each : all) {
        text += QStringLiteral("| %1 | `%2` |").arg(each.name, each.colour.name());
        for (const QColor& ground : {t.window, t.surface, t.raised})
            text += QStringLiteral(" %1 |").arg(contrast(each.colour, ground), 0, 'f', 1);
        for (const Vision& vision : visions) {
            double least = 1e9;
            for (const Named& other : all)
                if (other.kind == each.kind && other.name != each.name)
                    least =
                        std::min(least, distance(seen(each.colour, vision.matrix), seen(other.colour, vision.matrix)));
            text += QStringLiteral(" %1 |").arg(least, 0, 'f', 0);
        }
        text += u'\n';
    }
    return text;
}

/// Each colour on the surface of a theme, a row for each colour vision.
QString paletteRows(const Theme& t, int top) {
    constexpr int side = 30, left = 110;
    const auto text = [&](int x, int y, const QString& anchor, const QString& words) {
        return QStringLiteral("<text x='%1' y='%2' text-anchor='%3' fill='%4'>%5</text>\n")
            .arg(x)
            .arg(y)
            .arg(anchor, t.text.name(), words);
    };
    const auto encoded = [](double v) { return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055; };
    const std::vector<Named> all = palette(t);
    QString out = QStringLiteral("<rect x='0' y='%1' width='%2' height='%3' fill='%4'/>\n")
                      .arg(top)
                      .arg(left + side * static_cast<int>(all.size()) + 10)
                      .arg(30 + (side + 6) * static_cast<int>(std::size(visions)))
                      .arg(t.surface.name());
    for (int x = left; const Named& each : all) {
        out += text(x + side / 2, top + 18, QStringLiteral("middle"),
                    QStringLiteral("%1").arg(contrast(each.colour, t.surface), 0, 'f', 1));
        x += side;
    }
    for (int y = top + 24; const Vision& vision : visions) {
        out += text(left - 8, y + 20, QStringLiteral("end"), QLatin1String(vision.name));
        for (int x = left; const Named& each : all) {
            const Three rgb = simulated(each.colour, vision.matrix);
            out += QStringLiteral("<rect x='%1' y='%2' width='%3' height='%3' fill='%4'><title>%5</title></rect>\n")
                       .arg(x)
                       .arg(y)
                       .arg(side)
                       .arg(QColor::fromRgbF(static_cast<float>(encoded(rgb[0])), static_cast<float>(encoded(rgb[1])),
                                             static_cast<float>(encoded(rgb[2])))
                                .name(),
                            each.name);
            x += side;
        }
        y += side + 6;
    }
    return out;
}

QString palettePicture() {
    return QStringLiteral("<svg xmlns='http://www.w3.org/2000/svg' width='840' height='348' font-family='sans-serif' "
                          "font-size='11'>\n%1%2</svg>\n")
        .arg(paletteRows(Theme::light(), 0), paletteRows(Theme::darkTheme(), 174));
}

/// The file says this, or is written anew with TRAINYARD_UPDATE=1.
void compareDocument(const char* name, const QString& text) {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/docs/") + QLatin1String(name));
    if (qEnvironmentVariableIsSet("TRAINYARD_UPDATE")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.toUtf8());
        file.close();
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(QString::fromUtf8(file.readAll()), text);
}

} // namespace

// The colour of a job is no activity's, nor another job's: also for people who see fewer colours.
void tst_Theme::jobsAreNoActivities() {
    for (const Theme& t : {Theme::light(), Theme::darkTheme()})
        for (const Vision& vision : visions)
            for (std::size_t i = 0; i < 10; ++i) {
                const Three job = seen(t.job(JobId(i)), vision.matrix);
                const auto isFar = [&](const QColor& other, double least) {
                    const double d = distance(job, seen(other, vision.matrix));
                    return d >= least ? QString()
                                      : QStringLiteral("%1: job %2 and %3: %4")
                                            .arg(QLatin1String(vision.name))
                                            .arg(i)
                                            .arg(other.name())
                                            .arg(d);
                };
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY2(isFar(t.job(JobId(j)), vision.least).isEmpty(),
                             qPrintable(isFar(t.job(JobId(j)), vision.least)));
                for (const auto a : {Activity::compute, Activity::transfer, Activity::waiting, Activity::discarded,
                                     Activity::update, Activity::failed})
                    QVERIFY2(isFar(t.activity(a), 0.65 * vision.least).isEmpty(),
                             qPrintable(isFar(t.activity(a), 0.65 * vision.least)));
            }
}

/// Of policies, resources and percentiles in one chart any two may be beside each other.
void tst_Theme::seriesAreToldApart() {
    for (const Theme& t : {Theme::light(), Theme::darkTheme()})
        for (const Vision& vision : visions)
            for (std::size_t i = 0; i < 8; ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    const double apart = distance(seen(t.series(i), vision.matrix), seen(t.series(j), vision.matrix));
                    QVERIFY2(apart >= 15, qPrintable(QStringLiteral("%1: series %2 and %3: %4")
                                                         .arg(QLatin1String(vision.name))
                                                         .arg(i + 1)
                                                         .arg(j + 1)
                                                         .arg(apart)));
                }
}

void tst_Theme::tableOfThePalette() {
    const QString text =
        QStringLiteral(
            "# Colours\n\n"
            "Written by `tests_ui tst_Theme` (`TRAINYARD_UPDATE=1` writes it anew), which also holds the limits. Contrast with the "
            "three grounds by\nWCAG 2.1; then the distance (CIE 1994) to the nearest of the same kind, as people with each colour "
            "vision see it (Machado, Oliveira,\nFernandes 2009, full severity). Jobs and activities are one kind: they stand beside "
            "each other. Activities differ by texture, too.\n\n![Each colour as it is seen](images/palette.svg)\n\nThe jobs, "
            "the activities and the series, with their contrast on the surface.\n\n## Light\n\n%1\n## Dark\n\n%2")
            .arg(paletteTable(Theme::light()), paletteTable(Theme::darkTheme()));
    compareDocument("palette.md", text);
    compareDocument("images/palette.svg", palettePicture());
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

/// Where something is drawn on the ground that the corner shows, and how much of it.
struct Ink {
    QRect place;
    double amount = 0;
};

static Ink inkOf(const QImage& image) {
    Ink ink;
    const int ground = qGray(image.pixel(0, 0));
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const int differs = std::abs(qGray(image.pixel(x, y)) - ground);
            ink.amount += differs;
            if (differs > 60) ink.place |= QRect(x, y, 1, 1);
        }
    return ink;
}

/// As a line edit draws the shortened text; it stays as it is.
void tst_Theme::lineEditsSayThatTheyAreCut() {
    ElidedLineEdit line;
    const auto picture = [&] { return line.grab().toImage(); };
    const QString whole = QStringLiteral("Timeout of a round (Full synchronization)");
    int cut = 0;
    for (int width = 60; width <= 500; width += 11) {
        line.resize(width, line.sizeHint().height());
        line.setText(whole);
        const QString shown = line.shownText();
        QCOMPARE(shown.endsWith(QStringLiteral("…")), shown != whole);
        QCOMPARE(line.text(), whole);
        const Ink drawn = inkOf(picture());
        line.setText(shown);
        line.setCursorPosition(0);           // a line edit scrolls to its cursor
        const Ink wanted = inkOf(picture()); // glyphs may begin within a pixel
        QVERIFY2(std::abs(drawn.amount / wanted.amount - 1) < 0.05, qPrintable(shown));
        const QRect &one = drawn.place, &other = wanted.place;
        for (const int apart : {one.left() - other.left(), one.right() - other.right(), one.top() - other.top()})
            QVERIFY2(std::abs(apart) <= 1, qPrintable(shown));
        cut += shown != whole;
    }
    QVERIFY(cut > 5 && cut < 40);
}

// The sample the other view tests stand on is itself a valid run.
/// A name that is cut within a letter looks like another name.
void tst_Theme::comboBoxesSayThatTheyAreCut() {
    ElidedComboBox box;
    box.addItem(QStringLiteral("Timeout of a round (Full synchronization)"));
    const auto shown = [&](int width) {
        box.resize(width, 28);
        QBuffer svg;
        QSvgGenerator picture;
        picture.setOutputDevice(&svg);
        QPainter painter(&picture);
        box.render(&painter);
        painter.end();
        return QString::fromUtf8(svg.data());
    };
    QVERIFY(shown(160).contains(u'…'));
    QVERIFY(shown(600).contains(box.itemText(0)));
}

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
