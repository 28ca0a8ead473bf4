// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Names that are proposed for files, made from titles.
#include <QString>

namespace trainyard {

/// "SLAQ - cores" of "SLAQ: cores": without characters that a file system of another machine does not allow.
QString portableName(QString title);
/// A file of that name, with its ending, in the user's documents.
QString proposedFile(const QString& name);

} // namespace trainyard
