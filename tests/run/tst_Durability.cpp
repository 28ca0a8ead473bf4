// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A renamed file is there after a crash only when its directory has been synced since. fsync is replaced for the whole of this
// binary by one that remembers what was synced and what the directories held by then.
#include "run/AtomicFile.h"
#include "run/StagedDirectory.h"
#include "support/TestMain.h"

#include <QTemporaryDir>

#include <sys/syscall.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <set>

namespace fs = std::filesystem;

namespace {

std::mutex guard;
std::map<fs::path, std::set<std::string>> held; // by directory, at its last sync
std::set<fs::path> synced;                      // files

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
        synced.insert(path.filename());
    }
    return static_cast<int>(syscall(SYS_fsync, file));
}

using namespace trainyard;

class tst_Durability : public QObject {
    Q_OBJECT
private slots:
    void renamedFilesAreSyncedByName();
    void exchangedDirectoriesAreSyncedByName();
};

void tst_Durability::renamedFilesAreSyncedByName() {
    QTemporaryDir dir;
    const fs::path directory = fs::canonical(dir.path().toStdString());
    QVERIFY(writeFileAtomically(directory / "first.json", "{}").empty());
    QVERIFY(held[directory].contains("first.json"));
    QVERIFY(synced.contains("first.json.part-" + std::to_string(getpid()))); // its content before its name
}

void tst_Durability::exchangedDirectoriesAreSyncedByName() {
    QTemporaryDir dir;
    const fs::path parent = fs::canonical(dir.path().toStdString());
    for (const bool within : {false, true}) { // a directory within the target: its files are put in place one by one
        if (within) fs::create_directories(parent / "out/kept");
        StagedDirectory staged(parent / "out");
        QVERIFY(staged.problems().empty());
        const std::string name = within ? "second.json" : "first.json";
        QVERIFY(writeFileAtomically(staged.path() / name, "{}").empty());
        held.clear();
        QVERIFY(staged.commit(name, [](const std::string&) { return false; }).empty());
        QVERIFY(within ? held[parent / "out"].contains(name) : held[parent].contains("out/" + name));
    }
}

TRAINYARD_TEST(tst_Durability)
#include "tst_Durability.moc"
