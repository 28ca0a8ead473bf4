// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The start page as a person uses it: finds a scenario and opens it, starts from a template, recovers what was
// not saved, takes the tour or does not; and what happens to files that another program touches or that
// are no scenarios.
#include "gallery/Gallery.h"
#include "gallery/GalleryModel.h"
#include "pages/StartPage.h"
#include "session/RecentFiles.h"
#include "session/Templates.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/MessageBar.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/Tour.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/Theme.h"
#include "transport/TransportBar.h"

#include <QDir>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

using namespace trainyard;
using test::starter;

class tst_StartPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void showsEveryStarterWithItsPicture();
    void mouseAndKeyboardMarkCardsApart();
    void arrowsAndEnterOpenAScenario();
    void searchFindsAndEnterOpens();
    void panelsComeBackAsTheyWere();
    void templatesRun();
    void recentFilesAreOffered();
    void unsavedWorkIsOfferedAndRecovered();
    void tourIsOfferedOnceAndEscEndsIt();
    void tourShowsFiveSteps();
    void revertGoesBackAndForth();
    void changeOnDiskAsks();
    void ownSaveIsNoChangeOnDisk();
    void removedFileIsSaid();
    void uselessDropsSayWhy_data();
    void uselessDropsSayWhy();
    void tenFilesAreOffered();
    void fileThatCannotBeWrittenIsExplained();

private:
    static void showStart(test::WindowFixture& w);
    static QToolButton* templateButton(test::WindowFixture& w, const char* id);
    test::OwnSettings m_settings{"tst_StartPage"};
};

void tst_StartPage::showStart(test::WindowFixture& w) {
    w.window.places().go("start");
    QVERIFY(w.window.startPage().isVisible());
    QTRY_VERIFY(!w.window.startPage().scenarios().isReading());
}

QToolButton* tst_StartPage::templateButton(test::WindowFixture& w, const char* id) {
    return w.window.startPage().findChild<QToolButton*>(QStringLiteral("template-") + QLatin1String(id));
}

static bool write(const QString& path, const QByteArray& content) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
}

static QString copyOfStarter(const QTemporaryDir& dir) {
    const QString copy = dir.filePath(QStringLiteral("mine.json"));
    QFile::copy(starter(), copy);
    return copy;
}

static void drop(test::WindowFixture& w, const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QVERIFY(FileActions::accepts(&data));
    w.window.files().openDropped(&data);
}

