// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What was measured of the window, and how it is printed.
#include "bench/BenchFrames.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTextStream>

#include <algorithm>
#include <numeric>

namespace trainyard {

class MainWindow;

/// What was measured, in the order in which it is printed.
class BenchFigures {
public:
    void add(const QString& name, double value, const char* unit) {
        m_list.append(QJsonObject{{QStringLiteral("name"), name},
                                  {QStringLiteral("value"), value},
                                  {QStringLiteral("unit"), QLatin1String(unit)}});
    }
    /// Median and 99th percentile of the work of a frame, and its mean: some frames paint far more than others.
    void addFrames(const QString& name, const BenchWork& work) {
        add(name + QStringLiteral("_ms"), benchQuantile(work.wall, 0.5), "ms");
        add(name + QStringLiteral("_p99_ms"), benchQuantile(work.wall, 0.99), "ms");
        add(name + QStringLiteral("_cpu_ms"), benchQuantile(work.cpu, 0.5), "ms");
        add(name + QStringLiteral("_cpu_p99_ms"), benchQuantile(work.cpu, 0.99), "ms");
        add(name + QStringLiteral("_cpu_mean_ms"),
            std::reduce(work.cpu.begin(), work.cpu.end()) / std::max(1.0, static_cast<double>(work.cpu.size())), "ms");
    }
    void print(bool json) const {
        QTextStream out(stdout);
        if (json) {
            out << QJsonDocument(QJsonObject{{QStringLiteral("benchmarks"), m_list}}).toJson();
            return;
        }
        for (const auto& b : m_list)
            out << b.toObject()[QStringLiteral("name")].toString() << '\t'
                << b.toObject()[QStringLiteral("value")].toDouble() << ' '
                << b.toObject()[QStringLiteral("unit")].toString() << '\n';
    }

private:
    QJsonArray m_list;
};

/// Frames of the place Training and of the Lab while an agent is trained. False: the training ended too early.
bool measureTraining(MainWindow& window, BenchFigures& figures);

} // namespace trainyard
