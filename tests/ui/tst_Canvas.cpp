// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The canvas: where things lie, what is drawn at which zoom, clicks that select, drags that are one step.
#include "canvas/CanvasTips.h"
#include "canvas/CanvasView.h"
#include "canvas/ClusterGround.h"
#include "canvas/ClusterPainter.h"
#include "canvas/NameFit.h"
#include "model/ResourceLabel.h"
#include "support/TestMain.h"
#include "support/ViewFixture.h"

#include <QApplication>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSet>
#include <QSvgGenerator>
#include <QWheelEvent>
#include <QXmlStreamReader>

using namespace trainyard;

class tst_Canvas : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void detailFollowsZoom();
    void nothingOverlaps();
    void clustersAreAsWideAsCanvases();
    void racksFrameTheirMachines();
    void givenPositionsAreKept();
    void movingOneLeavesTheOthers();
    void computingSlotHasTheColourOfItsJob();
    void failedMachineLooksFailed();
    void messagesOfKeyedJobsAreNoIdleLinks();
    void tasksWithoutRoomAreCounted();
    void barsHaveNamesWhereThereIsRoom();
    void blocksHaveNamesWhereThereIsRoom();
    void racksOfBlocksHaveTitles();
    void namesTellMachinesApart();
    void namesHaveOneSize();
    void namesAreShortenedAlike();
    void neighboursAreJoinedStraight();
    void everyDetailPaints();
    void movingKeepsThePlan();
    void keptGroundLooksTheSame();
    void restsWhenNothingChanges();
    void paintsOncePerMove();
    void clickSelects();
    void clickOnATaskSelectsItsJob();
    void dragIsOneStepAndUndoes();
    void arrowsWalk();
    void wheelKeepsThePointUnderTheMouse();
};

namespace {

QImage paintedAt(const CanvasContent& content, double zoom) {
    const QRectF bounds = content.layout.bounds.adjusted(-20, -20, 20, 20);
    QImage image((bounds.size() * zoom).toSize(), QImage::Format_RGB32);
    const Theme theme = Theme::light();
    image.fill(theme.window);
    QPainter painter(&image);
    painter.scale(zoom, zoom);
    painter.translate(-bounds.topLeft());
    ClusterPainter(content, theme, bounds, zoom).paint(painter);
    return image;
}

QColor colourAt(const QImage& image, const CanvasContent& content, QPointF scene) {
    const QPointF origin = content.layout.bounds.topLeft() - QPointF(20, 20);
    return image.pixelColor((scene - origin).toPoint());
}

Cluster tree(int racks, int perRack) {
    Cluster c;
    c.resourceNames = {"cpu"};
    c.switches.push_back({.key = "core"});
    for (int r = 0; r < racks; ++r) {
        const std::string rack = "r" + std::to_string(r), top = "t" + std::to_string(r);
        c.racks.push_back({.key = rack});
        c.switches.push_back({.key = top, .rack = rack});
        c.links.push_back({.key = top + "--core", .from = top, .to = "core"});
        for (int m = 0; m < perRack; ++m) {
            const std::string key = rack + "m" + std::to_string(m);
            c.machines.push_back({.key = key, .capacity = ResourceVector::of({4}), .rack = rack});
            c.links.push_back({.key = key + "--" + top, .from = key, .to = top});
        }
    }
    return c;
}

} // namespace

void tst_Canvas::detailFollowsZoom() {
    QCOMPARE(detailAt(1), Detail::full);
    QCOMPARE(detailAt(0.6), Detail::full);
    QCOMPARE(detailAt(0.59), Detail::shapes);
    QCOMPARE(detailAt(0.29), Detail::blocks);
    QCOMPARE(detailAt(0.11), Detail::cells);
}

void tst_Canvas::nothingOverlaps() {
    for (const Cluster& c : {tree(1, 1), tree(2, 3), tree(5, 20), tree(50, 20), test::sampleScenario().cluster}) {
        const ClusterLayout layout = ClusterLayout::of(c);
        std::vector<QRectF> all = layout.machines;
        all.insert(all.end(), layout.switches.begin(), layout.switches.end());
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i + 1; j < all.size(); ++j) QVERIFY(!all[i].intersects(all[j]));
        for (std::size_t i = 0; i < layout.racks.size(); ++i)
            for (std::size_t j = i + 1; j < layout.racks.size(); ++j)
                QVERIFY(!layout.racks[i].intersects(layout.racks[j]));
    }
}

