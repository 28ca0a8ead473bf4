// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The window at the place Training, in a directory of its own, for tests that train there as a person does.
#include "base/WholeFile.h"
#include "run/files/AtomicFile.h"
#include "shell/Places.h"
#include "support/Patience.h"
#include "support/TestMain.h"
#include "support/TinyTraining.h"
#include "support/WindowFixture.h"
#include "training/TrainingForm.h"
#include "training/TrainingPage.h"

#include <QDir>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>

namespace trainyard::test {

struct TrainingFixture : WindowFixture {
    TrainingPage& page;

    TrainingFixture() : page(window.training()) {
        QTabBar& places = window.places();
        for (int i = 0; i < places.count(); ++i)
            if (places.tabText(i) == QStringLiteral("Training"))
                QTest::mouseClick(&places, Qt::LeftButton, {}, places.tabRect(i).center());
    }
    /// The form filled in; nothing is started.
    bool fill(const AgentPlan& plan, const char* directory) {
        if (!writeFileAtomically("plan.json", writeAgentPlan(plan)).empty()) return false;
        page.form().openConfiguration(QDir::current().filePath(QStringLiteral("plan.json")));
        page.form().setDirectory(QString::fromUtf8(directory));
        return QTest::qWaitFor([this] { return page.form().whyNot().isEmpty(); }, patience);
    }
    template <class Widget>
    Widget* find(const char* name) {
        return window.findChild<Widget*>(QLatin1String(name));
    }
    QString text(const char* label) { return find<QLabel>(label)->text(); }
    QString goText() { return find<QPushButton>("training-go")->text().remove(u'&'); }
    bool click(const char* button) {
        auto* found = find<QAbstractButton>(button);
        if (!found || !found->isEnabled() || !found->isVisible()) return false;
        QTest::mouseClick(found, Qt::LeftButton);
        return true;
    }
    bool hasEnded() {
        return QTest::qWaitFor([this] { return !page.training().isRunning(); }, patience);
    }
    bool hasDone(int iterations) {
        const auto done = [&] {
            const auto& watched = page.training().watched();
            return !page.training().isRunning() || (watched && watched->progress.iterationsDone >= iterations);
        };
        return QTest::qWaitFor(done, patience);
    }
};

/// Each test has an empty current directory.
struct OwnDirectory {
    std::unique_ptr<QTemporaryDir> directory;
    bool begin() {
        OwnSettings::clear();
        directory = std::make_unique<QTemporaryDir>();
        return QDir::setCurrent(directory->path());
    }
    void end() {
        QDir::setCurrent(QDir::rootPath());
        directory.reset();
    }
};

inline std::string contents(const std::filesystem::path& file) {
    const auto read = readWholeFile(file, 1 << 28);
    return read ? *read : std::string();
}

} // namespace trainyard::test
