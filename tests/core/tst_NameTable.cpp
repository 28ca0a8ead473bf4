// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Numbers of names, against a map.
#include "base/Random.h"
#include "base/Result.h"
#include "learning/keyed/NameTable.h"
#include "support/TestMain.h"

#include <map>

using namespace trainyard;

class tst_NameTable : public QObject {
    Q_OBJECT
private slots:
    void numbersAsAMap();
    void longNames();
};

void tst_NameTable::numbersAsAMap() {
    RandomStream random(1, Purpose::test);
    NameTable table;
    QVERIFY(!table.find("a"));
    std::map<std::string, std::uint32_t> expected;
    std::vector<std::string> order;
    std::uint64_t bytes = 0;
    for (int round = 0; round < 60'000; ++round) {
        std::string name; // also the empty one, and bytes of any kind
        for (std::uint64_t n = random.below(4); n > 0; --n) name += static_cast<char>(random.below(40));
        const auto known = expected.find(name);
        QCOMPARE(table.find(name).has_value(), known != expected.end());
        if (known == expected.end()) {
            expected.emplace(name, static_cast<std::uint32_t>(order.size()));
            order.push_back(name);
            bytes += name.size();
        }
        QCOMPARE(table.numberOf(name), expected.at(name));
    }
    QCOMPARE(std::size_t{table.size()}, order.size());
    QVERIFY(order.size() > 10'000);
    QVERIFY(table.all() == order);
    QCOMPARE(table.nameBytes(), bytes);
}

// Longer than a block's rest, and as long as may be; views stay as the table grows.
void tst_NameTable::longNames() {
    NameTable table;
    const std::string longest(NameTable::mostBytes, 'x');
    const std::string_view first = (table.numberOf("first"), table.name(0));
    for (char c = 'a'; c < 'k'; ++c)
        QCOMPARE(table.numberOf(longest.substr(1) + c), static_cast<std::uint32_t>(c - 'a' + 1));
    QCOMPARE(table.name(3), std::string_view(longest.substr(1) + "c"));
    QCOMPARE(table.numberOf(longest.substr(1) + "b"), 2u);
    for (int n = 0; n < 1000; ++n) table.numberOf(std::to_string(n));
    QCOMPARE(first, std::string_view("first"));
    QVERIFY_THROWS_EXCEPTION(InvariantError, table.numberOf(longest + "y"));
}

TRAINYARD_TEST(tst_NameTable)
#include "tst_NameTable.moc"
