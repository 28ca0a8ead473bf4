// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every shipped scenario as it is first seen, at 1280×800 and on a projector of that size: names on cards, racks and
// switches are whole, and so is the caption.
#include "analysis/View.h"
#include "canvas/CanvasView.h"
#include "canvas/ClusterPainter.h"
#include "charts/ViewPanel.h"
#include "lanes/Lane.h"
#include "scenario/ScenarioFile.h"
#include "shell/Caption.h"
#include "shell/FileActions.h"
#include "shell/HelpBrowser.h"
#include "shell/MainWindow.h"
#include "shell/NamedParts.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "support/Patience.h"
#include "support/SvgTexts.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/LinkLabel.h"

#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTextBrowser>

#include <algorithm>

using namespace trainyard;

namespace {

using Window = test::WindowFixture;

/// What is painted of the cluster, from top to bottom as it is painted: a name in two lines is two texts.
QStringList paintedTexts(const CanvasView& canvas) {
    QBuffer svg;
    QSvgGenerator picture;
    picture.setOutputDevice(&svg);
    picture.setSize(canvas.viewport()->size());
    const Theme theme = Theme::current();
    const QRectF seen = canvas.mapToScene(canvas.viewport()->rect()).boundingRect();
    QPainter painter(&picture);
    painter.scale(canvas.zoom(), canvas.zoom());
    painter.translate(-seen.topLeft());
    ClusterPainter(canvas.content(), theme, seen, canvas.zoom()).paint(painter);
    painter.end();
    return test::svgTexts(svg.data());
}

/// Names that stand nowhere, and those of which a part is left out.
QStringList notWhole(const CanvasView& canvas) {
    const QStringList texts = paintedTexts(canvas);
    const QString all = u' ' + texts.join(u' ') + u' ';
    QStringList missing = texts.filter(QStringLiteral("…"));
    const CanvasContent& content = canvas.content();
    const auto look = [&](ClusterLayout::Kind kind, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const QString name =
                kind == ClusterLayout::Kind::rack ? content.nameOf({kind, i}) : content.labelOf({kind, i});
            if (!all.contains(u' ' + name + u' ')) missing << name;
        }
    };
    look(ClusterLayout::Kind::machine, content.cluster.machines.size());
    look(ClusterLayout::Kind::switchNode, content.cluster.switches.size());
    look(ClusterLayout::Kind::rack, content.cluster.racks.size());
    return missing;
}

/// Starters, and those of papers.
QStringList shippedFiles() {
    const QDir all(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios"));
    QStringList folders{QStringLiteral("start")}, files;
    for (const QString& paper :
         QDir(all.filePath(QStringLiteral("papers"))).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        folders << QStringLiteral("papers/") + paper;
    for (const QString& folder : folders)
        for (const QString& name : QDir(all.filePath(folder)).entryList({QStringLiteral("*.json")}, QDir::Files))
            files << all.filePath(folder + u'/' + name);
    return files;
}

} // namespace

class tst_ShippedScenarios : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void cleanup() { ThemeChoice().setProjector(false, false); }
    void haveNamesAndPlaces();
    void captionsNameViewsThatThereAre();
    void captionsLeadToWhatTheyName();
    void linksOfCaptionsAreFollowed();
    void switchesHaveNamesInASmallWindow();
    void areReadable_data();
    void areReadable();
    void legendsAreWhole();

private:
    test::OwnSettings m_settings{"tst_ShippedScenarios"};
};

void tst_ShippedScenarios::haveNamesAndPlaces() {
    const Registry registry = Registry::builtin();
    for (const QString& file : shippedFiles()) {
        const auto read = readScenario(file.toStdString(), registry);
        QVERIFY2(read, qPrintable(file));
        const Cluster& cluster = read.value().scenario.cluster;
        for (const auto& each : cluster.switches) QVERIFY2(!each.name.empty(), qPrintable(file));
        for (const auto& each : cluster.machines) QVERIFY2(!each.name.empty() || !each.rack.empty(), qPrintable(file));
        for (const auto& each : read.value().scenario.variants) QVERIFY2(!each.title.empty(), qPrintable(file));
        const ClusterLayout layout = ClusterLayout::of(cluster);
        std::vector<QRectF> boxes = layout.machines;
        boxes.insert(boxes.end(), layout.switches.begin(), layout.switches.end());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) QVERIFY2(!boxes[i].intersects(boxes[j]), qPrintable(file));
    }
}

