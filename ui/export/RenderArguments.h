// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The command line of `trainyard --render`: its options, said once for reading, for --help and for the tests
// of the manual page and the completion. Used by Render and by the program.
#include "export/Movie.h"

namespace trainyard {

struct RenderOption {
    const char* name;  ///< without dashes
    const char* value; ///< what stands for its value; empty: a switch
    const char* help;
};
/// Beside --render and --out, in the order of the manual page.
const std::vector<RenderOption>& renderOptions();

struct RenderArguments {
    QString record, ghost; ///< directories; ghost: of the run compared with, empty: none
    ExportOptions charts;
    std::optional<MovieOptions> movie; ///< frames instead of charts
};
/// Words: the program's arguments, its name first. Fills `out`, or returns what is wrong with them.
std::optional<QString> parseRenderArguments(const QStringList& words, RenderArguments& out);
/// "--view", "-o".
QString optionWord(const RenderOption& option);
/// One line per option, for people.
QString renderUsage();

} // namespace trainyard
