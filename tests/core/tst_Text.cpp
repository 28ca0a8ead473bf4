// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Templates of texts and their arguments.
#include "base/Problem.h"
#include "support/TestMain.h"

#include <QTest>

using namespace trainyard;

class tst_Text : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void english_data();
    void english();
};

void tst_Text::english_data() {
    QTest::addColumn<QString>("pattern");
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* pattern, const QStringList& arguments, const char* text) {
        QTest::addRow("%s %s", pattern, qPrintable(arguments.join(u','))) << pattern << arguments << text;
    };
    row("{1} of {0}", {"4", "3"}, "3 of 4");
    row("{0} {0:worker|workers}", {"1"}, "1 worker");
    row("{0} {0:worker|workers}", {"2"}, "2 workers");
    row("{0} {0:worker|workers}", {"0"}, "0 workers");
    row("{0} {0:worker|workers}", {"11"}, "11 workers");
    row("{0} {0:worker|workers}", {"1,000"}, "1,000 workers");
    row("{1} {1:run has|runs have} {0}", {"{1:a|b}", "1"}, "1 run has {1:a|b}"); // arguments are no templates
    row("{0:same}", {"7"}, "same");
    row("{0:|s}", {"1"}, "");
    row("{7:one|many}", {}, "many");
    row("{x} {0 {0:a", {"1"}, "{x} {0 {0:a"); // no places
    row("{\"id\": {0}}", {"1"}, "{\"id\": 1}");
}

void tst_Text::english() {
    QFETCH(QString, pattern);
    QFETCH(QStringList, arguments);
    QFETCH(QString, text);
    Text of{pattern.toStdString(), {}};
    for (const QString& argument : arguments) of.arguments.push_back(argument.toStdString());
    QCOMPARE(QString::fromStdString(of.english()), text);
}

TRAINYARD_TEST(tst_Text)
#include "tst_Text.moc"
