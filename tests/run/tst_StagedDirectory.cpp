// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Directories that change all at once: what is put in place, what stays, what goes, and what becomes of processes that were killed.
#include "base/WholeFile.h"
#include "run/CliProcess.h"
#include "run/TinyScenario.h"
#include "run/files/AtomicFile.h"
#include "run/files/RunFiles.h"
#include "run/files/RunRecord.h"
#include "scenario/ScenarioFile.h"
#include "support/TestMain.h"

#include <QDir>
#include <QTemporaryDir>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <set>
#include <thread>

using namespace trainyard;
using namespace trainyard::test;
namespace fs = std::filesystem;

class tst_StagedDirectory : public QObject {
    Q_OBJECT
private slots:
    void init();
    void allAtOnce();
    void nothingWithoutCommit();
    void directoriesWithinAreKept();
    void foldersChangeToo();
    void foldersThatAreLinksAreTold();
    void commitsFollowOneAnother();
    void workingDirectoryStays();
    void namesTakenByDirectoriesAreTold();
    void whatOthersMadeStays();
    void theNextOneFinishes();
    void commitsStayWithin();
    void theLivingKeepTheirs();
    void killedAtAnyTimeItIsOneRun();
    void verifyFindsWhatIsWrong();
    void atOnceTheyLeaveEachOther();
    void temporaryFilesFollowNoLinks();

private:
    void put(const char* name, const std::string& text) const {
        QVERIFY(writeFileAtomically(m_target / name, text).empty());
    }
    std::set<std::string> names(const fs::path& directory) const {
        std::set<std::string> out;
        for (const auto& entry : fs::directory_iterator(directory)) out.insert(entry.path().filename().string());
        return out;
    }
    std::string text(const char* name) const { return readWholeFile(m_target / name, 1 << 20).value(); }

    std::unique_ptr<QTemporaryDir> m_dir;
    fs::path m_target;
};

namespace {

std::vector<std::string> oldOnes() { return {"old"}; }

} // namespace

void tst_StagedDirectory::init() {
    m_dir = std::make_unique<QTemporaryDir>();
    m_target = fs::path(m_dir->path().toStdString()) / "run";
    fs::create_directory(m_target);
    put("old", "of an earlier run");
    put("a", "of an earlier run");
    put("own", "somebody's");
}

void tst_StagedDirectory::allAtOnce() {
    {
        StagedDirectory staged(m_target);
        QVERIFY(staged.problems().empty());
        QVERIFY(writeFileAtomically(staged.path() / "a", "new").empty());
        QVERIFY(writeFileAtomically(staged.path() / "record", "new").empty());
        QCOMPARE(text("a"), "of an earlier run");
        QVERIFY(staged.commit("record", oldOnes).empty());
    }
    QCOMPARE(names(m_target), (std::set<std::string>{"a", "own", "record"}));
    QCOMPARE(text("a"), "new");
    QCOMPARE(text("own"), "somebody's");
    QCOMPARE(names(m_target.parent_path()), std::set<std::string>{"run"});
}

void tst_StagedDirectory::nothingWithoutCommit() {
    {
        StagedDirectory staged(m_target);
        QVERIFY(writeFileAtomically(staged.path() / "a", "new").empty());
    }
    QCOMPARE(text("a"), "of an earlier run");
    QCOMPARE(names(m_target), (std::set<std::string>{"a", "old", "own"}));
    QCOMPARE(names(m_target.parent_path()), std::set<std::string>{"run"});
}

void tst_StagedDirectory::directoriesWithinAreKept() {
    fs::create_directory(m_target / "deep");
    put("deep/own", "somebody's");
    StagedDirectory staged(m_target);
    QVERIFY(writeFileAtomically(staged.path() / "a", "new").empty());
    QVERIFY(staged.commit("record", oldOnes).empty());
    QCOMPARE(names(m_target), (std::set<std::string>{"a", "own", "deep"}));
    QCOMPARE(text("deep/own"), "somebody's");
    QCOMPARE(text("a"), "new");
}

// Files in folders come and go in the same commit; what somebody put there stays, and a folder left empty goes.
void tst_StagedDirectory::foldersChangeToo() {
    for (const char* folder : {"shots", "charts"}) fs::create_directory(m_target / folder);
    for (const char* name : {"shots/old", "shots/own", "charts/old"}) put(name, "of an earlier run");
    StagedDirectory staged(m_target);
    fs::create_directory(staged.path() / "pictures");
    QVERIFY(writeFileAtomically(staged.path() / "pictures/a", "new").empty());
    QVERIFY(writeFileAtomically(staged.path() / "record", "new").empty());
    QVERIFY(staged.commit("record",
                          [] {
                              return std::vector<std::string>{"shots/old", "charts/old", "../run/own"};
                          })
                .empty());
    QCOMPARE(names(m_target), (std::set<std::string>{"a", "old", "own", "pictures", "record", "shots"}));
    QCOMPARE(names(m_target / "shots"), std::set<std::string>{"own"});
    QCOMPARE(text("pictures/a"), "new");
    QVERIFY(!isNameWithin("../a") && !isNameWithin("a/../b") && !isNameWithin("/a") && !isNameWithin("a/"));
}

