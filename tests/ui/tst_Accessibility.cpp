// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Without a mouse and without good eyes: Tab reaches every control of every panel and dialog in the order it is seen,
// every control has a name, and every text has enough contrast, by the palette and as rendered.
#include "canvas/CanvasView.h"
#include "forms/PolicyPanel.h"
#include "pages/StartPage.h"
#include "shell/ActionList.h"
#include "shell/FileActions.h"
#include "shell/Inspector.h"
#include "shell/Panels.h"
#include "shell/Places.h"
#include "shell/PreferencesDialog.h"
#include "shell/ShortcutsDialog.h"
#include "shell/Tour.h"
#include "support/Patience.h"
#include "support/ShownTexts.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"
#include "theme/Theme.h"
#include "transport/RunUntilDialog.h"
#include "transport/TransportBar.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QHash>
#include <QPushButton>
#include <QTableWidget>

#include <cmath>

using namespace trainyard;

namespace {

/// WCAG 2.1: relative luminance and contrast ratio.
double luminance(const QColor& colour) {
    const auto channel = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) + 0.0722 * channel(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// Of the strongest strokes of what is drawn to the ground it is drawn on, which is its most frequent colour.
double renderedContrast(const QImage& image) {
    QHash<QRgb, int> count;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) ++count[image.pixel(x, y)];
    QRgb ground = 0;
    int most = 0;
    for (auto it = count.begin(); it != count.end(); ++it)
        if (it.value() > most) most = it.value(), ground = it.key();
    double best = 1;
    for (auto it = count.begin(); it != count.end(); ++it)
        best = std::max(best, contrast(QColor::fromRgb(it.key()), QColor::fromRgb(ground)));
    return best;
}

bool isReachable(const QWidget* w) {
    return w->isVisible() && w->isEnabled() && (w->focusPolicy() & Qt::TabFocus) && !w->focusProxy();
}

/// What Tab has to reach in it: the parts of a spin box or an editable list are one.
QList<QWidget*> reachable(QWidget* root) {
    QList<QWidget*> found;
    for (QWidget* w : root->findChildren<QWidget*>()) {
        if (!isReachable(w) || w->window() != root->window()) continue;
        if (qobject_cast<QAbstractSpinBox*>(w->parentWidget()) || qobject_cast<QComboBox*>(w->parentWidget())) continue;
        // Qt's own scroll areas take the focus to be scrolled; what they hold is reached by itself.
        found << w;
    }
    return found;
}

} // namespace

class tst_Accessibility : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { test::OwnSettings::clear(); }
    void cleanup();
    void tabReachesAllInOrder_data();
    void tabReachesAllInOrder();
    void tabGoesRoundTheWindow();
    void keyGoesFromPartToPart();
    void rolesHaveContrast_data();
    void rolesHaveContrast();
    void renderedTextHasContrast_data();
    void renderedTextHasContrast();

private:
    /// Sends Tab from the first to where it comes back; what it visited, in order.
    static QList<QWidget*> tour(QWidget* window, QWidget* first);
    test::OwnSettings m_settings{"tst_Accessibility"};
};

void tst_Accessibility::cleanup() { ThemeChoice().choose(ThemeChoice::light, false); }

QList<QWidget*> tst_Accessibility::tour(QWidget* window, QWidget* first) {
    QList<QWidget*> visited;
    first->setFocus(Qt::TabFocusReason);
    constexpr int most = 900, mostWithin = 200; // Tab goes through the links of a page before it leaves it
    for (int i = 0, within = 0; i < most && within < mostWithin; ++i) {
        QWidget* now = window->focusWidget();
        if (!now) break;
        const bool stays = !visited.isEmpty() && now == visited.last();
        if (!stays && visited.contains(now)) break; // round, or caught in a ring
        within = stays ? within + 1 : 0;
        if (!stays) visited << now;
        QTest::keyClick(now, Qt::Key_Tab);
    }
    return visited;
}

void tst_Accessibility::tabReachesAllInOrder_data() {
    QTest::addColumn<QByteArray>("what");
    for (const char* panel :
         {"scenario", "policies", "inspector", "template", "lanes", "jobs", "problems", "events", "metrics", "tables",
          "help", "history", "start", "transport", "preferences", "shortcuts", "until", "tour"})
        QTest::newRow(panel) << QByteArray(panel);
}

