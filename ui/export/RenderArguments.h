// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The options of `trainyard --render`: declared once on a command line of CLI11, for reading, for --help and for the tests of the
// manual page and the completion. Used by Render and by the program.
#include "export/Movie.h"

#include <memory>

namespace CLI {
class App;
}

namespace trainyard {

struct RenderArguments {
    QString record, ghost; ///< directories; ghost: of the run compared with, empty: none
    ExportOptions charts;
    std::optional<MovieOptions> movie; ///< frames instead of charts
};

class RenderOptions {
public:
    explicit RenderOptions(CLI::App& app); ///< borrowed
    ~RenderOptions();
    /// What the options mean together, once the command line has been parsed; or what is wrong with them.
    std::optional<QString> take(RenderArguments& out) const;

private:
    struct Given;
    std::unique_ptr<Given> m_given;
};

/// Words: the program's arguments, its name first. Fills `out`, or returns what is wrong with them.
std::optional<QString> parseRenderArguments(const QStringList& words, RenderArguments& out);
/// "--view", "-o": all of them.
QStringList renderOptionNames();
/// One line per option, for people.
QString renderUsage();

} // namespace trainyard
