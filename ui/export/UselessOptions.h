// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Options of --render that would change nothing beside the others. Used by RenderArguments.
#include <QString>
#include <QStringList>

#include <optional>

namespace trainyard {

/// What was chosen on the command line.
struct ChosenOptions {
    QStringList given; ///< names without dashes, each as often as it was given
    bool frames = false;
    QStringList views = {}, formats = {}; ///< ids; empty: all
    QStringList titled = {};              ///< views that were given texts of their own
    bool sizeInPixels = false;            ///< of the PNG, so that other formats depend on its resolution
};

/// The first option that has no effect, with what it would need; empty: there is none.
std::optional<QString> uselessOption(const ChosenOptions& chosen);

} // namespace trainyard
