// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Templates.h"

#include "model/Topologies.h"
#include "run/RunSession.h"

#include <QCoreApplication>

#include <filesystem>

namespace trainyard {

namespace templates {

/// A softmax classifier on the digits: real, and done in a few seconds.
Job digits(const char* key, const QString& name, int workers) {
    Job job{.key = key, .name = name.toStdString()};
    job.workerDemand = ResourceVector::of({4, 1, 8});
    job.serverDemand = ResourceVector::of({2, 0, 4});
    job.workers = {workers, workers};
    job.stop.iterations = 200;
    TrainedWork work{.model = {"softmax", {}}, .dataset = {"digits", {}}, .optimizer = {"sgd", {}}};
    work.optimizer.parameters["learning_rate"] = 0.5;
    work.secondsPerSample = 6.25e-4;
    work.evaluation.everyIterations = 5;
    job.work = work;
    return job;
}

Scenario star() {
    Scenario s;
    s.title = QCoreApplication::translate("Templates", "Star of 4").toStdString();
    s.cluster = starCluster(4);
    s.jobs.push_back(digits("digits", QCoreApplication::translate("Templates", "Digits"), 3));
    return s;
}

Scenario twoRacks() {
    Scenario s;
    s.title = QCoreApplication::translate("Templates", "Two racks").toStdString();
    s.cluster = treeCluster(2, 4, 0.5);
    s.jobs.push_back(digits("first", QCoreApplication::translate("Templates", "First"), 6));
    Job second = digits("second", QCoreApplication::translate("Templates", "Second"), 4);
    second.arrival = SimTime::seconds(2);
    s.jobs.push_back(second);
    return s;
}

} // namespace templates

bool isShippedScenario(const QString& path, const ResourcePaths& resources) {
    std::error_code ignored;
    const auto file = std::filesystem::weakly_canonical(path.toStdString(), ignored);
    const auto folder = std::filesystem::weakly_canonical(resources.root / ".." / "scenarios", ignored);
    for (const char* collection : {"start", "papers"}) {
        const auto within = file.lexically_relative(folder / collection);
        if (!within.empty() && *within.begin() != "..") return true;
    }
    return false;
}

std::vector<Template> documentTemplates() {
    Scenario empty;
    empty.cluster.resourceNames = {"cpu", "gpu", "memory_gb"};
    return {{QStringLiteral("empty"), QCoreApplication::translate("Templates", "Empty"),
             QCoreApplication::translate("Templates", "Empty: draw your own"), std::move(empty)},
            {QStringLiteral("star"), QCoreApplication::translate("Templates", "Star of 4"),
             QCoreApplication::translate("Templates", "Four machines around one switch, one job"), templates::star()},
            {QStringLiteral("two-racks"), QCoreApplication::translate("Templates", "Two racks"),
             QCoreApplication::translate("Templates", "Four machines in each, two jobs that compete"),
             templates::twoRacks()}};
}

} // namespace trainyard
