// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "support/TestMain.h"

#ifdef TRAINYARD_TEST_GUI
#include "theme/EnglishPlurals.h"

#include <QApplication>
#else
#include <QCoreApplication>
#endif

#include <clocale>

namespace trainyard::test {

QList<RegisteredTest>& registeredTests() {
    static QList<RegisteredTest> tests;
    return tests;
}

} // namespace trainyard::test

int main(int argc, char** argv) {
#ifdef TRAINYARD_TEST_GUI
    qputenv("QT_QPA_PLATFORM", qEnvironmentVariable("QT_QPA_PLATFORM", QStringLiteral("offscreen")).toUtf8());
    QApplication application(argc, argv);
    trainyard::EnglishPlurals english;
    QCoreApplication::installTranslator(&english);
#else
    QCoreApplication application(argc, argv);
#endif
    std::setlocale(LC_NUMERIC, "C");
    QStringList arguments = QCoreApplication::arguments();
    QString wanted;
    if (arguments.size() > 1 && arguments[1].startsWith(QLatin1String("tst_"))) wanted = arguments.takeAt(1);
    int failures = 0, ran = 0;
    for (const auto& test : trainyard::test::registeredTests()) {
        if (!wanted.isEmpty() && wanted != QLatin1String(test.name)) continue;
        failures += test.run(arguments);
        ++ran;
    }
    if (ran == 0) qCritical("no such test class");
    return ran == 0 ? 2 : failures;
}