/// The canvas is low and wide: between forms at 1280x720, and above the timeline at 1920x1080.
void tst_Canvas::clustersAreAsWideAsCanvases() {
    const auto star = [](int machines) {
        Cluster c = tree(1, machines);
        c.racks.clear();
        c.switches.erase(c.switches.begin()); // of the racks
        c.links.erase(c.links.begin());
        for (Switch& s : c.switches) s.rack.clear();
        for (Machine& m : c.machines) m.rack.clear();
        return c;
    };
    for (const Cluster& c : {star(12), star(20), star(100), star(1000), tree(5, 20), tree(50, 20)}) {
        const QRectF bounds = ClusterLayout::of(c).bounds;
        const double ratio = bounds.width() / bounds.height();
        QVERIFY2(ratio > 2 && ratio < 4.5, qPrintable(QStringLiteral("%1: %2").arg(c.machines.size()).arg(ratio)));
    }
}

void tst_Canvas::racksFrameTheirMachines() {
    const Cluster c = tree(3, 7);
    const ClusterLayout layout = ClusterLayout::of(c);
    for (std::size_t m = 0; m < c.machines.size(); ++m)
        for (std::size_t r = 0; r < c.racks.size(); ++r)
            QCOMPARE(layout.racks[r].contains(layout.machines[m]), c.machines[m].rack == c.racks[r].key);
}

void tst_Canvas::givenPositionsAreKept() {
    Cluster c = test::sampleScenario().cluster;
    c.machines[1].position = Position{400, -80};
    QCOMPARE(ClusterLayout::of(c).machines[1].center(), QPointF(400, -80));
}

void tst_Canvas::movingOneLeavesTheOthers() {
    Cluster c = tree(2, 4);
    const ClusterLayout before = ClusterLayout::of(c);
    c.machines[3].position = Position{900, 900};
    const ClusterLayout after = ClusterLayout::of(c);
    for (std::size_t i = 0; i < c.machines.size(); ++i)
        if (i != 3) QCOMPARE(after.machines[i], before.machines[i]);
}

// The first slot of a card begins 12 pixels from its left and 23 above its lower edge, 15 wide.
void tst_Canvas::computingSlotHasTheColourOfItsJob() {
    CanvasContent content;
    content.setCluster(test::sampleScenario().cluster);
    content.setState(test::sampleState(0.1)); // all three workers compute
    const QImage image = paintedAt(content, 1);
    const QPointF slot = content.layout.machines[0].bottomLeft() + QPointF(12 + 7.5, -8 - 7.5);
    QCOMPARE(colourAt(image, content, slot), Theme::light().job(JobId(0)));
    content.setState(test::sampleState(0.5)); // workers 0 and 1 wait for worker 2
    const QImage later = paintedAt(content, 1);
    QVERIFY(colourAt(later, content, slot) != Theme::light().job(JobId(0)));
    QCOMPARE(colourAt(later, content, slot - QPointF(6.2, 0)), Theme::light().activity(Activity::waiting));
    const QPointF third = content.layout.machines[2].bottomLeft() + QPointF(12 + 7.5, -8 - 7.5);
    QCOMPARE(colourAt(later, content, third), Theme::light().job(JobId(0)));
}

/// What keyed jobs send is not logged by link: a link between their machines is not said to carry nothing.
void tst_Canvas::messagesOfKeyedJobsAreNoIdleLinks() {
    auto workload = std::make_shared<Workload>(*test::sampleWorkload());
    workload->jobs[0].work = AnalyticWork{.access = AccessKind::keyed, .keyed = KeyedAccess{}};
    auto state = std::make_shared<ClusterState>(workload);
    const auto worker = static_cast<std::uint16_t>(TaskRole::worker);
    state->apply({.type = EventType::jobArrived, .job = 0});
    state->apply({.type = EventType::taskPlaced, .aux = worker, .job = 0, .a = 0, .b = 0});
    state->apply({.type = EventType::jobStarted, .job = 0, .a = 1});
    CanvasContent content;
    content.setCluster(workload->cluster);
    content.setState(state);
    QVERIFY(!content.carriesKeys(0)); // all keys are on one machine
    auto spread = std::make_shared<ClusterState>(*state);
    spread->apply({.type = EventType::taskPlaced, .aux = worker, .job = 0, .a = 1, .b = 1});
    content.setState(spread);
    QVERIFY(content.carriesKeys(0) && content.carriesKeys(1));
    QVERIFY(!content.carriesKeys(2)); // of the third machine
    QVERIFY(canvasTip(content, {ClusterLayout::Kind::link, 0}).contains(QStringLiteral("not logged by link")));
    QVERIFY(canvasTip(content, {ClusterLayout::Kind::link, 2}).contains(QStringLiteral("(0 %)")));
}

