// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Runs trainyard-cli as scripts do, and keeps what it answers.
#include "support/Patience.h"

#include <QProcess>
#include <nlohmann/json.hpp>

#include <string>

namespace trainyard::test {

struct CliAnswer {
    int status = -1; ///< −1: did not end by itself
    std::string out, err;
    nlohmann::json json() const { return nlohmann::json::parse(out); }
};

inline CliAnswer answerOf(QProcess& process) {
    if (!process.waitForFinished(test::patience) || process.exitStatus() != QProcess::NormalExit) return {};
    return {process.exitCode(), process.readAllStandardOutput().toStdString(),
            process.readAllStandardError().toStdString()};
}

/// `environment`: NAME=VALUE, beside what there is.
inline CliAnswer cli(const QStringList& arguments, const QStringList& environment = {}) {
    QProcess process;
    auto all = QProcessEnvironment::systemEnvironment();
    for (const auto& entry : environment)
        all.insert(entry.section(QLatin1Char('='), 0, 0), entry.section(QLatin1Char('='), 1));
    process.setProcessEnvironment(all);
    process.start(qEnvironmentVariable("TRAINYARD_CLI"), arguments);
    return answerOf(process);
}

/// $0 is the program, $1 and on are the arguments.
inline CliAnswer bash(const QString& words, const QStringList& arguments = {}) {
    QProcess process;
    process.start(QStringLiteral("/bin/bash"),
                  QStringList{QStringLiteral("-c"), words, qEnvironmentVariable("TRAINYARD_CLI")} + arguments);
    return answerOf(process);
}

} // namespace trainyard::test
