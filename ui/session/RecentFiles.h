// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The files opened or saved last, newest first, remembered between starts. Used by the File menu and the start
// page.
#include <QStringList>

namespace trainyard {

QStringList recentFiles(); ///< absolute paths, at most ten; a file may be gone by now
/// What each is called beside the others: of files of one name with their folders, "default.json, second run".
QStringList recentNames(const QStringList& files);
void rememberRecentFile(const QString& path);

} // namespace trainyard
