// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The sliders of how fast jobs arrive: one for each generator that draws arrivals, one step to undo for each drag, a new run.
#include "base/Format.h"
#include "forms/FieldSlider.h"
#include "forms/LoadSection.h"
#include "forms/ParamForm.h"
#include "forms/PolicyPanel.h"
#include "shell/FileActions.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QSlider>

using namespace trainyard;
using namespace trainyard::test;

class tst_LoadSection : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { OwnSettings::clear(); }
    void dragRunsAgainAsOneStep();
    void fieldsFollowTheDocument();
    void typedBeyondTheRange();
    void endsOfADragAreWithinTheRange();
    void moreThanFitAreCounted();
    void hiddenWithoutGenerators();
    void oneExponentForAllKeyedJobs();

private:
    OwnSettings m_settings{"tst_LoadSection"};
};

namespace {

struct Fixture : WindowFixture {
    LoadSection* section = window.findChild<PolicyPanel*>()->load();
    ScenarioModel& document = workspace.document();
    double gap(std::size_t generator = 0) { return document.scenario().generators[generator].meanInterarrivalSeconds; }
    QSlider* slider(const char* key = "gap-0") {
        return qobject_cast<QSlider*>(section->form()->slider(QString::fromLatin1(key)));
    }
};

const char* const slaq = TRAINYARD_SOURCE_DIR "/scenarios/papers/slaq/default.json";

} // namespace

void tst_LoadSection::dragRunsAgainAsOneStep() {
    Fixture w;
    QVERIFY(w.window.files().open(QString::fromUtf8(slaq)));
    w.workspace.playback().toEnd();
    QTRY_VERIFY_WITH_TIMEOUT(w.ended(), test::patience);
    QSlider* slider = w.slider();
    QVERIFY(slider && w.section->isVisible());
    QCOMPARE(w.gap(), 10.0);
    QCOMPARE(slider->value(), FieldSlider::steps / 2); // from 1 to 100 s, logarithmic
    const int steps = w.document.undoStack().count();
    const RunId before = w.workspace.runs().current().id;
    slider->setSliderDown(true);
    slider->setSliderPosition(FieldSlider::steps * 3 / 4);
    slider->setSliderPosition(FieldSlider::steps);
    slider->setSliderDown(false);
    QCOMPARE(w.gap(), 100.0);
    QCOMPARE(w.document.undoStack().count(), steps + 1);
    QTRY_VERIFY_WITH_TIMEOUT(w.workspace.runs().current().id > before, test::patience);
    QCOMPARE(w.workspace.runs().current().scenario->generators[0].meanInterarrivalSeconds, 100.0);
    w.document.undoStack().undo();
    QCOMPARE(w.gap(), 10.0);
    QCOMPARE(slider->value(), FieldSlider::steps / 2);
}

void tst_LoadSection::fieldsFollowTheDocument() {
    Fixture w;
    QVERIFY(w.window.files().open(QString::fromUtf8(slaq)));
    w.document.change(QStringLiteral("more"), [](Scenario& s) {
        s.generators.push_back(s.generators[0]);
        s.generators[1].key = "trace";
        s.generators[1].arrivals = JobGenerator::Arrivals::trace;
        s.generators[1].arrivalSeconds = {1};
        s.generators.push_back(s.generators[0]);
        s.generators[2].key = "fixed";
        s.generators[2].arrivals = JobGenerator::Arrivals::fixed;
        s.generators[2].meanInterarrivalSeconds = 0.03;
    });
    QVERIFY(w.slider("gap-0") && !w.slider("gap-1") && w.slider("gap-2"));
    QCOMPARE(w.slider("gap-2")->value(), FieldSlider::steps / 2);
    w.slider("gap-2")->setValue(0);
    QVERIFY2(std::abs(w.gap(2) - 0.003) < 1e-9, qPrintable(QString::number(w.gap(2))));
    QCOMPARE(w.gap(0), 10.0);
    // A gap that is set elsewhere and lies outside moves the range.
    w.document.setField({{EntityRef::Kind::generator, 0}}, "/mean_gap_s", "5000");
    QCOMPARE(w.slider()->value(), FieldSlider::steps / 2);
}

