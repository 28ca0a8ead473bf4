// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Files of one result that several processes put into the same directory are never of two of them.
#include "run/files/DirectoryLock.h"

#include "base/WholeFile.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <algorithm>
#include <sys/wait.h>
#include <unistd.h>

using namespace trainyard;

class tst_DirectoryLock : public QObject {
    Q_OBJECT
private slots:
    void filesAreOfOneProcess();
    void problemsNameEachFile();
};

void tst_DirectoryLock::filesAreOfOneProcess() {
    const QTemporaryDir dir;
    const std::filesystem::path directory = dir.path().toStdString();
    QVERIFY(replaceFiles(directory, {{"a", "0"}, {"b", "0"}}).empty());
    std::vector<pid_t> children;
    for (const char* own : {"1", "2"})
        if (const pid_t child = fork(); child == 0) {
            int failed = 0;
            for (int i = 0; i < 300; ++i) failed += !replaceFiles(directory, {{"a", own}, {"b", own}}).empty();
            _exit(std::min(failed, 100));
        } else {
            children.push_back(child);
        }
    int mixed = 0;
    for (int i = 0; i < 300; ++i) {
        const DirectoryLock lock(directory);
        mixed += readWholeFile(directory / "a", 100).value() != readWholeFile(directory / "b", 100).value();
    }
    for (const pid_t child : children) {
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }
    QCOMPARE(mixed, 0);
}

void tst_DirectoryLock::problemsNameEachFile() {
    const Problems problems = replaceFiles("/dev/null/none", {{"a", ""}, {"b", ""}});
    QCOMPARE(problems.size(), std::size_t{2});
    QCOMPARE(problems[1].file, std::string("/dev/null/none/b"));
}

TRAINYARD_TEST(tst_DirectoryLock)
#include "tst_DirectoryLock.moc"