// Nothing is written or removed where a link leads, and nothing else changes.
void tst_StagedDirectory::foldersThatAreLinksAreTold() {
    const fs::path elsewhere = m_target.parent_path() / "elsewhere";
    fs::create_directory(elsewhere);
    QVERIFY(writeFileAtomically(elsewhere / "own", "somebody's").empty());
    fs::create_directory_symlink(elsewhere, m_target / "pictures");
    {
        StagedDirectory staged(m_target);
        fs::create_directory(staged.path() / "pictures");
        for (const char* name : {"a", "pictures/b"}) QVERIFY(writeFileAtomically(staged.path() / name, "new").empty());
        QCOMPARE(staged.commit("a", oldOnes).size(), std::size_t{1});
    }
    QCOMPARE(text("a"), "of an earlier run");
    {
        StagedDirectory staged(m_target);
        QVERIFY(writeFileAtomically(staged.path() / "a", "new").empty());
        QVERIFY(staged.commit("a", [] { return std::vector<std::string>{"pictures/own"}; }).empty());
    }
    QCOMPARE(names(elsewhere), std::set<std::string>{"own"});
}

// Two runs that move their files one by one into the same directory must not mix them: the second waits for the first's end.
void tst_StagedDirectory::commitsFollowOneAnother() {
    fs::create_directory(m_target / "frames");
    StagedDirectory staged(m_target);
    for (const char* name : {"a", "record"}) QVERIFY(writeFileAtomically(staged.path() / name, "new").empty());
    const int other = open(m_target.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    QVERIFY(other >= 0 && flock(other, LOCK_EX) == 0);
    std::atomic<bool> done = false;
    std::thread second([&] {
        staged.commit("record", oldOnes);
        done = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const bool waited = !done && text("a") == "of an earlier run";
    close(other);
    second.join();
    QVERIFY(waited);
    QCOMPARE(text("a"), "new");
}

void tst_StagedDirectory::workingDirectoryStays() {
    const fs::path before = fs::current_path();
    fs::current_path(m_target);
    Problems problems;
    {
        StagedDirectory staged(".");
        problems = writeFileAtomically(staged.path() / "a", "new");
        const Problems more = staged.commit("record", oldOnes);
        problems.insert(problems.end(), more.begin(), more.end());
    }
    fs::current_path(before);
    QVERIFY(problems.empty());
    QCOMPARE(text("a"), "new");
    QCOMPARE(names(m_target), (std::set<std::string>{"a", "own"}));
}

// Somebody's directory has the name of a file: it is not removed, and nothing is put in place.
void tst_StagedDirectory::namesTakenByDirectoriesAreTold() {
    fs::create_directories(m_target / "b" / "own");
    {
        StagedDirectory staged(m_target);
        for (const char* name : {"a", "b", "c"}) QVERIFY(writeFileAtomically(staged.path() / name, "new").empty());
        const Problems problems = staged.commit("c", oldOnes);
        QCOMPARE(problems.size(), std::size_t{1});
        QCOMPARE(fs::path(problems[0].file).filename(), fs::path("b"));
    }
    QVERIFY(fs::exists(m_target / "b" / "own"));
    QCOMPARE(text("a"), "of an earlier run");
    QCOMPARE(names(m_target), (std::set<std::string>{"a", "b", "old", "own"}));
}

// Whatever others call their files: of names that look like this program's, too, nothing goes that it cannot prove it made.
void tst_StagedDirectory::whatOthersMadeStays() {
    const fs::path parent = m_target.parent_path();
    const std::set<std::string> beside{"run",        "run.part-1", "run.part-2",          "run.part-A",
                                       "run.part-x", "runs",       ".trainyard-run-abcde"},
        within{"a.part-1", ".part-2", ".trainyard-run-abcdef", ".trainyard-run-copied", ".trainyard-probe-1", "own"};
    std::string made;
    { // a copy of a directory that is the program's is somebody's
        const StagedDirectory staged(m_target);
        made = staged.path().filename().string();
        for (const fs::path& directory : {m_target / ".trainyard-run-copied", m_target / ".trainyard-run-abcdef"})
            fs::copy(staged.path(), directory, fs::copy_options::recursive);
    }
    QVERIFY(!fs::exists(m_target / made));
    fs::copy(m_target / ".trainyard-run-copied", m_target / made, fs::copy_options::recursive); // even with its name
    std::ofstream(m_target / made / ".trainyard-commit") << '+' << "own" << '\0';
    std::ofstream(m_target / made / "own") << "a stranger's";
    for (const std::string& name : beside) fs::create_directories(parent / name / "mine");
    fs::remove(m_target / "mine");
    for (const char* name : {"a.part-1", ".part-2", ".trainyard-probe-1"}) put(name, "somebody's");
    {
        StagedDirectory staged(m_target);
        QVERIFY(writeFileAtomically(staged.path() / "a", "new").empty());
        QVERIFY(staged.commit("a", oldOnes).empty());
    }
    QCOMPARE(text("own"), "somebody's");
    std::set<std::string> expected = within;
    expected.insert({"a", made});
    QCOMPARE(names(m_target), expected);
    QCOMPARE(names(parent), beside);
    for (const std::string& name : beside)
        if (name != "run") QVERIFY(fs::exists(parent / name / "mine"));
}

/// A child stages, and dies there; `how`: before or after its commit record has its place.
void tst_StagedDirectory::theNextOneFinishes() {
    for (const bool committed : {false, true}) {
        init();
        const pid_t child = fork();
        if (child == 0) {
            StagedDirectory staged(m_target);
            (void)writeFileAtomically(staged.path() / "a", "new");
            (void)writeFileAtomically(staged.path() / "b", "new");
            if (committed) fs::permissions(m_target, fs::perms::owner_read | fs::perms::owner_exec);
            if (committed)
                (void)staged.commit("b", [&] {
                    fs::permissions(m_target, fs::perms::owner_all);
                    return oldOnes();
                });
            _exit(0); // no destructor
        }
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(finishCommits(m_target).empty());
        QCOMPARE(text("a"), committed ? "new" : "of an earlier run");
        QCOMPARE(names(m_target),
                 committed ? (std::set<std::string>{"a", "b", "own"}) : (std::set<std::string>{"a", "old", "own"}));
    }
}

// A commit record that somebody else wrote, in a directory with proof of its origin, moves nothing in or out.
void tst_StagedDirectory::commitsStayWithin() {
    const pid_t child = fork();
    if (child == 0) {
        StagedDirectory staged(m_target);
        (void)writeFileAtomically(staged.path() / ".trainyard-commit", std::string("+../own") + '\0');
        _exit(0); // no destructor
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(!finishCommits(m_target).empty());
    QVERIFY(!StagedDirectory(m_target).problems().empty());
    QCOMPARE(text("own"), "somebody's");
    QVERIFY(!fs::exists(m_target.parent_path() / "own"));
}

// The directory of a living process stays.
void tst_StagedDirectory::theLivingKeepTheirs() {
    StagedDirectory living(m_target);
    QVERIFY(writeFileAtomically(living.path() / "a", "later").empty());
    {
        StagedDirectory other(m_target);
        QVERIFY(writeFileAtomically(other.path() / "a", "sooner").empty());
        QVERIFY(other.commit("a", oldOnes).empty());
    }
    QCOMPARE(text("a"), "sooner");
    QVERIFY(living.commit("a", oldOnes).empty());
    QCOMPARE(text("a"), "later");
}

// A child writes run after run, each of 20 files with one number, and is killed after a random time: all files have one number.
void tst_StagedDirectory::killedAtAnyTimeItIsOneRun() {
    constexpr int files = 20, kills = 30;
    const auto write = [&](int number) {
        StagedDirectory staged(m_target);
        for (int f = 0; f < files; ++f)
            (void)writeFileAtomically(staged.path() / ("f" + std::to_string(f)), std::to_string(number));
        (void)staged.commit("f0", oldOnes);
    };
    write(-1);
    for (int i = 0; i < kills; ++i) {
        const pid_t child = fork();
        if (child == 0)
            for (int number = 0;; ++number) write(number);
        QTest::qWait(1 + i * 7 % 23);
        ::kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        QVERIFY(finishCommits(m_target).empty()); // as every reader does
        std::set<std::string> numbers;
        for (int f = 0; f < files; ++f) numbers.insert(text(("f" + std::to_string(f)).c_str()));
        QCOMPARE(numbers.size(), std::size_t{1});
    }
    write(-2);
    QCOMPARE(text("f7"), "-2");
    QCOMPARE(text("own"), "somebody's");
    QCOMPARE(names(m_target.parent_path()), std::set<std::string>{"run"});
}

void tst_StagedDirectory::verifyFindsWhatIsWrong() {
    RunSession session(requestFor(tinyScenario()));
    session.wait();
    const RunRecord record = recordOf(session, "tiny.json");
    const auto save = [&] {
        StagedDirectory staged(m_target);
        QVERIFY(writeRecord(record, staged.path()).empty());
        QVERIFY(writeFileAtomically(staged.path() / "x.csv", provenanceAbove(record) + "1\n" + provenanceBelow(record))
                    .empty());
        QVERIFY(writeRunFiles(staged.path(), record.digest).empty());
        QVERIFY(placeRunFiles(staged, m_target).empty());
    };
    const auto codes = [&] {
        std::set<std::string> out;
        for (const Problem& problem : verifyRunDirectory(m_target)) out.insert(problem.code);
        return out;
    };
    save();
    QCOMPARE(codes(), std::set<std::string>{"foreign-file"}); // "own", "old", "a"
    for (const char* name : {"own", "old", "a"}) fs::remove(m_target / name);
    QVERIFY(codes().empty());
    put("x.csv", provenanceAbove(record) + "2\n" + provenanceBelow(record)); // as long as before
    QCOMPARE(codes(), std::set<std::string>{"changed-file"});
    fs::remove(m_target / "x.csv");
    QCOMPARE(codes(), std::set<std::string>{"missing-file"});
    RunProvenance other = record;
    other.digest = "0123456789abcdef";
    put("x.csv", provenanceAbove(other) + "1\n" + provenanceBelow(other));
    QVERIFY(writeRunFiles(m_target, record.digest).empty());
    QCOMPARE(codes(), std::set<std::string>{"other-run"});
    save();
    QVERIFY(codes().empty());
    put("loss.pdf.part-12377", "somebody's");
    put(".trainyard-file-12377", "half"); // of a renderer that was killed, on an old system
    QVERIFY(writeRunFiles(m_target, record.digest).empty());
    QCOMPARE(codes(), std::set<std::string>{"foreign-file"}); // the second
    fs::remove(m_target / ".trainyard-file-12377");
    QVERIFY(codes().empty());
    put("x.csv", "now somebody's");
    put("loss.pdf.part-12377", "changed");
    save(); // without the second, which is no longer what the list says
    QCOMPARE(text("loss.pdf.part-12377"), "changed");
    QCOMPARE(codes(), std::set<std::string>{"foreign-file"});
    fs::remove(m_target / "loss.pdf.part-12377");
    fs::resize_file(m_target / "events.bin", fs::file_size(m_target / "events.bin") - 1);
    QVERIFY(!codes().empty());
    save();
    fs::remove(m_target / "x.csv");
    fs::create_symlink("x.csv", m_target / "x.csv"); // leads to itself
    QCOMPARE(codes(), std::set<std::string>{"missing-file"});
    fs::remove(m_target / "x.csv");
    save();
    fs::remove(m_target / runFilesName);
    QCOMPARE(codes(), std::set<std::string>{"no-list"});
    QVERIFY(hasErrors(verifyRunDirectory(m_target))); // it is not said to be whole
}

// Processes that write the same file at once do not take each other's parts for abandoned ones.
void tst_StagedDirectory::atOnceTheyLeaveEachOther() {
    const QTemporaryDir dir;
    const fs::path target = fs::path(dir.path().toStdString()) / "sweep.csv";
    std::vector<pid_t> children;
    for (int c = 0; c < 4; ++c)
        if (const pid_t child = fork(); child == 0) {
            int failed = 0;
            for (int i = 0; i < 400; ++i) failed += !replaceFile(target, std::to_string(i)).empty();
            _exit(std::min(failed, 100));
        } else {
            children.push_back(child);
        }
    for (const pid_t child : children) {
        int status = 0;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }
    QCOMPARE(QDir(dir.path()).entryList(QDir::Files | QDir::Hidden), QStringList{"sweep.csv"});
}

// Names of single files that are being written cannot be foreseen, and are not there before they are whole.
void tst_StagedDirectory::temporaryFilesFollowNoLinks() {
    put("victim", "somebody's");
    const std::string own = "sweep.csv.part-" + std::to_string(getpid());
    fs::create_symlink("victim", m_target / own);
    fs::create_symlink("victim", m_target / (".trainyard-probe-" + std::to_string(getpid())));
    {
        AtomicFile file(m_target / "sweep.csv");
        file.write("new");
        QCOMPARE(file.toDisk(), 0);
    }
    QVERIFY(!fs::exists(m_target / "sweep.csv"));
    QVERIFY(probeDirectory(m_target).empty());
    QVERIFY(replaceFile(m_target / "sweep.csv", "new").empty());
    QCOMPARE(text("sweep.csv"), "new");
    QCOMPARE(text("victim"), "somebody's");
    QVERIFY(fs::is_symlink(m_target / own));
}

TRAINYARD_TEST(tst_StagedDirectory)
#include "tst_StagedDirectory.moc"