/// "Views, Key map: …": a view that a caption sends to is one of those that there are, by the title that it has in the list.
void tst_ShippedScenarios::captionsNameViewsThatThereAre() {
    static const QRegularExpression sent(QStringLiteral("Views(?:, then|,|:) ([A-Z][^.:;,]*)"));
    std::size_t found = 0;
    for (const QString& file : shippedFiles()) {
        const auto read = readScenario(file.toStdString(), Registry::builtin());
        QVERIFY2(read, qPrintable(file));
        const QString text = QString::fromStdString(read->scenario.lookFor);
        for (auto it = sent.globalMatch(text); it.hasNext(); ++found) {
            const std::string name = it.next().captured(1).toStdString();
            QVERIFY2(std::ranges::any_of(views(), [&](const View& v) { return name.starts_with(v.title.english()); }),
                     qPrintable(file + u' ' + QString::fromStdString(name)));
        }
    }
    QVERIFY(found > 12);
}

/// What a caption names is a link to it, in the first sentences or in those after "More".
void tst_ShippedScenarios::captionsLeadToWhatTheyName() {
    static const QRegularExpression href(QStringLiteral("href=\"([a-z]+):([^\"]*)\""));
    Window w;
    auto* views = static_cast<ViewPanel*>(w.window.panels().find(QStringLiteral("views"))->widget());
    std::size_t found = 0;
    for (const QString& file : shippedFiles()) {
        QVERIFY(w.window.files().open(file));
        w.workspace.playback().pause();
        const QString whole = linkedText(QString::fromStdString(w.workspace.document().scenario().lookFor));
        for (auto it = href.globalMatch(whole); it.hasNext(); ++found) {
            const auto link = it.next();
            w.window.places().go("lab");
            w.window.panels().show(QStringLiteral("lanes"));
            Q_EMIT w.window.caption().partWanted(link.captured(1) + u':' + link.captured(2));
            const QString name = file + u' ' + link.captured();
            if (link.captured(1) == QLatin1String("place")) {
                QVERIFY2(w.window.places().isAt(link.captured(2).toLatin1().constData()), qPrintable(name));
                continue;
            }
            const bool isView = link.captured(1) == QLatin1String("view");
            QWidget* panel = isView ? views : w.window.panels().find(link.captured(2))->widget();
            QTRY_VERIFY2(panel->isVisible() && !panel->visibleRegion().isEmpty(), qPrintable(name));
            QVERIFY2(!isView || QString::fromStdString(views->view().id) == link.captured(2), qPrintable(name));
        }
    }
    QVERIFY(found > 40);
}

/// By the mouse and by keys alone.
void tst_ShippedScenarios::linksOfCaptionsAreFollowed() {
    Window w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/pdors/default.json")));
    w.workspace.playback().pause();
    const auto* views = static_cast<ViewPanel*>(w.window.panels().find(QStringLiteral("views"))->widget());
    auto* text = w.window.caption().findChild<LinkLabel*>();
    QTRY_VERIFY(text->isVisible() && text->text().contains(QLatin1String(">Prices</a>")));
    const auto clickFirstLink = [&] {
        for (int y = 2; y < text->height(); y += 4)
            for (int x = 0; x < text->width(); x += 4) {
                QTest::mouseMove(text, {x, y});
                if (text->cursor().shape() != Qt::PointingHandCursor) continue;
                QTest::mouseClick(text, Qt::LeftButton, {}, {x, y});
                return true;
            }
        return false;
    };
    QVERIFY(clickFirstLink());
    QCOMPARE(views->view().id, std::string("prices"));
    QTRY_VERIFY(views->isVisible());
    w.window.panels().show(QStringLiteral("lanes"));
    text->setFocus(Qt::TabFocusReason);
    QCOMPARE(text->selectedText(), QStringLiteral("Prices")); // it is seen which link has the keyboard
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_VERIFY(views->isVisible());

    // What has no room opens over the canvas; its links lead on, too.
    text->setFocus(Qt::TabFocusReason);
    QTest::keyClick(text, Qt::Key_Tab);
    QCOMPARE(text->selectedText(), QStringLiteral("More"));
    QTest::keyClick(text, Qt::Key_Return);
    const auto* sheet = QApplication::activePopupWidget();
    QVERIFY(sheet);
    auto* rest = sheet->findChild<LinkLabel*>();
    QCOMPARE(rest->selectedText(), QStringLiteral("Prices"));
    QVERIFY(rest->heightForWidth(rest->width()) <= rest->height());
    QTest::keyClick(rest, Qt::Key_Tab);
    QCOMPARE(rest->selectedText(), QStringLiteral("Utility against cost"));
    QTest::keyClick(rest, Qt::Key_Return);
    QVERIFY(!QApplication::activePopupWidget());
    QCOMPARE(views->view().id, std::string("schedules"));

    // And those of the help.
    w.window.help().show(QStringLiteral("adaptive-k"));
    QTRY_VERIFY(w.window.help().findChild<QTextBrowser*>()->toHtml().contains(QLatin1String("href=\"view:rates\"")));
    Q_EMIT w.window.help().findChild<QTextBrowser*>()->anchorClicked(QUrl(QStringLiteral("view:rates")));
    QCOMPARE(views->view().id, std::string("rates"));
    QCOMPARE(w.window.help().page(), QStringLiteral("adaptive-k"));
}

