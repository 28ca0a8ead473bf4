// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What can be wrong with a training in the window: configurations, seeds, directories and disks; each is named as the command line names it, and
// nothing of others is replaced.
#include "support/TrainingFixture.h"

#include <QComboBox>
#include <QLineEdit>
#include <QProcess>

using namespace trainyard;
using namespace trainyard::test;
namespace fs = std::filesystem;

class tst_TrainingForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { QVERIFY(m_directory.begin()); }
    void cleanup() { m_directory.end(); }
    void brokenConfigurationsAreNamed();
    void directoriesOfOthersAreRefused();
    void whatCannotBeWrittenIsNotLost();

private:
    OwnDirectory m_directory;
    OwnSettings m_settings{"tst_TrainingForm"};
};

/// The same lines as the command line prints.
void tst_TrainingForm::brokenConfigurationsAreNamed() {
    TrainingFixture w;
    TrainingPage& page = w.page;
    QVERIFY(w.fill(tinyPlan(), "out"));
    std::string wrong = writeAgentPlan(tinyPlan());
    wrong.replace(wrong.find("\"warm_up\": 10"), 13, "\"warm_up\": -1");
    wrong.replace(wrong.find("\"gnmt\""), 6, "\"gmnt\"");
    QVERIFY(writeFileAtomically("plan.json", wrong).empty());
    const QString file = QDir::current().filePath(QStringLiteral("plan.json"));
    page.form().openConfiguration(file);
    const QString shown = w.text("training-problem");
    QVERIFY(w.find<QLabel>("training-problem")->isVisible());
    QProcess cli;
    cli.start(qEnvironmentVariable("TRAINYARD_CLI"),
              {QStringLiteral("train"), file, QStringLiteral("--out"), QStringLiteral("out")});
    QVERIFY(cli.waitForFinished(patience));
    const QString printed = QString::fromUtf8(cli.readAllStandardError()).trimmed();
    QCOMPARE(shown.split(u'\n').size(), 2);
    for (const QString& line : shown.split(u'\n')) QVERIFY2(printed.contains(line), qPrintable(line + u'\n' + printed));
    QVERIFY2(shown.contains(QStringLiteral("/tasks/0/settings/warm_up")), qPrintable(shown));
    auto* go = w.find<QPushButton>("training-go");
    QVERIFY(!go->isEnabled() && !go->toolTip().isEmpty());
    // Mended and opened again, it may begin.
    QVERIFY(writeFileAtomically("plan.json", writeAgentPlan(tinyPlan())).empty());
    page.form().openConfiguration(file);
    QVERIFY(go->isEnabled());
    // What can be read is offered by its title, as those that ship are.
    auto* choice = w.find<QComboBox>("training-configuration");
    QCOMPARE(choice->currentText(), QString::fromStdString(tinyPlan().title));
    QVERIFY(choice->findText(QStringLiteral("Trained on five of Trainyard's own graphs")) >= 0);
    // Seeds that are none.
    auto* seed = w.find<QLineEdit>("training-seed");
    for (const char* text : {"", "99999999999999999999"}) {
        seed->setText(QString::fromUtf8(text));
        QVERIFY2(!go->isEnabled() && go->toolTip().contains(QStringLiteral("seed")), text);
    }
}

void tst_TrainingForm::directoriesOfOthersAreRefused() {
    TrainingFixture w;
    const auto refused = [&](const char* directory, const char* words) {
        TrainingPage& page = w.page;
        QVERIFY(w.fill(tinyPlan(), directory));
        QVERIFY(w.click("training-go"));
        QVERIFY(w.hasEnded());
        const QString said = w.text("training-failure");
        QVERIFY2(said.contains(QString::fromUtf8(words)), qPrintable(said));
        QVERIFY(!page.training().isDone() && !page.training().isPaused());
    };
    // An agent that would be replaced.
    fs::create_directories("agents");
    QVERIFY(writeFileAtomically("agents/agent.json", "mine").empty());
    refused("agents", "agent.json");
    QCOMPARE(contents("agents/agent.json"), std::string("mine"));
    QVERIFY(!fs::exists(fs::path("agents") / checkpointName));
    // A file, and a directory in which another one trains.
    refused("plan.json", "plan.json");
    {
        const auto other = KeptTraining::open(tinyPlan(), inputsOf(tinyPlan()), "used", KeptTraining::Begin::anew);
        QVERIFY(other.ok());
        refused("used", "another training");
    }
    // A checkpoint that is none: it is named, and nothing can begin there.
    fs::create_directories("broken");
    QVERIFY(writeFileAtomically(fs::path("broken") / checkpointName, "{\"format\": \"x\"}").empty());
    TrainingPage& page = w.page;
    page.form().setDirectory(QStringLiteral("broken"));
    QTRY_VERIFY(w.text("training-problem").contains(QLatin1String(checkpointName)));
    QVERIFY(!page.form().request());
    QCOMPARE(contents(fs::path("broken") / checkpointName), std::string("{\"format\": \"x\"}"));
}

/// The directory goes away while it is trained, as a disk that is full or gone: it is named, and Continue goes on when it is back.
void tst_TrainingForm::whatCannotBeWrittenIsNotLost() {
    TrainingFixture w;
    const AgentPlan plan = tinyPlan(200);
    TrainingPage& page = w.page;
    QVERIFY(w.fill(plan, "out"));
    QVERIFY(w.click("training-go"));
    QTRY_VERIFY_WITH_TIMEOUT(page.training().watched(), patience);
    fs::rename("out", "elsewhere");
    QVERIFY(writeFileAtomically("out", "a file").empty());
    page.training().pause();
    QVERIFY(w.hasEnded());
    const QString said = w.text("training-failure");
    QVERIFY2(said.contains(QStringLiteral("out")) && said.contains(QStringLiteral("Nothing is lost")),
             qPrintable(said));
    QVERIFY(page.training().isPaused());
    QVERIFY(w.click("training-stop")); // it is nowhere but here, and so it stays
    QVERIFY(w.hasEnded());
    QVERIFY(page.training().isPaused());
    QVERIFY(!w.text("training-failure").isEmpty());
    fs::remove("out");
    fs::rename("elsewhere", "out");
    QVERIFY(w.click("training-go"));
    QVERIFY(w.hasEnded());
    QVERIFY2(page.training().isDone(), qPrintable(w.text("training-failure")));
    QVERIFY(w.text("training-failure").isEmpty());
    QCOMPARE(contents("out/agent.json"), trained(plan));
}

TRAINYARD_TEST(tst_TrainingForm)
#include "tst_TrainingForm.moc"