void tst_Canvas::failedMachineLooksFailed() {
    CanvasContent content;
    content.setCluster(test::sampleScenario().cluster);
    auto state = std::make_shared<ClusterState>(test::sampleWorkload());
    content.setState(state);
    const QImage up = paintedAt(content, 0.2);
    auto failed = std::make_shared<ClusterState>(*state);
    failed->apply(Event{.type = EventType::machineFailed, .a = 0});
    content.setState(failed);
    const QImage down = paintedAt(content, 0.2);
    const QPointF beside = content.layout.machines[0].topLeft() + QPointF(15, 15); // its name
    const QPoint at = ((beside - content.layout.bounds.topLeft() + QPointF(20, 20)) * 0.2).toPoint();
    QCOMPARE(down.pixelColor(at), Theme::light().activity(Activity::failed));
    QVERIFY(up.pixelColor(at) != down.pixelColor(at));
}

/// The canvas as SVG, in light.
static QByteArray drawnAt(const CanvasContent& content, double zoom) {
    QBuffer svg;
    QSvgGenerator picture;
    picture.setOutputDevice(&svg);
    QPainter painter(&picture);
    const Theme theme = Theme::light();
    ClusterPainter(content, theme, content.layout.bounds, zoom).paint(painter);
    painter.end();
    return svg.data();
}

/// In a small window cards are blocks: they still say which machine they are, by the last word of a long name.
void tst_Canvas::blocksHaveNamesWhereThereIsRoom() {
    CanvasContent content;
    Cluster cluster = test::sampleScenario().cluster;
    cluster.machines[1].name = "A machine with a long name 7";
    content.setCluster(cluster);
    content.setState(test::sampleState(0.1));
    const auto texts = [&](double zoom) {
        const QByteArray svg = drawnAt(content, zoom);
        QStringList found;
        auto matches = QRegularExpression(QStringLiteral(">([^<>]+)</text>")).globalMatch(QString::fromUtf8(svg));
        while (matches.hasNext()) found << matches.next().captured(1).trimmed();
        return found;
    };
    QCOMPARE(detailAt(0.2), Detail::blocks);
    QVERIFY2(texts(0.2).contains(QStringLiteral("m1")), qPrintable(texts(0.2).join(u',')));
    QVERIFY(texts(0.2).contains(QStringLiteral("7")));
    QVERIFY(texts(0.11).isEmpty()); // cells
}

/// What is left of a name is its number, wherever it stands.
void tst_Canvas::namesTellMachinesApart() {
    QCOMPARE(NameFit::shortest(QStringLiteral("Worker 4 (slow)")), QStringLiteral("4"));
    QCOMPARE(NameFit::shortest(QStringLiteral("Machine 12")), QStringLiteral("12"));
    QCOMPARE(NameFit::shortest(QStringLiteral("Parameter server")), QStringLiteral("server"));
    QCOMPARE(NameFit::shortest(QStringLiteral("m7")), QStringLiteral("m7"));
    QCOMPARE(resourceLabel("memory_gb"), std::string("memory GB"));
    QCOMPARE(resourceLabel("gpu"), std::string("gpu"));
}

