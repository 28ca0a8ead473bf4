// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// slaq in whole runs: at every epoch workers are divided as the greedy rule divides them, from what the log tells of the jobs by then.
#include "support/SmallScenarios.h"
#include "support/TestMain.h"

#include <cmath>
#include <map>
#include <random>

using namespace trainyard;
using namespace trainyard::test;

class tst_QualityDivision : public QObject {
    Q_OBJECT
private slots:
    void everyEpochIsDividedByTheGreedyRule_data();
    void everyEpochIsDividedByTheGreedyRule();
};

namespace {

constexpr double epoch = 3;
constexpr int cpus = 8;

/// Jobs of 1 to 8 workers on one machine of 8. Times of updates are as by formula: 840 samples can be shared by all numbers of workers, and
/// there is nothing to send.
Scenario randomScenario(unsigned seed, NetworkModel network) {
    std::mt19937 random(seed);
    const auto real = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    Scenario scenario = starScenario(1);
    scenario.network = network;
    for (int j = std::uniform_int_distribution(2, 5)(random); j > 0; --j) {
        Job job{.key = "j" + std::to_string(j), .arrival = SimTime::seconds(scenario.jobs.empty() ? 0 : real(0, 12))};
        job.workers = {1, cpus};
        job.workerDemand = ResourceVector::of({1});
        job.stop.iterations = std::uniform_int_distribution(60, 500)(random);
        AnalyticWork work{.samples = 840, .parameterBytes = 0, .batch = 840, .secondsPerSample = real(0.2, 1.5) / 840};
        work.curve = {.a = real(0.5, 6), .b = real(0.02, 0.6), .c = 0.1, .p = 1};
        work.batchOf = BatchOf::job;
        work.evaluation.everyIterations = std::uniform_int_distribution(1, 3)(random);
        if (network == NetworkModel::rate)
            work.law = UpdateLaw{real(0.005, 0.05), work.secondsPerSample * 840, real(0, 0.004)};
        job.work = work;
        scenario.jobs.push_back(job);
    }
    std::stable_sort(scenario.jobs.begin(), scenario.jobs.end(),
                     [](const Job& a, const Job& b) { return a.arrival < b.arrival; });
    scenario.policies.scheduler = {
        "slaq", {{"rule", std::string("faithful")}, {"curve", std::string("true")}, {"epoch_s", epoch}}};
    return scenario;
}

/// What the log has told of a job.
struct Known {
    int workers = 0;
    bool waits = false;
    std::uint64_t update = 0;                     ///< of the last loss
    std::uint64_t applied = 0, appliedBefore = 0; ///< updates, now and when its workers changed
    double loss = 0, greatestChange = 0;          ///< of an update

    void tell(const Event& event) {
        switch (event.type) {
        case EventType::jobArrived: waits = true; break;
        case EventType::jobStarted:
        case EventType::jobResized:
            waits = false;
            workers = static_cast<int>(event.a);
            appliedBefore = applied;
            break;
        case EventType::updateApplied: ++applied; break;
        case EventType::lossEvaluated:
            if (event.count() > update)
                greatestChange =
                    std::max(greatestChange, (loss - event.value) / static_cast<double>(event.count() - update));
            update = event.count();
            loss = event.value;
            break;
        case EventType::jobFinished: workers = 0; break;
        default: break;
        }
    }
};

/// Workers one by one to the job of the greatest gain, counted from its last loss: (f(k) − f(k + T/t(a))) / max Δ, all from one on; where
/// updates under way are lost, a job without one since its last change keeps what it has, those with few workers first.
class Greedy {
public:
    Greedy(const std::vector<Job>& jobs, NetworkModel network) : m_jobs(jobs), m_network(network) {}

