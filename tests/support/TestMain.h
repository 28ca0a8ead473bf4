// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One test binary per folder. TRAINYARD_TEST(tst_X) at the end of tst_X.cpp registers the class; the binary runs the class
// named by its first argument (as ctest does), or all of them.
#include <QtTest>

#include <functional>

namespace trainyard::test {

struct RegisteredTest {
    const char* name;
    std::function<int(const QStringList&)> run;
};

QList<RegisteredTest>& registeredTests();

template <class T>
bool registerTest(const char* name) {
    registeredTests().append({name, [](const QStringList& arguments) {
                                  T object;
                                  return QTest::qExec(&object, arguments);
                              }});
    return true;
}

} // namespace trainyard::test

#define TRAINYARD_TEST(Class) static const bool registered_##Class = trainyard::test::registerTest<Class>(#Class);