/// A longer name makes all others as small, rather than itself alone.
void tst_Canvas::namesHaveOneSize() {
    CanvasContent content;
    Cluster c = tree(0, 0);
    for (const char* name : {"Worker 1", "Worker 2", "Parameter server"}) {
        c.machines.push_back({.key = name, .name = name, .capacity = ResourceVector::of({4})});
        c.links.push_back({.key = name, .from = name, .to = "core"});
    }
    content.setCluster(c);
    for (const double zoom : {0.6, 1.0}) {
        const QByteArray svg = drawnAt(content, zoom);
        QStringList names;
        QSet<QString> sizes;
        for (QXmlStreamReader reader(svg); !reader.atEnd();) {
            if (reader.readNext() != QXmlStreamReader::StartElement || reader.name() != QLatin1String("text")) continue;
            const QString size = reader.attributes().value(QLatin1String("font-size")).toString();
            const QString text = reader.readElementText().trimmed();
            if (text == QLatin1String("core")) continue;
            names << text;
            sizes << size;
        }
        QCOMPARE(names, (QStringList{QStringLiteral("Worker 1"), QStringLiteral("Worker 2"),
                                     QStringLiteral("Parameter server")}));
        QCOMPARE(sizes.size(), 1);
    }
}

/// "Machine 9" and "10" side by side look like two kinds; "4" beside "Worker 1", too.
void tst_Canvas::namesAreShortenedAlike() {
    for (const std::string kind : {"Machine", "GPU"}) { // on cards, and on blocks
        CanvasContent content;
        Cluster c = tree(0, 0);
        for (int i = 1; i <= 12; ++i) {
            const std::string name = kind + " " + std::to_string(i) + (i == 4 ? " (slow)" : "");
            c.machines.push_back({.key = name, .name = name, .capacity = ResourceVector::of({4})});
            c.links.push_back({.key = name, .from = name, .to = "core"});
        }
        content.setCluster(c);
        QSet<qsizetype> counts;
        for (double zoom = 0.13; zoom < 1; zoom += 0.005) {
            const qsizetype whole = drawnAt(content, zoom).count(kind.c_str());
            QVERIFY2(whole == 0 || whole == 12, qPrintable(QStringLiteral("%1 at %2").arg(whole).arg(zoom)));
            counts << whole;
        }
        QCOMPARE(counts, (QSet<qsizetype>{0, 12}));
    }
}

/// Beside a switch, with no room for a card between them: no arc over nothing.
void tst_Canvas::neighboursAreJoinedStraight() {
    Cluster c = tree(0, 0);
    c.switches[0].position = Position{0, 0};
    c.machines.push_back({.key = "m", .capacity = ResourceVector::of({4}), .position = Position{240, 0}});
    c.links.push_back({.key = "l", .from = "m", .to = "core"});
    QVERIFY(!ClusterLayout::of(c).links[0].goesOver());
    c.machines[0].position = Position{400, 0};
    QVERIFY(ClusterLayout::of(c).links[0].goesOver());
}

/// Zoomed in, a bar says which resource it is and how much of it is used.
void tst_Canvas::barsHaveNamesWhereThereIsRoom() {
    CanvasContent content;
    content.setCluster(test::sampleScenario().cluster);
    content.setState(test::sampleState(0.1));
    const auto says = [&](double zoom) {
        QBuffer svg;
        QSvgGenerator picture;
        picture.setOutputDevice(&svg);
        QPainter painter(&picture);
        const Theme theme = Theme::light();
        ClusterPainter(content, theme, content.layout.machines[0], zoom).paint(painter);
        painter.end();
        return QString::fromUtf8(svg.data())
            .contains(QRegularExpression(QString::fromStdString(content.cluster.resourceNames[0]) +
                                         QStringLiteral(" \\d+ %")));
    };
    QVERIFY(says(2.5));
    QVERIFY(!says(1));
}

/// 40 tasks on one card: squares, and beside them how many more there are, within the card also in large type.
void tst_Canvas::tasksWithoutRoomAreCounted() {
    CanvasContent content;
    content.setCluster(test::sampleScenario().cluster);
    content.setState(test::sampleState(0.1));
    const int tasks = 40;
    content.slots[0].assign(tasks, {.job = JobId(0), .role = TaskRole::worker, .phase = WorkerPhase::computing});
    const QRectF card = content.layout.machines[0];
    for (const double scale : {1.0, 1.5}) {
        Theme::light().apply(*qApp, scale);
        QBuffer svg;
        QSvgGenerator picture;
        picture.setOutputDevice(&svg);
        QPainter painter(&picture);
        const Theme theme = Theme::light();
        ClusterPainter(content, theme, card, 1).paint(painter);
        painter.end();
        const auto more =
            QRegularExpression(QStringLiteral(">\\s*\\+(\\d+)\\s*<")).match(QString::fromUtf8(svg.data()));
        QVERIFY(more.hasMatch());
        const QImage image = paintedAt(content, 1);
        const double y = card.bottom() - 8 - 3; // low in a square, beneath the digits' middle
        int shown = 0;
        for (double x = card.left() + 12 + 2; x < card.right(); x += 19)
            shown += colourAt(image, content, {x, y}) == Theme::light().job(JobId(0));
        QCOMPARE(shown + more.captured(1).toInt(), tasks);
        for (double at = card.bottom() - 24; at < card.bottom() - 7; ++at) // nothing runs into the card's edge
            QCOMPARE(colourAt(image, content, {card.right() - 8, at}), Theme::light().raised);
    }
    Theme::light().apply(*qApp, 1);
}

