// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The project keeps its own rules (ArchitectureRules.h).
#include "arch/ArchitectureRules.h"
#include "support/TestMain.h"

using namespace trainyard::test;

class tst_Architecture : public QObject {
    Q_OBJECT
private slots:
    void sourcesAreFound();
    void rules_data();
    void rules();

private:
    SourceTree m_tree{QStringLiteral(TRAINYARD_SOURCE_DIR)};
};

void tst_Architecture::sourcesAreFound() {
    // A checker that reads nothing finds nothing.
    for (const auto* path :
         {"core/base/Result.h", "core/run/RunSession.h", "ui/session/RunModel.cpp", "app/cli/main.cpp"})
        QVERIFY2(m_tree.contains(QLatin1String(path)), path);
    QVERIFY(m_tree.files().size() > 60);
    qsizetype includes = 0;
    for (const auto& file : m_tree.files()) includes += file.includes.size();
    QVERIFY(includes > 200);
}

void tst_Architecture::rules_data() {
    using Rule = Findings (*)(const SourceTree&);
    QTest::addColumn<Findings>("findings");
    const auto row = [this](const char* name, Rule rule) { QTest::newRow(name) << rule(m_tree); };
    row("includes follow the layers", includesFollowTheLayers);
    row("core has no Qt", coreHasNoQt);
    row("heavy headers stay in their places", heavyHeadersStayInTheirPlaces);
    row("file names are unique", fileNamesAreUnique);
    row("own header comes first", ownHeaderComesFirst);
    row("policies are not named elsewhere", policiesAreNotNamedElsewhere);
    row("headers are guarded", headersAreGuarded);
    row("nothing is left open", nothingIsLeftOpen);
    row("core never prints or exits", coreNeverPrintsOrExits);
    row("no mutable statics", noMutableStatics);
    row("pages do not connect", pagesDoNotConnect);
    row("panels do not connect", panelsDoNotConnect);
    row("main window is thin", mainWindowIsThin);
    row("map lists the folders", mapListsTheFolders);
    row("pages link to what is there", pagesLinkToWhatIsThere);
}

void tst_Architecture::rules() {
    QFETCH(Findings, findings);
    for (const auto& finding : findings) qWarning("%s", qPrintable(finding));
    QVERIFY2(findings.isEmpty(), "see the findings above");
}

TRAINYARD_TEST(tst_Architecture)
#include "tst_Architecture.moc"
