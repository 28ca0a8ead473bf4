// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/SessionRestore.h"

#include <QFileInfo>
#include <QSettings>

namespace trainyard {

namespace session_restore {
constexpr int version = 1;
QString key(const char* name) { return QStringLiteral("session/") + QLatin1String(name); }
/// Kept by this Trainyard or an older one.
bool isOurs(const QSettings& settings) { return settings.value(key("version"), version).toInt() <= version; }
} // namespace session_restore

LeftOff whereLeftOff() {
    const QSettings settings;
    if (!session_restore::isOurs(settings)) return {};
    LeftOff left{settings.value(session_restore::key("file")).toString(),
                 settings.value(session_restore::key("zoom")).toDouble()};
    if (!QFileInfo::exists(left.file)) return {};
    return left;
}

void rememberLeftOff(const LeftOff& now) {
    QSettings settings;
    if (!session_restore::isOurs(settings)) return;
    settings.setValue(session_restore::key("version"), session_restore::version);
    settings.setValue(session_restore::key("file"), now.file);
    settings.setValue(session_restore::key("zoom"), now.zoom);
}

} // namespace trainyard
