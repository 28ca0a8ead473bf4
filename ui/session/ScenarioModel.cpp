// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/ScenarioModel.h"

#include "session/ScenarioChange.h"

#include <QFileInfo>
#include <QSaveFile>

#include <numeric>

namespace trainyard {

ScenarioModel::ScenarioModel(std::shared_ptr<const Registry> registry, QObject* parent)
    : QObject(parent), m_registry(std::move(registry)) {
    connect(&m_undo, &QUndoStack::cleanChanged, this, &ScenarioModel::fileChanged);
}

std::shared_ptr<const Scenario> ScenarioModel::share() const { return std::make_shared<const Scenario>(m_scenario); }

QString ScenarioModel::displayName() const {
    if (!m_path.isEmpty()) return QFileInfo(m_path).fileName();
    return m_scenario.title.empty() ? tr("Untitled") : QString::fromStdString(m_scenario.title);
}

bool ScenarioModel::open(const QString& path, bool asCopy) {
    auto loaded = readScenario(QFileInfo(path).filesystemAbsoluteFilePath(), *m_registry);
    if (!loaded.ok()) {
        setProblems(loaded.problems());
        return false;
    }
    auto file = std::move(loaded->file);
    const QString absolute = QFileInfo(path).absoluteFilePath();
    replace(std::move(loaded->scenario), asCopy ? QString() : absolute, false);
    if (asCopy) m_copiedFrom = absolute;
    m_file = std::move(file);
    setProblems(loaded.problems());
    return true;
}

void ScenarioModel::replace(Scenario scenario, const QString& path, bool modified) {
    m_undo.clear();
    if (modified) m_undo.resetClean();
    m_scenario = std::move(scenario);
    m_saved = modified ? nullptr : share();
    m_path = path;
    m_copiedFrom.clear();
    m_file = {};
    setProblems({});
    Q_EMIT documentReplaced();
    Q_EMIT fileChanged();
}

bool ScenarioModel::reformatsOnSave() const {
    return !m_path.isEmpty() && m_saved && !m_file.text().empty() && m_file.text() != writeScenario(*m_saved);
}

bool ScenarioModel::saveAs(const QString& path) {
    const auto failed = [&](const QString& why) {
        setProblems({{.code = "cannot-write",
                      .message = {TRAINYARD_TEXT("the file could not be written: {0}"), {why.toStdString()}},
                      .file = path.toStdString()}});
        return false;
    };
    if (path.isEmpty()) return failed(tr("it has no file name yet"));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failed(file.errorString());
    const std::string text = writeScenario(m_scenario);
    file.write(text.data(), static_cast<qint64>(text.size()));
    if (!file.commit()) return failed(file.errorString());
    m_path = QFileInfo(path).absoluteFilePath();
    m_copiedFrom.clear();
    m_file = {};
    m_saved = share();
    m_undo.setClean();
    Q_EMIT fileChanged();
    return true;
}

QStringList ScenarioModel::changesToSave() const {
    if (!isModified()) return {};
    if (!m_saved) return {tr("all of it")};
    Scenario tried = *m_saved; // what of it was only tried
    tried.policies = m_scenario.policies;
    tried.seed = m_scenario.seed;
    const ScenarioParts parts = ScenarioParts::differing(m_scenario, tried);
    QStringList names;
    const auto name = [&](const auto& part, const QString& text) {
        if (part) names << text;
    };
    name(parts.cluster, tr("machines and links"));
    name(parts.jobs, tr("jobs"));
    name(parts.generators, tr("generators"));
    name(parts.faults, tr("faults"));
    name(parts.variants, tr("variants"));
    name(parts.bookmarks, tr("bookmarks"));
    name(parts.settings, tr("settings and texts"));
    return names;
}

bool ScenarioModel::validate() {
    Problems problems = validateScenario(m_scenario, *m_registry);
    for (auto& p : problems) {
        p.file = m_path.toStdString();
        if (p.line == 0) p.line = m_file.lineAt(p.pointer);
    }
    const bool runs = !hasErrors(problems);
    setProblems(std::move(problems));
    return runs;
}

int ScenarioModel::refused() const { return std::accumulate(m_refused.cbegin(), m_refused.cend(), 0); }

void ScenarioModel::setRefused(const QObject* form, int values) {
    if (m_refused.value(form) == values) return;
    m_refused[form] = values;
    Q_EMIT problemsChanged();
}

void ScenarioModel::setProblems(Problems problems) {
    if (m_problems == problems) return;
    m_problems = std::move(problems);
    Q_EMIT problemsChanged();
}

} // namespace trainyard