void tst_StartPage::showsEveryStarterWithItsPicture() {
    GalleryModel cards(std::make_shared<const Registry>(Registry::builtin()),
                       QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios"));
    QCOMPARE(cards.rowCount(), 0); // nothing before the event loop is idle
    QTRY_VERIFY(!cards.isReading());
    const auto starters = QDir(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start"))
                              .entryList({QStringLiteral("*.json")}, QDir::Files);
    const QDir papers(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers"));
    qsizetype shipped = starters.size();
    for (const QString& study : papers.entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        shipped += QDir(papers.filePath(study)).entryList({QStringLiteral("*.json")}, QDir::Files).size();
    QVERIFY(shipped > starters.size());
    QCOMPARE(cards.rowCount(), shipped);
    QCOMPARE(cards.index(0).data(GalleryModel::pathRole).toString(), starter("first-steps"));
    for (int i = 0; i < cards.rowCount(); ++i) {
        const QModelIndex card = cards.index(i);
        QVERIFY(!card.data().toString().isEmpty());
        QVERIFY(card.data(GalleryModel::sentenceRole).toString().endsWith(QLatin1Char('.')));
        cards.picture(card, {200, 100}, 1);
        QTRY_VERIFY(cards.picture(card, {200, 100}, 1).size() == QSize(200, 100));
        // Something is drawn: not all of one colour.
        const QImage picture = cards.picture(card, {200, 100}, 1).toImage();
        QSet<QRgb> colours;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, y));
        QVERIFY2(colours.size() > 3, qPrintable(card.data().toString()));
    }
    QCOMPARE(GalleryModel::firstSentence(QStringLiteral("One. Two.")), QStringLiteral("One."));
    QCOMPARE(GalleryModel::firstSentence(QStringLiteral("Only 1.5 s")), QStringLiteral("Only 1.5 s"));
}

/// The card that Enter opens has a frame of the accent; the card under the mouse has none.
void tst_StartPage::mouseAndKeyboardMarkCardsApart() {
    test::WindowFixture w;
    showStart(w);
    Gallery& gallery = w.window.startPage().gallery();
    const auto framed = [&](QStyle::State state) {
        QImage image(300, 240, QImage::Format_RGB32);
        image.fill(Theme::current().window);
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = image.rect();
        option.state = QStyle::State_Enabled | state;
        gallery.itemDelegate()->paint(&painter, option, gallery.model()->index(0, 0));
        int accent = 0;
        for (int x = 0; x < image.width(); ++x)
            accent += image.pixelColor(x, image.height() / 2) == Theme::current().accent;
        return accent;
    };
    QVERIFY(framed(QStyle::State_Selected | QStyle::State_HasFocus) >= 2);
    QCOMPARE(framed(QStyle::State_MouseOver), 0);
    QCOMPARE(framed(QStyle::State_Selected | QStyle::State_MouseOver), 0);
}

void tst_StartPage::arrowsAndEnterOpenAScenario() {
    test::WindowFixture w;
    showStart(w);
    Gallery& gallery = w.window.startPage().gallery();
    gallery.setFocus();
    QTRY_VERIFY(gallery.hasFocus());
    gallery.selectFirst();
    const QString first = gallery.currentPath();
    QTest::keyClick(&gallery, Qt::Key_Right);
    const QString second = gallery.currentPath();
    QVERIFY(second != first);
    QTest::keyClick(&gallery, Qt::Key_Return);
    QCOMPARE(w.workspace.document().copiedFrom(), second);
    QVERIFY(w.window.places().isAt("lab"));
    QVERIFY(!w.window.startPage().isVisible());
    QVERIFY(w.workspace.playback().isPlaying());
}

void tst_StartPage::searchFindsAndEnterOpens() {
    test::WindowFixture w;
    showStart(w);
    QLineEdit& search = w.window.startPage().search();
    Gallery& gallery = w.window.startPage().gallery();
    QTest::keyClicks(&search, QStringLiteral("five ways"));
    QCOMPARE(gallery.model()->rowCount(), 1);
    QTest::keyClick(&search, Qt::Key_Escape);
    QVERIFY(gallery.model()->rowCount() > 1);
    QTest::keyClicks(&search, QStringLiteral("no such thing"));
    QCOMPARE(gallery.model()->rowCount(), 0);
    QTest::keyClick(&search, Qt::Key_Return); // nothing to open, and nothing happens
    QVERIFY(w.window.places().isAt("start"));
    search.clear();
    QTest::keyClicks(&search, QStringLiteral("five ways"));
    QTest::keyClick(&search, Qt::Key_Return);
    QCOMPARE(w.workspace.document().copiedFrom(), starter("five-ways-to-wait"));
}

void tst_StartPage::panelsComeBackAsTheyWere() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(starter()));
    const auto visible = [&] {
        QStringList names;
        for (const QDockWidget* dock : w.window.panels().all())
            if (!dock->isHidden()) names << dock->objectName();
        return names;
    };
    w.window.panels().find(QStringLiteral("inspector"))->hide();
    const QStringList before = visible();
    w.window.places().go("start");
    QVERIFY(visible().isEmpty());
    QVERIFY(!w.window.transport().isVisible());
    w.window.places().go("lab");
    QCOMPARE(visible(), before);
    QVERIFY(w.window.transport().isVisible());
    // Asking for a panel leads to where it is.
    w.window.places().go("start");
    w.window.panels().show(QStringLiteral("inspector"));
    QVERIFY(w.window.places().isAt("lab"));
    QVERIFY(w.window.panels().find(QStringLiteral("inspector"))->isVisible());
    // What is remembered from the start page is the Lab's layout.
    w.window.places().go("start");
    w.window.panels().remember();
    test::WindowFixture next;
    next.window.restoreLayout();
    QVERIFY(next.window.panels().find(QStringLiteral("policies"))->isVisible());
}

void tst_StartPage::templatesRun() {
    for (const Template& each : documentTemplates()) {
        test::WindowFixture w;
        showStart(w);
        templateButton(w, each.id.toLatin1().constData())->click();
        QVERIFY(w.window.places().isAt("lab"));
        QVERIFY(w.workspace.document().copiedFrom().isEmpty());
        QVERIFY(!w.workspace.document().isModified());
        if (each.id == QLatin1String("empty")) {
            QVERIFY(w.workspace.problems().empty()); // nothing is wrong with a white sheet
            QVERIFY(w.workspace.runs().session() == nullptr);
            continue;
        }
        QVERIFY2(w.workspace.runs().session(), qPrintable(each.id));
        w.workspace.playback().toEnd();
        QTRY_VERIFY_WITH_TIMEOUT(w.ended(), 20000);
        const auto frame = w.workspace.runs().latestFrame();
        QCOMPARE(frame->status, RunStatus::finished);
        for (const JobState& job : frame->state->jobs()) QCOMPARE(job.phase, JobPhase::finished);
    }
}

