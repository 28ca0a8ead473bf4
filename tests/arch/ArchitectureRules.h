// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the architecture demands of the sources, one function per rule. Each returns its findings as
// "path:line: what is wrong and what would be right"; an empty list is a tree that keeps the rule.
// tst_Architecture holds the project to them, tst_ArchitectureRules shows on small bad trees that each rule
// can fail.
#include "arch/SourceTree.h"

namespace trainyard::test {

using Findings = QStringList;

/// base ← model ← record ← learning ← planning ← policy ← scenario ← engine ← analysis ← run ← ui ← app: a file includes
/// only its own layer and lower ones, the window only the part of the core made for it, and every quoted
/// include names a file that is there.
Findings includesFollowTheLayers(const SourceTree& tree);
/// The core and the command line include no Qt.
Findings coreHasNoQt(const SourceTree& tree);
/// Headers that cost seconds, or that bind the project to a library, appear only in the files named for it.
Findings heavyHeadersStayInTheirPlaces(const SourceTree& tree);
/// A file's name says which one is meant: no two source files share a name, and X.h lies beside its X.cpp.
Findings fileNamesAreUnique(const SourceTree& tree);
/// X.cpp includes its own X.h before anything else, so that every build without unity shows that X.h stands
/// alone.
Findings ownHeaderComesFirst(const SourceTree& tree);
/// What concerns one policy stands in its file: no other names its id, the defaults of a scenario, studies of the literature
/// and benchmarks apart.
Findings policiesAreNotNamedElsewhere(const SourceTree& tree);
/// Headers begin with #pragma once.
Findings headersAreGuarded(const SourceTree& tree);
/// No notes about work left open.
Findings nothingIsLeftOpen(const SourceTree& tree);
/// The core neither prints nor exits; expected failures are Results.
Findings coreNeverPrintsOrExits(const SourceTree& tree);
/// No mutable statics: a second Simulation in one process is just a second object.
Findings noMutableStatics(const SourceTree& tree);
/// Pages talk through the session: no page includes another, and no connect( names two pages.
Findings pagesDoNotConnect(const SourceTree& tree);
/// Nor do panels: no connect( of a file in ui/canvas, forms, gallery, plots, tables, transport … names a class
/// of another such folder; a page may listen to the parts it is made of, one folder at a time. Only the shell
/// and the program, which compose them, may join two.
Findings panelsDoNotConnect(const SourceTree& tree);
/// The main window is menus, docks and layout: at most 300 lines.
Findings mainWindowIsThin(const SourceTree& tree);
/// docs/map.md has one line for each folder, and none for a folder that is not there.
Findings mapListsTheFolders(const SourceTree& tree);
/// Relative links and images of README.md, CONTRIBUTING.md, CHANGELOG.md, THIRD-PARTY.md and docs/ lead to
/// files that are there.
Findings pagesLinkToWhatIsThere(const SourceTree& tree);

} // namespace trainyard::test