void tst_Accessibility::tabReachesAllInOrder() {
    QFETCH(QByteArray, what);
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter("failure-and-recovery")));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    PreferencesDialog preferences(w.workspace.preferences(), w.theme);
    ShortcutsDialog shortcuts(w.window.commands());
    RunUntilDialog until(w.workspace);
    QWidget* root = nullptr;
    if (what == "preferences") root = &preferences;
    if (what == "shortcuts") root = &shortcuts;
    if (what == "until") root = &until;
    if (what == "transport") root = &w.window.transport();
    if (what == "start") {
        w.window.places().go("start");
        root = &w.window.startPage();
    }
    if (what == "tour") {
        w.window.tour().start();
        root = w.window.tour().bubble();
    }
    if (!root) {
        w.workspace.selection().selectEntities(
            {QString::fromStdString(w.workspace.document().scenario().cluster.machines[0].key)});
        w.window.panels().show(QString::fromLatin1(what));
        root = w.window.panels().find(QString::fromLatin1(what));
    }
    QVERIFY(root);
    root->show();
    QTest::qWait(50);
    QWidget* window = root->window();
    QApplication::setActiveWindow(window);
    const QList<QWidget*> wanted = reachable(root);
    QVERIFY(!wanted.isEmpty());
    for (const QWidget* each : wanted) {
        QAccessibleInterface* spoken = QAccessible::queryAccessibleInterface(const_cast<QWidget*>(each));
        QVERIFY2(spoken && !spoken->text(QAccessible::Name).isEmpty(),
                 qPrintable(QStringLiteral("no name: ") + test::placeOf(each)));
    }
    QHash<const QWidget*, QRect> places; // before anything is scrolled
    for (const QWidget* each : root->findChildren<QWidget*>())
        places.insert(each, QRect(each->mapTo(root, QPoint()), each->size()));
    // From the first of them, by Tab alone.
    QWidget* first = wanted.first();
    for (QWidget *each = window->nextInFocusChain(), *end = window; each != end; each = each->nextInFocusChain())
        if (wanted.contains(each)) {
            first = each;
            break;
        }
    const QList<QWidget*> visited = tour(window, first);
    QList<QWidget*> inside;
    for (QWidget* each : visited)
        if (root->isAncestorOf(each)) inside << each;
    for (const QWidget* each : wanted)
        if (!inside.contains(each))
            for (const QWidget* stop : visited) qWarning("visited %s", qPrintable(test::placeOf(stop)));
    for (const QWidget* each : wanted)
        QVERIFY2(inside.contains(each), qPrintable(QStringLiteral("not reached: ") + test::placeOf(each) +
                                                   QStringLiteral("; the last was ") + test::placeOf(visited.last())));
    // In the order seen: never back up in a column, never back left in a row.
    for (qsizetype i = 1; i < inside.size(); ++i) {
        const QRect before = places.value(inside[i - 1]), now = places.value(inside[i]);
        if (inside[i - 1]->isAncestorOf(inside[i]) || inside[i]->isAncestorOf(inside[i - 1])) continue;
        const bool sameColumn = now.left() < before.right() && before.left() < now.right();
        const bool sameRow = now.top() < before.bottom() && before.top() < now.bottom();
        const bool backUp = sameColumn && !sameRow && now.bottom() <= before.top();
        const bool backLeft = sameRow && !sameColumn && now.right() <= before.left();
        QVERIFY2(!backUp && !backLeft,
                 qPrintable(test::placeOf(inside[i]) + QStringLiteral(" comes after ") + test::placeOf(inside[i - 1])));
    }
}

/// Forwards and backwards through everything on the screen, whatever has been made, shown and hidden before.
void tst_Accessibility::tabGoesRoundTheWindow() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter("failure-and-recovery")));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    for (const char* panel : {"tables", "problems", "lanes", "inspector"}) w.window.panels().show(QLatin1String(panel));
    w.workspace.selection().selectEntities(
        {QString::fromStdString(w.workspace.document().scenario().cluster.machines[0].key)});
    QTest::qWait(50);
    QApplication::setActiveWindow(&w.window);
    const QList<QWidget*> wanted = reachable(&w.window);
    const QList<QWidget*> visited = tour(&w.window, w.window.policies().picker(PolicyFamily::scheduler));
    for (const QWidget* each : wanted)
        QVERIFY2(visited.contains(each), qPrintable(QStringLiteral("not reached: ") + test::placeOf(each) +
                                                    QStringLiteral("; the last was ") + test::placeOf(visited.last())));
    QVERIFY(QApplication::focusWidget() == visited.first()); // round
    constexpr int mostWithin = 200;                          // links of a page
    for (qsizetype i = visited.size() - 1; i > 0; --i) {
        const QWidget* before = QApplication::focusWidget();
        for (int within = 0; within < mostWithin && QApplication::focusWidget() == before; ++within)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Backtab, Qt::ShiftModifier);
        QVERIFY2(QApplication::focusWidget() == visited[i], qPrintable(test::placeOf(QApplication::focusWidget())));
    }
}

