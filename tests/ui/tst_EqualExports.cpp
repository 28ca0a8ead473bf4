// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Equal runs give equal files, byte for byte, whenever, in whatever time zone and by whichever process they are written. The other processes are this
// very binary, started with a variable of the environment set.
#include "export/ExportJob.h"
#include "support/BusyRun.h"
#include "support/Patience.h"
#include "support/TestMain.h"

#include <QDir>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

using namespace trainyard;

namespace {

constexpr char exportTo[] = "TRAINYARD_TEST_EXPORT_TO";

[[noreturn]] void beTheExporter() {
    const auto run = test::busyRun();
    const RunData data{.id = 1,
                       .label = QStringLiteral("busy"),
                       .scenario = run.scenario,
                       .seed = 42,
                       .workload = run.workload,
                       .log = run.log};
    // At once: an application that is not taken down leaves fonts behind, which sanitizers call leaks.
    std::_Exit(exportRun(data, {.directory = qEnvironmentVariable(exportTo)}).problems.empty() ? 0 : 1);
}

} // namespace

class tst_EqualExports : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (qEnvironmentVariableIsSet(exportTo)) beTheExporter();
    }
    void processesWriteTheSameBytes();
};

void tst_EqualExports::processesWriteTheSameBytes() {
    QTemporaryDir base;
    const auto exportInto = [&](const QString& name, const char* zone) {
        QProcess process;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.remove(QStringLiteral("QT_HASH_SEED")); // Qt Test sets it
        environment.insert(QLatin1String(exportTo), base.filePath(name));
        environment.insert(QStringLiteral("TZ"), QLatin1String(zone));
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("tst_EqualExports")});
        return process.waitForFinished(test::patience) && process.exitCode() == 0;
    };
    QElapsedTimer clock;
    clock.start();
    for (const char* name : {"first", "second", "third"}) QVERIFY2(exportInto(QLatin1String(name), "UTC"), name);
    QTest::qWait(std::max(0, static_cast<int>(1'100 - clock.elapsed()))); // another second of the clock
    QVERIFY(exportInto(QStringLiteral("last"), "UTC"));
    QVERIFY(exportInto(QStringLiteral("east"), "UTC-9")); // POSIX: nine hours east; an offset needs no table of zones
    QVERIFY(exportInto(QStringLiteral("west"), "UTC+3:30"));
    const QDir first(base.filePath(QStringLiteral("first")));
    const QStringList names = first.entryList(QDir::Files, QDir::Name);
    QVERIFY(!names.filter(QStringLiteral(".pdf")).isEmpty());
    for (const char* other : {"second", "third", "last", "east", "west"})
        for (const QString& name : names) {
            QFile one(first.filePath(name)), two(base.filePath(QLatin1String(other)) + QLatin1Char('/') + name);
            QVERIFY(one.open(QIODevice::ReadOnly) && two.open(QIODevice::ReadOnly));
            QVERIFY2(one.readAll() == two.readAll(), qPrintable(name));
        }
}

TRAINYARD_TEST(tst_EqualExports)
#include "tst_EqualExports.moc"
