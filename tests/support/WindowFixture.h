// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A main window with a workspace of its own and settings that nobody else sees, for tests that act as a person.
#include "shell/MainWindow.h"
#include "shell/ThemeChoice.h"

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

namespace trainyard::test {

inline QString starter(const char* name = "one-slow-worker") {
    return QStringLiteral(TRAINYARD_SOURCE_DIR "/scenarios/start/%1.json").arg(QLatin1String(name));
}

/// To be kept by the test class, and cleared before each test.
struct OwnSettings {
    QTemporaryDir directory;
    explicit OwnSettings(const char* name) {
        QCoreApplication::setOrganizationName(QStringLiteral("TrainyardTests"));
        QCoreApplication::setApplicationName(QLatin1String(name));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, directory.path());
    }
    static void clear() { QSettings().clear(); }
};

struct WindowFixture {
    ThemeChoice theme;
    Workspace workspace;
    MainWindow window;

    explicit WindowFixture(const QString& journal = {})
        : workspace(std::make_shared<const Registry>(Registry::builtin()),
                    ResourcePaths::find(QCoreApplication::applicationFilePath().toStdString()), journal),
          window(workspace, theme) {
        window.resize(1280, 800);
        window.show();
    }
    bool ended() {
        const auto frame = workspace.runs().latestFrame();
        return frame && (frame->status == RunStatus::finished || frame->status == RunStatus::failed);
    }
    /// Simulated seconds that the run has come to.
    double head() {
        const auto frame = workspace.runs().latestFrame();
        return frame ? frame->now.toSeconds() : 0;
    }
};

} // namespace trainyard::test
