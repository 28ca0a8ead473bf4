// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What validate calls doubtful about a policy stands beneath the field that it is about, and goes when the value does.
#include "forms/FieldRow.h"
#include "forms/ParamForm.h"
#include "forms/PolicyPanel.h"
#include "run/files/AtomicFile.h"
#include "scenario/ScenarioFile.h"
#include "shell/FileActions.h"
#include "support/TestMain.h"
#include "support/WindowFixture.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>

using namespace trainyard;
using namespace trainyard::test;

class tst_PolicyWarnings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { OwnSettings::clear(); }
    void besideTheParameter();
    void ofAJobsOwnPolicyNotHere();
    void pickersSayWhyTheyAreOfNoUse();
    void fieldsSayWhyTheyAreOfNoUse();

private:
    OwnSettings m_settings{"tst_PolicyWarnings"};
};

namespace {

constexpr PolicyFamily family = PolicyFamily::synchronization;

struct Fixture : WindowFixture {
    PolicyPanel* panel = window.findChild<PolicyPanel*>();
    ParamForm* form = panel->form(family);
    ScenarioModel& document = workspace.document();
    /// Visible in the panel.
    QStringList notes() const {
        QStringList out;
        for (const QLabel* label : panel->findChildren<QLabel*>())
            if (label->property("problem").toBool() && label->isVisibleTo(panel)) out << label->text();
        return out;
    }
};

} // namespace

void tst_PolicyWarnings::besideTheParameter() {
    Fixture w; // four workers
    QVERIFY(w.window.files().open(starter()));
    w.document.choosePolicy(family, {"fastest-k", {{"k", std::int64_t{4}}}});
    QVERIFY(w.notes().isEmpty());
    auto* k = qobject_cast<QLineEdit*>(w.form->control(QStringLiteral("k")));
    QVERIFY(k);
    const auto type = [&](const char* text) {
        k->selectAll();
        QTest::keyClicks(k, QLatin1String(text));
        QTest::keyClick(k, Qt::Key_Return);
    };
    const auto said = [&] { return w.form->row(QStringLiteral("k"))->problem().text; };
    type("9");
    QTRY_VERIFY(said().contains(QStringLiteral("wait for 9 workers")));
    QCOMPARE(w.notes(), QStringList{said()});
    QCOMPARE(k->property("problem").toString(), QStringLiteral("warning")); // no error: it runs
    type("3");
    QTRY_VERIFY(w.notes().isEmpty());
    QVERIFY(!k->property("problem").toBool());
    w.document.undoStack().undo();
    QTRY_COMPARE(w.notes().size(), 1);
}

/// A family that no job goes by cannot be chosen, and says why: keyed jobs go by a policy of parameters, graph jobs by a partitioner.
void tst_PolicyWarnings::pickersSayWhyTheyAreOfNoUse() {
    Fixture w;
    const auto said = [&](const char* file, PolicyFamily of) {
        if (!w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/") + QLatin1String(file)))
            return QStringLiteral("not opened");
        const QComboBox* picker = w.panel->picker(of);
        return picker->isEnabled() ? QString() : picker->toolTip();
    };
    QCOMPARE(said("nups/zipf.json", PolicyFamily::parameters), QString());
    QCOMPARE(said("nups/zipf.json", PolicyFamily::synchronization), QString());
    QVERIFY(said("nups/zipf.json", PolicyFamily::partitioner).contains(QStringLiteral("computation graph")));
    QVERIFY(said("nups/skew.json", PolicyFamily::parameters).contains(QStringLiteral("of its own")));
    QCOMPARE(said("pacml/corrected-busy.json", PolicyFamily::partitioner), QString());
    QVERIFY(said("pacml/corrected-busy.json", PolicyFamily::parameters).contains(QStringLiteral("keys")));
    QVERIFY(said("pacml/corrected-busy.json", PolicyFamily::scheduler).contains(QStringLiteral("blocked")));
    QCOMPARE(said("nups/zipf.json", PolicyFamily::scheduler), QString());
    QVERIFY(said("pacml/further-is-not-faster.json", PolicyFamily::partitioner).contains(QStringLiteral("of its own")));
}

/// A field that changes nothing for the jobs is disabled, and says why.
void tst_PolicyWarnings::fieldsSayWhyTheyAreOfNoUse() {
    Fixture w;
    QVERIFY(w.window.files().open(QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/papers/nups/zipf.json")));
    ParamForm* scheduler = w.panel->form(PolicyFamily::scheduler);
    QWidget* size = scheduler->control(QStringLiteral("size"));
    QVERIFY(size && !size->isEnabled());
    QVERIFY(scheduler->row(QStringLiteral("size"))->toolTip().contains(QStringLiteral("fixed number of workers")));
    const auto* choices = qobject_cast<QComboBox*>(size);
    QVERIFY(choices && choices->findData(QStringLiteral("as-many-as-fit")) >= 0);
    QVERIFY(choices->findText(QStringLiteral("as many as fit")) >= 0); // words, not ids
    QWidget* weight = w.form->control(QStringLiteral("scale"));
    QVERIFY(weight && !weight->isEnabled());
    Scenario bounds = w.document.scenario();
    bounds.jobs[0].workers.minimum = 1;
    const QString file = m_settings.directory.filePath(QStringLiteral("bounds.json"));
    QVERIFY(writeFileAtomically(file.toStdString(), writeScenario(bounds)).empty());
    QVERIFY(w.window.files().open(file));
    QVERIFY(scheduler->control(QStringLiteral("size"))->isEnabled());
    // It is so in every policy that asks for a size or a weight.
    const Registry registry = Registry::builtin();
    for (const PolicyFamily of : {PolicyFamily::scheduler, PolicyFamily::synchronization})
        for (const PolicyInfo* info : registry.list(of)) {
            if (const ParamField* asked = info->schema.find("size")) QCOMPARE(asked->scope, ParamScope::elastic);
            if (const ParamField* asked = info->schema.find("scale")) QCOMPARE(asked->scope, ParamScope::gradients);
        }
    // Trained jobs send gradients.
    QVERIFY(w.window.files().open(starter()));
    w.document.choosePolicy(family, {"async", {}});
    QVERIFY(w.form->control(QStringLiteral("scale"))->isEnabled());
}

/// The job's form shows those.
void tst_PolicyWarnings::ofAJobsOwnPolicyNotHere() {
    Fixture w;
    QVERIFY(w.window.files().open(starter()));
    Scenario own = w.document.scenario();
    own.policies.synchronization = {"k-async", {{"k", std::int64_t{3}}}};
    own.jobs[0].synchronization = {"k-async", {{"k", std::int64_t{9}}}};
    const QString file = m_settings.directory.filePath(QStringLiteral("own.json"));
    QVERIFY(writeFileAtomically(file.toStdString(), writeScenario(own)).empty());
    QVERIFY(w.window.files().open(file));
    QCOMPARE(w.document.problems().size(), std::size_t{1});
    QCOMPARE(w.document.problems().front().pointer, std::string("/jobs/0/synchronization/parameters/k"));
    QVERIFY(w.notes().isEmpty());
}

TRAINYARD_TEST(tst_PolicyWarnings)
#include "tst_PolicyWarnings.moc"