void tst_StartPage::recentFilesAreOffered() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(starter("bottleneck")));
    rememberRecentFile(QStringLiteral("/nowhere/gone.json"));
    showStart(w);
    QList<QToolButton*> rows;
    for (QToolButton* button : w.window.startPage().findChildren<QToolButton*>())
        if (button->accessibleName().endsWith(QLatin1String(".json"))) rows << button;
    QCOMPARE(rows.size(), 2);
    QVERIFY(!rows[0]->isEnabled()); // gone, and says so
    QVERIFY(rows[0]->toolTip().contains(QStringLiteral("no longer")));
    rows[1]->click();
    QCOMPARE(w.workspace.document().copiedFrom(), starter("bottleneck"));
}

void tst_StartPage::unsavedWorkIsOfferedAndRecovered() {
    QTemporaryDir journals;
    {
        Journal journal(journals.path());
        journal.write(starter(), QByteArray::fromStdString(writeScenario(documentTemplates()[1].scenario)));
        const auto files = QDir(journals.path()).entryInfoList({QStringLiteral("*.journal")});
        QCOMPARE(files.size(), 1);
        QVERIFY(QFile::copy(files[0].filePath(), journals.filePath(QStringLiteral("kept.copy"))));
    }
    QVERIFY(QFile::rename(journals.filePath(QStringLiteral("kept.copy")),
                          journals.filePath(QStringLiteral("kept.journal")))); // as a killed program leaves it
    test::WindowFixture w(journals.path());
    showStart(w);
    QPushButton* recover = nullptr;
    for (QPushButton* button : w.window.startPage().findChildren<QPushButton*>())
        if (button->text() == QLatin1String("Recover")) recover = button;
    QVERIFY(recover);
    recover->click();
    QVERIFY(w.window.places().isAt("lab"));
    QCOMPARE(writeScenario(w.workspace.document().scenario()), writeScenario(documentTemplates()[1].scenario));
    QVERIFY(w.workspace.document().isModified());
    QVERIFY(w.workspace.leftBehind().isEmpty());
}

void tst_StartPage::tourIsOfferedOnceAndEscEndsIt() {
    test::WindowFixture w;
    showStart(w);
    auto* take = w.window.startPage().findChild<QPushButton*>(QStringLiteral("take-tour"));
    QVERIFY(take && take->isVisible());
    take->click();
    QVERIFY(w.window.places().isAt("lab"));
    QVERIFY(!w.workspace.document().copiedFrom().isEmpty()); // something to look at
    QVERIFY(w.window.tour().isRunning());
    QVERIFY(w.window.tour().bubble()->isVisible());
    QTest::keyClick(&w.window, Qt::Key_Escape);
    QVERIFY(!w.window.tour().isRunning());
    QVERIFY(!w.window.tour().bubble()->isVisible());
    test::WindowFixture next;
    showStart(next);
    QVERIFY(!next.window.startPage().findChild<QPushButton*>(QStringLiteral("take-tour"))->isVisible());
}

void tst_StartPage::tourShowsFiveSteps() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(starter()));
    QApplication::setActiveWindow(&w.window);
    Tour& tour = w.window.tour();
    tour.start();
    QList<QPoint> places;
    for (int step = 0; step < 5; ++step) {
        QCOMPARE(tour.at(), step);
        QVERIFY(w.window.rect().contains(tour.bubble()->geometry())); // never cut off
        places << tour.bubble()->pos();
        QTRY_VERIFY(tour.bubble()->isAncestorOf(QApplication::focusWidget()));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return); // on Next, which has the focus
    }
    QVERIFY(!tour.isRunning());
    QVERIFY(places[0] != places[3]); // it points at other things
}

void tst_StartPage::revertGoesBackAndForth() {
    QTemporaryDir dir;
    test::WindowFixture w;
    QVERIFY(w.window.files().open(copyOfStarter(dir)));
    const std::string title = w.workspace.document().scenario().title;
    QAction* revert = w.window.commands().find(QStringLiteral("file.revert"));
    QVERIFY(!revert->isEnabled());
    QVERIFY(revert->toolTip().contains(QStringLiteral("Nothing has changed")));
    w.workspace.document().setTitle(QStringLiteral("Mine"));
    QVERIFY(revert->isEnabled());
    revert->trigger();
    QCOMPARE(w.workspace.document().scenario().title, title);
    QVERIFY(!w.workspace.document().isModified());
    w.window.messages().findChild<QPushButton*>()->click(); // back to my changes
    QCOMPARE(w.workspace.document().scenario().title, std::string("Mine"));
    QVERIFY(w.workspace.document().isModified());
}