/// Where a corner of the frame is free: the rack's switch stands in the middle.
void tst_Canvas::racksOfBlocksHaveTitles() {
    const double zoom = 0.29;
    QCOMPARE(detailAt(zoom), Detail::blocks);
    Cluster cluster = tree(1, 4);
    for (std::size_t m = 0; m < 4; ++m) cluster.machines[m].position = Position{200.0 * static_cast<double>(m), 200};
    cluster.switches[0].position = Position{300, -60};
    cluster.switches[1].position = Position{300, 80};
    cluster.racks[0].name = "Rack 1";
    CanvasContent content;
    content.setCluster(cluster);
    const QImage named = paintedAt(content, zoom);
    cluster.racks[0].name = "Rack 7";
    content.setCluster(cluster);
    QVERIFY(paintedAt(content, zoom) != named);

    // Where the switch stands in the corner, the title is beside the frame.
    Cluster beside = tree(1, 4);
    for (std::size_t m = 0; m < 4; ++m) beside.machines[m].position = Position{200.0 * static_cast<double>(m + 1), 200};
    beside.switches[0].position = Position{1600, 200};
    beside.switches[1].position = Position{0, 200};
    beside.racks[0].name = "Rack 1";
    content.setCluster(beside);
    const QImage left = paintedAt(content, zoom);
    beside.racks[0].name = "Rack 7";
    content.setCluster(beside);
    QVERIFY(paintedAt(content, zoom) != left);
}

void tst_Canvas::everyDetailPaints() {
    CanvasContent content;
    content.setCluster(test::sampleScenario().cluster);
    content.setState(test::sampleState(2.02)); // bytes move
    content.flowing = true;
    for (double zoom : {1.0, 0.5, 0.2, 0.1}) {
        content.selectedJob = {};
        const QImage plain = paintedAt(content, zoom);
        QImage empty(plain.size(), plain.format());
        empty.fill(Theme::light().window);
        QVERIFY(plain != empty);
        content.selectedJob = JobId(1);
        QVERIFY(paintedAt(content, zoom) != plain); // the rest dims
    }
}

void tst_Canvas::movingKeepsThePlan() {
    const Cluster before = tree(3, 4);
    CanvasContent content;
    content.setCluster(before);
    Cluster moved = before;
    moved.machines[2].position = Position{900, -40};
    moved.switches.front().position = Position{-300, 10};
    QVERIFY(LayoutPlan::isShared(before, moved));
    content.setCluster(moved);
    const ClusterLayout anew = ClusterLayout::of(moved);
    QCOMPARE(content.layout.machines, anew.machines);
    QCOMPARE(content.layout.switches, anew.switches);
    QCOMPARE(content.layout.racks, anew.racks);
    QCOMPARE(content.layout.bounds, anew.bounds);
    for (std::size_t i = 0; i < anew.links.size(); ++i) {
        QCOMPARE(content.layout.links[i].from, anew.links[i].from);
        QCOMPARE(content.layout.links[i].to, anew.links[i].to);
    }
    QCOMPARE(content.layout.machines[2].center(), QPointF(900, -40));

    for (const auto& change :
         {+[](Cluster& c) { c.machines.pop_back(); }, +[](Cluster& c) { c.machines[1].rack = c.racks.back().key; },
          +[](Cluster& c) { std::swap(c.links.front().from, c.links.front().to); },
          +[](Cluster& c) {
              c.machines[1].capacity = ResourceVector::of({4, 1}), c.resourceNames.push_back("disk");
          },
          +[](Cluster& c) { c.racks.pop_back(); }}) {
        Cluster other = moved;
        change(other);
        QVERIFY(!LayoutPlan::isShared(moved, other));
        content.setCluster(other);
        QCOMPARE(content.layout.machines, ClusterLayout::of(other).machines);
        content.setCluster(moved);
    }
}