/// Of switches, where a small window leaves them lower than their names.
void tst_ShippedScenarios::switchesHaveNamesInASmallWindow() {
    Window w;
    w.window.resize(1024, 600);
    QVERIFY(w.window.files().open(test::starter("one-slow-worker")));
    w.workspace.playback().pause();
    QTRY_VERIFY(w.window.canvas().zoom() < 0.7);
    QTRY_VERIFY2(paintedTexts(w.window.canvas()).contains(QStringLiteral("Switch")),
                 qPrintable(paintedTexts(w.window.canvas()).join(u'|')));
}

void tst_ShippedScenarios::areReadable_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("projector");
    const QDir all(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios"));
    for (const QString& file : shippedFiles())
        for (const bool projector : {false, true})
            QTest::addRow("%s%s", qPrintable(all.relativeFilePath(file)), projector ? ", projector" : "")
                << file << projector;
}

void tst_ShippedScenarios::areReadable() {
    QFETCH(QString, file);
    QFETCH(bool, projector);
    Window w;
    QVERIFY(w.window.files().open(file));
    w.workspace.playback().pause();
    if (projector) {
        w.theme.setProjector(true, false);
        QTRY_VERIFY(!w.window.panels().find(QStringLiteral("inspector"))->isVisible());
    }
    const CanvasView& canvas = w.window.canvas();
    QTRY_VERIFY(canvas.isFitting());
    // Space is shared out step by step, and the cluster fitted into it.
    QTRY_VERIFY2(notWhole(canvas).isEmpty(),
                 qPrintable(QStringLiteral("zoom %1: %2").arg(canvas.zoom()).arg(notWhole(canvas).join(u'|'))));
    QCOMPARE(w.window.size(), QSize(1280, 800));
    // The caption is whole, too: no word is missing at its end, and all stand within its two lines.
    QTRY_VERIFY(w.window.caption().isVisible());
    const auto words = [&] {
        QString cut;
        for (const auto* label : w.window.caption().findChildren<QLabel*>())
            if (label->isVisible() &&
                (label->text().contains(u'…') || label->text().isEmpty() ||
                 (label->wordWrap() && label->heightForWidth(label->width()) > label->height() + 2)))
                cut += label->text();
        return cut;
    };
    QString all; // for messages
    const auto isWhole = [&] {
        all = words();
        for (const auto* label : w.window.caption().findChildren<QLabel*>())
            all += QStringLiteral(" [%1: %2, %3 wide%4]")
                       .arg(label->text(), label->accessibleName())
                       .arg(label->width())
                       .arg(label->isVisible() ? QString() : QStringLiteral(", hidden"));
        return words().isEmpty();
    };
    QTRY_VERIFY2(isWhole(), qPrintable(all));
}

/// Of lanes in a small window, with numbers beside the names.
void tst_ShippedScenarios::legendsAreWhole() {
    for (const QString& file : shippedFiles()) {
        Window w;
        w.window.resize(1280, 720);
        QVERIFY(w.window.files().open(file));
        w.window.panels().show(QStringLiteral("export"));
        w.workspace.playback().toEnd();
        QTRY_VERIFY_WITH_TIMEOUT(w.ended() && !w.workspace.shownRuns().behind(), test::patience);
        w.workspace.axis().setCursor(SimTime::seconds(0.2 * w.workspace.shownRuns().head().toSeconds()));
        const auto cut = [&] {
            QString all;
            for (const Lane* lane : w.window.findChildren<Lane*>())
                if (lane->isVisible() && lane->legendWanted() > lane->legendRect().width())
                    all += QStringLiteral("%1 %2 ").arg(lane->accessibleName()).arg(lane->legendWanted());
            return all;
        };
        QTest::qWait(50); // painted at that instant
        QTRY_VERIFY2(cut().isEmpty(), qPrintable(file + u' ' + cut()));
    }
}

TRAINYARD_TEST(tst_ShippedScenarios)
#include "tst_ShippedScenarios.moc"
