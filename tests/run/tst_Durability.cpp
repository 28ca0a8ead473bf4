// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A renamed file is there after a crash only when its directory has been synced since. fsync is replaced for the whole of this
// binary by one that remembers what was synced and what the directories held by then.
#include "run/files/AtomicFile.h"
#include "run/files/StagedDirectory.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <set>

namespace fs = std::filesystem;

namespace {

std::mutex guard;
std::map<fs::path, std::set<std::string>> held; // by directory, at its last sync
std::set<ino_t> synced;                         // files

} // namespace

extern "C" int fsync(int file) {
    std::error_code error;
    const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(file), error);
    const std::scoped_lock lock(guard);
    if (fs::is_directory(path, error)) {
        held[path].clear();
        for (const auto& entry : fs::recursive_directory_iterator(path, error))
            held[path].insert(entry.path().lexically_relative(path).string());
    } else {
        struct stat status {};
        if (fstat(file, &status) == 0) synced.insert(status.st_ino);
    }
    return static_cast<int>(syscall(SYS_fsync, file));
}

using namespace trainyard;

class tst_Durability : public QObject {
    Q_OBJECT
private slots:
    void renamedFilesAreSyncedByName();
    void commitsAreSyncedByName();
};

void tst_Durability::renamedFilesAreSyncedByName() {
    QTemporaryDir dir;
    const fs::path directory = fs::canonical(dir.path().toStdString());
    QVERIFY(writeFileAtomically(directory / "first.json", "{}").empty());
    QVERIFY(held[directory].contains("first.json"));
    struct stat status {};
    QVERIFY(stat((directory / "first.json").c_str(), &status) == 0 && synced.contains(status.st_ino)); // its content
}

// What is committed is on disk by then: the staged files, the directory they lie in, and the commit record.
void tst_Durability::commitsAreSyncedByName() {
    QTemporaryDir dir;
    const fs::path target = fs::canonical(dir.path().toStdString());
    StagedDirectory staged(target);
    QVERIFY(staged.problems().empty());
    QVERIFY(writeFileAtomically(staged.path() / "first.json", "{}").empty());
    const fs::path staging = staged.path();
    held.clear();
    QVERIFY(staged.commit("first.json", [] { return std::vector<std::string>(); }).empty());
    QCOMPARE(held[staging], (std::set<std::string>{".trainyard-commit", ".trainyard-owner", "first.json"}));
    QVERIFY(held[target].contains("first.json"));
}

TRAINYARD_TEST(tst_Durability)
#include "tst_Durability.moc"