void tst_Canvas::keptGroundLooksTheSame() {
    // 1,005 links, among them parallel ones: racks and idle links are kept from one painting to the next.
    Cluster cluster = tree(5, 200);
    for (int i = 0; i < 3; ++i) {
        cluster.links.push_back(cluster.links.front());
        cluster.links.back().key += "-" + std::to_string(i);
    }
    CanvasContent content;
    content.setCluster(cluster);
    QCOMPARE(content.plan.sameWay().back(), 0u);
    auto workload = std::make_shared<Workload>();
    workload->cluster = cluster;
    auto state = std::make_shared<ClusterState>(workload);
    state->apply(Event{.type = EventType::linkLoad, .a = 20, .value = cluster.links[10].bandwidth});
    ClusterGround ground;
    const auto shot = [&](double zoom, ClusterGround* kept) {
        const QRectF bounds = content.layout.bounds.adjusted(-20, -20, 20, 20);
        QImage image((bounds.size() * zoom).toSize(), QImage::Format_RGB32);
        image.fill(Theme::light().window);
        QPainter painter(&image);
        painter.scale(zoom, zoom);
        painter.translate(-bounds.topLeft());
        const Theme theme = Theme::light();
        ClusterPainter(content, theme, bounds, zoom).paint(painter, kept);
        return image;
    };
    const QImage idle = shot(0.1, nullptr);
    QCOMPARE(shot(0.1, &ground), idle);
    QCOMPARE(shot(0.1, &ground), idle); // kept
    content.setState(state);
    QVERIFY(shot(0.1, nullptr) != idle); // a link carries something
    QCOMPARE(shot(0.1, &ground), shot(0.1, nullptr));
    auto broken = std::make_shared<ClusterState>(*state);
    broken->apply(Event{.type = EventType::linkFailed, .a = 0});
    content.setState(broken);
    QCOMPARE(shot(0.1, &ground), shot(0.1, nullptr)); // a link at rest has gone
    content.selectedKeys = {"r1"};
    QCOMPARE(shot(0.1, &ground), shot(0.1, nullptr));
    QCOMPARE(shot(0.2, &ground), shot(0.2, nullptr)); // zoomed
    cluster.machines.front().position = Position{-400, -80};
    content.setCluster(cluster);
    QCOMPARE(shot(0.2, &ground), shot(0.2, nullptr)); // moved
    // Dragged: all else is kept while it moves, and again when it is put down.
    content.lift({cluster.machines.front().key});
    const std::size_t revision = content.groundRevision;
    for (const double x : {-300.0, 150.0, 420.0}) {
        cluster.machines.front().position = Position{x, 60};
        content.setCluster(cluster);
        QCOMPARE(content.groundRevision, revision);
        QCOMPARE(shot(0.2, &ground), shot(0.2, nullptr));
    }
    content.lift({});
    QVERIFY(content.groundRevision != revision);
    QCOMPARE(shot(0.2, &ground), shot(0.2, nullptr));
    // What is taken away meanwhile is not looked for.
    content.lift({cluster.machines.front().key});
    cluster.links.pop_back();
    content.setCluster(cluster);
    QVERIFY(!content.isAnyLifted());
}

