// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Options of --render that cannot be meant are refused with a sentence that names them: values that are no numbers, and options that
// would change nothing beside others.
#include "export/RenderArguments.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_RenderOptions : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void areRefused_data();
    void areRefused();
    void areAccepted_data();
    void areAccepted();
};

namespace {

std::optional<QString> problem(const QString& words) {
    RenderArguments out;
    return parseRenderArguments(
        (QStringLiteral("trainyard --render r ") + words).split(QLatin1Char(' '), Qt::SkipEmptyParts), out);
}

} // namespace

void tst_RenderOptions::areRefused_data() {
    QTest::addColumn<QString>("named");
    const auto row = [](const char* words, const char* named) { QTest::newRow(words) << QString::fromLatin1(named); };
    for (const char* value : {"nan", "-nan", "inf", "-1", "1e400", "3x", "\"\""}) {
        for (const char* option : {"--from", "--to", "--at", "--dpi", "--width", "--height"})
            QTest::newRow(qPrintable(QStringLiteral("--out o %1 %2").arg(QLatin1String(option), QLatin1String(value))))
                << QString::fromLatin1(option);
        for (const char* option : {"--fps", "--speed"})
            QTest::newRow(
                qPrintable(QStringLiteral("--out o --frames %1 %2").arg(QLatin1String(option), QLatin1String(value))))
                << QString::fromLatin1(option);
    }
    for (const char* size : {"nanxnanmm", "160xnanmm", "infxinfpx", "1e300x1e300mm", "0x0px", "160x75x3mm", "1x1mm"})
        QTest::newRow(qPrintable(QStringLiteral("--out o --size ") + QLatin1String(size))) << QStringLiteral("--size");
    row("--out o --frames --size nanxnanpx", "--size");
    row("--out o --frames --width 320 --height 16000", "--width");
    row("--out o --fps 10", "--frames");
    row("--out o --speed 2", "--frames");
    row("--out o --views loss --view iteration", "--views");
    row("--out o --view iteration -o x.svg", "--out");
    row("--view iteration -o x.svg --formats png", "--formats");
    row("--view iteration -o x.csv --theme dark", "--theme");
    row("--out o --size 160x75mm --width 640", "--width");
    row("--out o --theme dark --theme light", "--theme");
    row("--out o --log=no", "log");
    row("--out o --job=", "--job");
    for (const char* option : {"--views loss", "--formats png", "--at 3", "--dpi 96", "--x-title x", "--y-title x",
                               "--no-footer", "--job a", "--title loss=x"})
        QTest::newRow(qPrintable(QStringLiteral("--out o --frames ") + QLatin1String(option)))
            << QString::fromLatin1(option).section(QLatin1Char(' '), 0, 0);
    row("--out o --views gantt --log", "--log");
    row("--out o --views gantt --by-update", "--by-update");
    row("--out o --views gantt --ghost h", "--ghost");
    row("--out o --views cluster --from 3", "--from");
    row("--out o --views iteration --time-unit s", "--time-unit");
    row("--out o --views jobs --x-title x", "--x-title");
    row("--out o --views loss --at 3", "--at");
    row("--out o --views loss --job a", "--job");
    row("--out o --views gantt --title loss=x", "loss");
    row("--out o --formats csv --dpi 300", "--dpi");
    row("--out o --formats csv --no-footer", "--no-footer");
    row("--out o --formats svg,pdf --dpi 300", "--dpi");
    row("--out o --view iteration --set moon=3", "--set moon=3");
}

void tst_RenderOptions::areRefused() {
    QFETCH(QString, named);
    const auto why = problem(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(why);
    QVERIFY2(why->contains(named), qPrintable(*why));
}

void tst_RenderOptions::areAccepted_data() {
    QTest::addColumn<QString>("words");
    for (const char* words :
         {"--out o", "--out o --view iteration --at 3 --job a --set by_worker=true", "--view iteration -o x.svg --at 3",
          "--out o --frames --fps 10 --speed 0.5 --from 1 --to 2 --log --ghost h --title x",
          "--out o --frames --view iteration --job a", "--out o --formats svg --dpi 300 --size 1200x560px",
          "--out o --views loss,gantt --log --by-update --from 1 --to 2 --time-unit min --title loss=x --title gantt=y",
          "--out o --views events --from 1", "--out o --views jobs --at 1", "--out o --width 640 --height 400 --dpi 96",
          "--out o --formats csv --from 1 --at 2"})
        QTest::newRow(words) << QString::fromLatin1(words);
}

void tst_RenderOptions::areAccepted() {
    QFETCH(QString, words);
    const auto why = problem(words);
    QVERIFY2(!why, qPrintable(why.value_or(QString())));
}

TRAINYARD_TEST(tst_RenderOptions)
#include "tst_RenderOptions.moc"