void tst_Accessibility::keyGoesFromPartToPart() {
    test::WindowFixture w;
    QVERIFY(w.window.files().open(test::starter()));
    QTest::qWait(50);
    QApplication::setActiveWindow(&w.window);
    w.window.canvas().setFocus();
    QStringList parts;
    const auto partNow = [&] {
        for (const char* id : {"scenario", "policies", "inspector", "lanes"})
            if (w.window.panels().find(QLatin1String(id))->isAncestorOf(QApplication::focusWidget()))
                return QString::fromLatin1(id);
        const bool inCanvas = QApplication::focusWidget() == &w.window.canvas() ||
                              w.window.canvas().isAncestorOf(QApplication::focusWidget());
        return inCanvas ? QStringLiteral("canvas") : QString();
    };
    do {
        if (const QString part = partNow(); !part.isEmpty()) parts << part;
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6);
    } while (parts.size() < 20 && partNow() != parts.first());
    QCOMPARE(parts, (QStringList{QStringLiteral("canvas"), QStringLiteral("inspector"), QStringLiteral("lanes"),
                                 QStringLiteral("policies")})); // the scenario is behind these
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_F6, Qt::ShiftModifier);
    QCOMPARE(partNow(), QStringLiteral("policies"));
}

void tst_Accessibility::rolesHaveContrast_data() {
    QTest::addColumn<Theme>("theme");
    QTest::addColumn<double>("least");
    QTest::newRow("light") << Theme::light() << 4.5;
    QTest::newRow("dark") << Theme::darkTheme() << 4.5;
    QTest::newRow("high contrast") << Theme::highContrastTheme() << 7.0;
    QTest::newRow("print") << Theme::print() << 4.5;
}

void tst_Accessibility::rolesHaveContrast() {
    QFETCH(Theme, theme);
    QFETCH(double, least);
    const auto check = [&](const char* what, const QColor& text, const char* on, const QColor& ground) {
        const double ratio = contrast(text, ground);
        QVERIFY2(ratio >= least, qPrintable(QStringLiteral("%1 on %2: %3 of %4")
                                                .arg(QLatin1String(what), QLatin1String(on))
                                                .arg(ratio, 0, 'f', 2)
                                                .arg(least)));
    };
    const std::pair<const char*, QColor> texts[] = {
        {"text", theme.text},       {"muted", theme.muted}, {"accent", theme.accent},      {"problem", theme.problem},
        {"warning", theme.warning}, {"good", theme.good},   {"disabled", theme.disabled()}};
    const std::pair<const char*, QColor> grounds[] = {
        {"window", theme.window}, {"surface", theme.surface}, {"raised", theme.raised}};
    for (const auto& [what, text] : texts)
        for (const auto& [on, ground] : grounds) check(what, text, on, ground);
    for (const auto& [on, ground] : {std::pair("hover", theme.hover()), std::pair("selected", theme.selected())}) {
        check("text", theme.text, on, ground);
        check("muted", theme.muted, on, ground);
    }
    check("text on accent", theme.onAccent(), "accent", theme.accent);
    const QPalette palette = theme.palette();
    const auto colour = [&](QPalette::ColorRole role, QPalette::ColorGroup group = QPalette::Active) {
        return palette.color(group, role);
    };
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
        check("WindowText", colour(QPalette::WindowText, group), "Window", colour(QPalette::Window, group));
        check("Text", colour(QPalette::Text, group), "Base", colour(QPalette::Base, group));
        check("Text", colour(QPalette::Text, group), "AlternateBase", colour(QPalette::AlternateBase, group));
        check("ButtonText", colour(QPalette::ButtonText, group), "Button", colour(QPalette::Button, group));
    }
    check("HighlightedText", colour(QPalette::HighlightedText), "Highlight", colour(QPalette::Highlight));
    check("PlaceholderText", colour(QPalette::PlaceholderText), "Base", colour(QPalette::Base));
    check("ToolTipText", colour(QPalette::ToolTipText), "ToolTipBase", colour(QPalette::ToolTipBase));
    check("Link", colour(QPalette::Link), "Base", colour(QPalette::Base));
}

void tst_Accessibility::renderedTextHasContrast_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<double>("least");
    QTest::newRow("light") << int(ThemeChoice::light) << 4.5;
    QTest::newRow("dark") << int(ThemeChoice::dark) << 4.5;
    QTest::newRow("high contrast") << int(ThemeChoice::highContrast) << 7.0;
}