void tst_Canvas::restsWhenNothingChanges() {
    test::ViewFixture fixture;
    CanvasView view(fixture.workspace);
    view.resize(800, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    const std::size_t before = view.paintTimes().size();
    view.viewport()->repaint();
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    QCOMPARE(view.paintTimes().size(), before + 1); // a paint asks for no other
}

/// A state that comes while a hand moves the view is painted with the next move, or soon after the last.
void tst_Canvas::paintsOncePerMove() {
    test::ViewFixture fixture;
    CanvasView view(fixture.workspace);
    view.resize(800, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    for (int i = 0; i < 20; ++i) QCoreApplication::processEvents();
    const std::size_t before = view.paintTimes().size();
    const auto paints = [&] { return view.paintTimes().size() - before; };
    Q_EMIT fixture.workspace.shownChanged();
    QCoreApplication::sendPostedEvents();
    QCOMPARE(paints(), 1u); // nobody moves anything
    fixture.workspace.interaction().moved();
    Q_EMIT fixture.workspace.shownChanged();
    QCoreApplication::sendPostedEvents();
    QCOMPARE(paints(), 1u);
    view.setZoom(0.9);
    QCoreApplication::sendPostedEvents();
    QCOMPARE(paints(), 2u);
    QTest::qWait(50);
    QCOMPARE(paints(), 2u); // that was it
    fixture.workspace.interaction().moved();
    Q_EMIT fixture.workspace.shownChanged();
    QTRY_COMPARE(paints(), 3u); // no move came
}

void tst_Canvas::clickSelects() {
    test::ViewFixture fixture;
    CanvasView view(fixture.workspace);
    view.resize(800, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const Selection& selection = fixture.workspace.selection();
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.screenPositionOf(QStringLiteral("m2")));
    QCOMPARE(selection.entities(), QStringList{QStringLiteral("m2")});
    QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ShiftModifier, view.screenPositionOf(QStringLiteral("m3")));
    QCOMPARE(selection.entities(), (QStringList{QStringLiteral("m2"), QStringLiteral("m3")}));
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(2, 2));
    QVERIFY(selection.entities().isEmpty());
    QVERIFY(!view.paintTimes().empty());
}

void tst_Canvas::clickOnATaskSelectsItsJob() {
    test::ViewFixture fixture;
    fixture.showAt(0.1);
    CanvasView view(fixture.workspace);
    view.resize(1000, 600);
    view.show();
    view.setZoom(1);
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QPointF slot = view.content().layout.machines[0].bottomLeft() + QPointF(12 + 7, -8 - 7);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.mapFromScene(slot));
    QCOMPARE(fixture.workspace.selection().job(), JobId(0));
}

void tst_Canvas::dragIsOneStepAndUndoes() {
    test::ViewFixture fixture;
    CanvasView view(fixture.workspace);
    view.resize(1000, 600);
    view.show();
    view.setZoom(1);
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const Scenario before = fixture.workspace.document().scenario();
    const QPoint from = view.screenPositionOf(QStringLiteral("m1"));
    const QPointF sceneBefore = view.content().layout.machines[0].center();
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 10; ++i) QTest::mouseMove(view.viewport(), from + QPoint(8 * i, 4 * i));
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, from + QPoint(80, 40));
    QCOMPARE(fixture.workspace.document().undoStack().count(), 1);
    const QPointF moved = view.content().layout.machines[0].center() - sceneBefore;
    QVERIFY2(std::abs(moved.x() - 80) <= 4 && std::abs(moved.y() - 40) <= 4, qPrintable(QString::number(moved.x())));
    QVERIFY(fixture.workspace.document().scenario().cluster.machines[0].position.has_value());
    fixture.workspace.document().undoStack().undo();
    QVERIFY(fixture.workspace.document().scenario() == before);
    QCOMPARE(view.content().layout.machines[0].center(), sceneBefore);
}

void tst_Canvas::arrowsWalk() {
    test::ViewFixture fixture;
    CanvasView view(fixture.workspace);
    view.resize(800, 500);
    view.show();
    fixture.workspace.selection().selectEntities({QStringLiteral("sw")});
    QTest::keyClick(&view, Qt::Key_Down);
    const QStringList below = fixture.workspace.selection().entities();
    QCOMPARE(below.size(), 1);
    QVERIFY(below[0].startsWith(QLatin1Char('m')));
    QTest::keyClick(&view, Qt::Key_Up);
    QCOMPARE(fixture.workspace.selection().entities(), QStringList{QStringLiteral("sw")});
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(fixture.workspace.selection().entities().isEmpty());
}

void tst_Canvas::wheelKeepsThePointUnderTheMouse() {
    test::ViewFixture fixture;
    CanvasView view(fixture.workspace);
    view.resize(800, 500);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QPoint at = view.screenPositionOf(QStringLiteral("m4"));
    const QPointF before = view.mapToScene(at);
    const double zoom = view.zoom();
    QWheelEvent wheel(at, view.viewport()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &wheel);
    QVERIFY(view.zoom() > zoom);
    QVERIFY((view.mapToScene(at) - before).manhattanLength() < 4);
}

TRAINYARD_TEST(tst_Canvas)
#include "tst_Canvas.moc"