void tst_StartPage::changeOnDiskAsks() {
    QTemporaryDir dir;
    test::WindowFixture w;
    const QString path = copyOfStarter(dir);
    QVERIFY(w.window.files().open(path));
    Scenario other = w.workspace.document().scenario();
    other.title = "Theirs";
    QVERIFY(write(path, QByteArray::fromStdString(writeScenario(other))));
    w.window.files().watch().look();
    QVERIFY(w.window.messages().text().contains(QStringLiteral("changed by another program")));
    QVERIFY(w.workspace.document().scenario().title != "Theirs"); // not before it is wanted
    w.window.messages().findChild<QPushButton*>()->click();
    QCOMPARE(w.workspace.document().scenario().title, std::string("Theirs"));

    other.title = "Theirs again";
    QVERIFY(write(path, QByteArray::fromStdString(writeScenario(other))));
    w.window.files().watch().look();
    w.window.messages().findChildren<QPushButton*>()[1]->click(); // keep mine
    QCOMPARE(w.workspace.document().scenario().title, std::string("Theirs"));
    QVERIFY(w.workspace.document().isModified()); // differs from its file: can be saved
    w.window.messages().hide();
    w.window.files().watch().look(); // told once
    QVERIFY(!w.window.messages().isVisible());
}

void tst_StartPage::ownSaveIsNoChangeOnDisk() {
    QTemporaryDir dir;
    test::WindowFixture w;
    QVERIFY(w.window.files().open(copyOfStarter(dir)));
    w.workspace.document().setTitle(QStringLiteral("Saved here"));
    QVERIFY(w.workspace.document().save());
    w.window.messages().hide();
    w.window.files().watch().look();
    QVERIFY(!w.window.messages().isVisible());
}

void tst_StartPage::removedFileIsSaid() {
    QTemporaryDir dir;
    test::WindowFixture w;
    const QString path = copyOfStarter(dir);
    QVERIFY(w.window.files().open(path));
    QVERIFY(QFile::remove(path));
    w.window.files().watch().look();
    QVERIFY(w.window.messages().text().contains(QStringLiteral("removed")));
    QVERIFY(w.workspace.document().isModified()); // the only copy
}

void tst_StartPage::uselessDropsSayWhy_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("said");
    QTest::newRow("picture") << QStringLiteral("cat.jpg") << QByteArray("\xff\xd8") << QStringLiteral("neither");
    QTest::newRow("figure of others") << QStringLiteral("cat.svg")
                                      << QByteArray("<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
                                      << QStringLiteral("cannot be read from it");
    QTest::newRow("newer version") << QStringLiteral("new.json")
                                   << QByteArray("{\"format\": \"trainyard-scenario\", \"version\": 99}")
                                   << QStringLiteral("version");
    QTest::newRow("directory") << QStringLiteral("folder/") << QByteArray() << QStringLiteral("not opened");
}

void tst_StartPage::uselessDropsSayWhy() {
    QFETCH(QString, name);
    QFETCH(QByteArray, content);
    QFETCH(QString, said);
    QTemporaryDir dir;
    const QString path = dir.filePath(name);
    if (name.endsWith(QLatin1Char('/')))
        QVERIFY(QDir().mkpath(path));
    else
        QVERIFY(write(path, content));
    test::WindowFixture w;
    QVERIFY(w.window.files().open(starter()));
    const RunId run = w.workspace.runs().current().id;
    drop(w, {path});
    QVERIFY2(w.window.messages().text().contains(said), qPrintable(w.window.messages().text()));
    QCOMPARE(w.workspace.document().copiedFrom(), starter());
    QCOMPARE(w.workspace.runs().current().id, run);
}

void tst_StartPage::tenFilesAreOffered() {
    test::WindowFixture w;
    QStringList files;
    for (int i = 0; i < 10; ++i) files << starter(i % 2 ? "bottleneck" : "two-racks");
    drop(w, files);
    QVERIFY(w.window.messages().text().contains(QStringLiteral("10 files")));
    QVERIFY(w.workspace.document().copiedFrom().isEmpty());
    const auto buttons = w.window.messages().findChildren<QPushButton*>();
    QCOMPARE(buttons.size(), 3);
    buttons[1]->click();
    QCOMPARE(w.workspace.document().copiedFrom(), starter("bottleneck"));
}

void tst_StartPage::fileThatCannotBeWrittenIsExplained() {
    QTemporaryDir dir;
    test::WindowFixture w;
    const QString path = copyOfStarter(dir);
    QVERIFY(w.window.files().open(path));
    w.workspace.document().setTitle(QStringLiteral("Kept"));
    // In place of the file a folder: nobody may write that, not even root.
    QVERIFY(QFile::remove(path) && QDir().mkpath(path));
    w.workspace.document().replace(w.workspace.document().scenario(), path, true);
    QVERIFY(!w.window.files().save());
    QVERIFY(w.window.messages().text().contains(QStringLiteral("was not saved")));
    QVERIFY(w.window.messages().findChild<QPushButton*>()->text().contains(QStringLiteral("Save as")));
    QCOMPARE(w.workspace.document().scenario().title, std::string("Kept"));
    QVERIFY(w.workspace.document().isModified());
}

TRAINYARD_TEST(tst_StartPage)
#include "tst_StartPage.moc"
