// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Pieces of work beside the window's thread: in order, their results on the thread that asked, and none of
// them after the asker is gone.
#include "session/BackgroundWork.h"
#include "support/TestMain.h"

#include <QThread>

#include <algorithm>
#include <atomic>

using namespace trainyard;

class tst_BackgroundWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resultsComeInOrderOnTheAskersThread();
    void endsWithItsOwner();
    void sharedOneIsOne();
};

void tst_BackgroundWork::resultsComeInOrderOnTheAskersThread() {
    BackgroundWork work;
    const auto here = std::this_thread::get_id();
    std::vector<int> done;
    int elsewhere = 0;
    for (int i = 0; i < 100; ++i)
        work.start([&, i, here](const std::stop_token&) -> BackgroundWork::Result {
            const bool beside = std::this_thread::get_id() != here;
            return [&, i, here, beside] {
                if (std::this_thread::get_id() == here) done.push_back(i);
                elsewhere += beside;
            };
        });
    QVERIFY(done.empty()); // only the event loop brings results
    QTRY_COMPARE(done.size(), std::size_t{100});
    QVERIFY(std::is_sorted(done.begin(), done.end()));
    QCOMPARE(elsewhere, 100);
    work.start([](const std::stop_token&) { return BackgroundWork::Result(); }); // nothing to do then
}

void tst_BackgroundWork::endsWithItsOwner() {
    std::atomic<bool> begun = false, told = false, second = false;
    bool result = false;
    {
        BackgroundWork work;
        work.start([&](const std::stop_token& stop) -> BackgroundWork::Result {
            begun = true;
            while (!stop.stop_requested()) QThread::msleep(1); // without end, unless it is told
            told = true;
            return [&] { result = true; };
        });
        work.start([&](const std::stop_token&) -> BackgroundWork::Result {
            second = true;
            return {};
        });
        QTRY_VERIFY(begun);
    }
    QVERIFY(told);
    QVERIFY(!second);
    QCoreApplication::processEvents();
    QVERIFY(!result);
}

void tst_BackgroundWork::sharedOneIsOne() {
    QCOMPARE(&BackgroundWork::shared(), &BackgroundWork::shared());
    bool done = false;
    BackgroundWork::shared().start(
        [&](const std::stop_token&) -> BackgroundWork::Result { return [&] { done = true; }; });
    QTRY_VERIFY(done);
}

TRAINYARD_TEST(tst_BackgroundWork)
#include "tst_BackgroundWork.moc"