void tst_Accessibility::renderedTextHasContrast() {
    QFETCH(int, kind);
    QFETCH(double, least);
    test::WindowFixture w;
    w.theme.choose(static_cast<ThemeChoice::Kind>(kind), false);
    QVERIFY(w.window.files().open(test::starter()));
    // Bold and large enough that strokes reach their colour; colours are those of the style sheet.
    const auto big = [](QWidget* widget) {
        QFont font = widget->font();
        font.setPixelSize(40);
        font.setBold(true);
        widget->setFont(font);
        widget->setStyleSheet(QStringLiteral("font-size: 40px; font-weight: 700;"));
        return widget;
    };
    QWidget ground;
    ground.resize(900, 900);
    int row = 0;
    const auto sample = [&](QWidget* widget, const char* property = nullptr, bool enabled = true) {
        widget->setParent(&ground);
        if (property) widget->setProperty(property, true);
        big(widget);
        widget->setEnabled(enabled);
        widget->setGeometry(0, (row++ % 12) * 70, 700, 68);
        widget->show();
        return widget;
    };
    struct Sample {
        QByteArray name;
        QWidget* widget;
    };
    QList<Sample> samples;
    samples << Sample{"label", sample(new QLabel(QStringLiteral("MMMM")))}
            << Sample{"muted label", sample(new QLabel(QStringLiteral("MMMM")), "muted")}
            << Sample{"problem label", sample(new QLabel(QStringLiteral("MMMM")), "problem")}
            << Sample{"heading", sample(new QLabel(QStringLiteral("MMMM")), "heading")}
            << Sample{"button", sample(new QPushButton(QStringLiteral("MMMM")))}
            << Sample{"primary button", sample(new QPushButton(QStringLiteral("MMMM")), "primary")}
            << Sample{"disabled button", sample(new QPushButton(QStringLiteral("MMMM")), nullptr, false)}
            << Sample{"disabled primary button", sample(new QPushButton(QStringLiteral("MMMM")), "primary", false)}
            << Sample{"disabled check box", sample(new QCheckBox(QStringLiteral("MMMM")), nullptr, false)}
            << Sample{"line", sample(new QLineEdit(QStringLiteral("MMMM")))}
            << Sample{"disabled line", sample(new QLineEdit(QStringLiteral("MMMM")), nullptr, false)};
    ground.show();
    QTest::qWait(20);
    for (const Sample& each : samples) {
        const QRect inner = each.widget->rect().adjusted(8, 8, -8, -8); // without the frame
        const QPoint indicator = qobject_cast<QCheckBox*>(each.widget) ? QPoint(40, 0) : QPoint();
        const QImage image =
            ground.grab(QRect(each.widget->pos() + inner.topLeft() + indicator, inner.size() - QSize(indicator.x(), 0)))
                .toImage();
        const double ratio = renderedContrast(image);
        QVERIFY2(ratio >= least,
                 qPrintable(QStringLiteral("%1: %2").arg(QLatin1String(each.name)).arg(ratio, 0, 'f', 2)));
    }
    // A table with its selection, and a picker that says why it cannot be used.
    QTableWidget table(2, 1);
    table.setItem(0, 0, new QTableWidgetItem(QStringLiteral("MMMM")));
    table.setItem(1, 0, new QTableWidgetItem(QStringLiteral("MMMM")));
    QFont font = table.font();
    font.setPixelSize(40);
    font.setBold(true);
    for (int r = 0; r < 2; ++r) table.item(r, 0)->setFont(font);
    table.setRowHeight(0, 70);
    table.setRowHeight(1, 70);
    table.setColumnWidth(0, 300);
    table.resize(400, 300);
    table.selectRow(1);
    table.show();
    QTest::qWait(20);
    for (int r = 0; r < 2; ++r) {
        const QRect cell = table.visualItemRect(table.item(r, 0)).adjusted(6, 6, -6, -6);
        const double ratio = renderedContrast(table.viewport()->grab(cell).toImage());
        QVERIFY2(ratio >= least, qPrintable(QStringLiteral("row %1: %2").arg(r).arg(ratio, 0, 'f', 2)));
    }
    auto* unused = w.window.policies().picker(PolicyFamily::partitioner);
    QVERIFY(!unused->isEnabled() && !unused->toolTip().isEmpty());
    for (QLabel* label : w.window.policies().findChildren<QLabel*>()) {
        if (label->text() != unused->toolTip()) continue;
        label->ensurePolished();
        const double ratio = contrast(label->palette().color(label->foregroundRole()), Theme::current().surface);
        QVERIFY2(ratio >= least, qPrintable(QStringLiteral("reason: %1").arg(ratio, 0, 'f', 2)));
    }
}

TRAINYARD_TEST(tst_Accessibility)
#include "tst_Accessibility.moc"