    std::map<std::size_t, int> divide(const std::map<std::size_t, Known>& known) const {
        std::map<std::size_t, int> out, most;
        int left = cpus - static_cast<int>(known.size());
        std::vector<std::pair<int, std::size_t>> kept;
        for (const auto& [j, k] : known) {
            out[j] = most[j] = 1;
            for (int n = 2; n <= cpus; ++n)
                if (seconds(j, n) < seconds(j, most[j])) most[j] = n;
            if (m_network == NetworkModel::flow && k.workers > 0 && k.applied == k.appliedBefore)
                kept.emplace_back(k.workers, j);
        }
        std::sort(kept.begin(), kept.end());
        for (const auto& [workers, j] : kept) {
            if (workers - 1 > left) break;
            left -= workers - 1;
            out[j] = workers;
        }
        for (; left > 0; --left) {
            std::optional<std::size_t> best;
            double gain = -1;
            for (const auto& [j, k] : known) {
                if (out[j] >= most[j]) continue;
                const double one = worth(j, k, out[j] + 1) - worth(j, k, out[j]);
                if (one > gain) gain = one, best = j;
            }
            if (!best) break;
            ++out[*best];
        }
        return out;
    }

private:
    double seconds(std::size_t j, int workers) const {
        const auto& work = std::get<AnalyticWork>(m_jobs[j].work);
        return work.law ? work.law->at(workers) : work.secondsPerSample * work.batch / workers;
    }
    double worth(std::size_t j, const Known& k, int workers) const {
        const auto& curve = std::get<AnalyticWork>(m_jobs[j].work).curve;
        const auto from = static_cast<double>(k.update);
        const double unit = std::max(k.greatestChange, curve.at(from) - curve.at(from + 1));
        return (curve.at(from) - curve.at(from + epoch / seconds(j, workers))) / unit;
    }
    const std::vector<Job>& m_jobs;
    NetworkModel m_network;
};

} // namespace

void tst_QualityDivision::everyEpochIsDividedByTheGreedyRule_data() {
    QTest::addColumn<int>("network");
    QTest::newRow("rate") << static_cast<int>(NetworkModel::rate);
    QTest::newRow("flow") << static_cast<int>(NetworkModel::flow);
}

void tst_QualityDivision::everyEpochIsDividedByTheGreedyRule() {
    QFETCH(int, network);
    int epochs = 0, changes = 0;
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const Scenario scenario = randomScenario(seed, static_cast<NetworkModel>(network));
        const auto simulation = std::move(Simulation::create(optionsFor(scenario))).value();
        while (simulation->step()) {}
        const EventLog& log = simulation->log();
        const Greedy greedy(scenario.jobs, scenario.network);
        std::map<std::size_t, Known> known;
        for (std::size_t i = 0; i < log.size();) {
            const SimTime now = log[i].time;
            bool decides = false;
            std::map<std::size_t, Known> before = known;
            for (; i < log.size() && log[i].time == now; ++i) {
                const Event& event = log[i];
                const bool changed = event.type == EventType::jobStarted || event.type == EventType::jobResized;
                decides = decides || changed || event.type == EventType::jobArrived ||
                          event.type == EventType::schedulerWoken || event.type == EventType::jobFinished;
                if (event.job == JobId::none) continue;
                known[event.job].tell(event);
                if (!changed) before[event.job].tell(event);
                changes += changed;
                if (event.type == EventType::jobFinished) known.erase(event.job), before.erase(event.job);
            }
            if (!decides || before.empty()) continue;
            ++epochs;
            for (const auto& [j, workers] : greedy.divide(before))
                QVERIFY2(known[j].workers == workers, qPrintable(QString("seed %1, %2 s, job %3: %4 workers, not %5")
                                                                     .arg(seed)
                                                                     .arg(now.toSeconds())
                                                                     .arg(j)
                                                                     .arg(known[j].workers)
                                                                     .arg(workers)));
        }
    }
    QVERIFY2(epochs > 500 && changes > 500, qPrintable(QString("%1, %2").arg(epochs).arg(changes)));
}

TRAINYARD_TEST(tst_QualityDivision)
#include "tst_QualityDivision.moc"