// The field that is typed into moves the range of its slider, and typing goes on.
void tst_LoadSection::typedBeyondTheRange() {
    Fixture w;
    QVERIFY(w.window.files().open(QString::fromUtf8(slaq)));
    const auto field = [&] { return qobject_cast<QLineEdit*>(w.section->form()->control(QStringLiteral("gap-0"))); };
    QLineEdit* before = field();
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    before->setFocus();
    QVERIFY(before->hasFocus());
    before->selectAll();
    QTest::keyClicks(before, QStringLiteral("5000"));
    QTest::keyClick(before, Qt::Key_Return);
    QCOMPARE(w.gap(), 5000.0);
    QCOMPARE(w.slider()->value(), FieldSlider::steps / 2);
    QCOMPARE(field(), before);
    QCOMPARE(field()->text(), QStringLiteral("5000"));
    QVERIFY(field()->hasFocus());
    QTest::keyClick(field(), Qt::Key_Up);
    QCOMPARE(w.gap(), 5100.0);
}

void tst_LoadSection::endsOfADragAreWithinTheRange() {
    Fixture w;
    QVERIFY(w.window.files().open(QString::fromUtf8(slaq)));
    for (const double gap : {0.0003, 0.0006, 0.003, 0.006, 0.009, 0.07, 0.09, 0.3, 0.6, 7.0})
        for (const int end : {0, FieldSlider::steps}) {
            w.document.setField({{EntityRef::Kind::generator, 0}}, "/mean_gap_s", formatNumber(gap));
            QSlider* slider = w.slider();
            slider->setSliderDown(true);
            slider->setSliderPosition(end);
            QCOMPARE(w.slider(), slider);
            QVERIFY(w.gap() != gap);
            slider->setSliderPosition(FieldSlider::steps / 3);
            slider->setSliderDown(false);
            QCOMPARE(w.slider(), slider);
            w.document.setField({{EntityRef::Kind::generator, 0}}, "/mean_gap_s", "12345"); // another range
        }
}

void tst_LoadSection::moreThanFitAreCounted() {
    Fixture w;
    QVERIFY(w.window.files().open(QString::fromUtf8(slaq)));
    w.document.change(QStringLiteral("more"), [](Scenario& s) {
        for (int i = 0; i < 5; ++i) {
            s.generators.push_back(s.generators[0]);
            s.generators.back().key = "g" + std::to_string(i);
        }
    });
    QVERIFY(w.slider("gap-3") && !w.slider("gap-4"));
    const auto labels = w.section->findChildren<QLabel*>();
    QVERIFY(std::any_of(labels.begin(), labels.end(),
                        [](QLabel* l) { return l->isVisible() && l->text().startsWith(QStringLiteral("2 more")); }));
}

void tst_LoadSection::hiddenWithoutGenerators() {
    Fixture w;
    QVERIFY(w.window.files().open(starter()));
    QVERIFY(!w.section->isVisible());
}

// Dragged, it is one step to undo, for all jobs that have keys, and no other.
void tst_LoadSection::oneExponentForAllKeyedJobs() {
    Fixture w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/nups/skew.json")));
    QSlider* slider = w.slider("exponent");
    QVERIFY(slider && w.section->isVisible());
    const int steps = w.document.undoStack().count();
    slider->setSliderDown(true);
    slider->setSliderPosition(FieldSlider::steps / 4);
    slider->setSliderPosition(FieldSlider::steps / 2);
    slider->setSliderDown(false);
    for (const Job& job : w.document.scenario().jobs) QCOMPARE(job.keyedAccess()->exponent, 1.0); // of 0 … 2
    QCOMPARE(w.document.undoStack().count(), steps + 1);
    w.document.undoStack().undo();
    QCOMPARE(slider->value(), FieldSlider::steps * 11 / 20); // 1.1
}

TRAINYARD_TEST(tst_LoadSection)
#include "tst_LoadSection.moc"
