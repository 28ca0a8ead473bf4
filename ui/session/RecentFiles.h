#pragma once
// The files opened or saved last, newest first, remembered between starts. Used by the File menu and the start
// page.
#include <QStringList>

namespace trainyard {

QStringList recentFiles(); ///< absolute paths, at most ten; a file may be gone by now
void rememberRecentFile(const QString& path);

} // namespace trainyard
