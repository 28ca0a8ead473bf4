// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How far above the least loss training ends where shards count unequally: closed forms of least squares
// whose groups have the optima ±D, by the normal equations and by descent.
#include "learning/ShardRisk.h"
#include "learning/TrainingProblem.h"
#include "learning/data/StoredDataSet.h"
#include "support/TestMain.h"

#include <cmath>

using namespace trainyard;

class tst_ShardRisk : public QObject {
    Q_OBJECT
private slots:
    void twoGroupsHaveTheirClosedForm_data();
    void twoGroupsHaveTheirClosedForm();
    void whoNeverComesCountsForNothing();
    void interceptsLean();
    void undeterminedParametersDoNoHarm();
    void descentComesToTheSame();
    void softmaxSettles();
    void whatIsNotKnown();
};

namespace shard_risk_test {

constexpr double dx = 3, dy = -4; ///< D; |D|² = 25

/// Two rows a shard, (√2, 0) and (0, √2), so that the mean of xxᵀ is the identity; targets ⟨x, ±D⟩, so that
/// F_i(w) is ½|w ∓ D|².
struct TwoGroups {
    std::shared_ptr<const DataSet> data;
    std::vector<std::vector<std::uint32_t>> rows;
    std::vector<Shard> shards;

    TwoGroups(std::size_t plus, std::size_t minus) {
        Batch all{.rows = 0, .features = 2};
        for (std::size_t i = 0; i < plus + minus; ++i) {
            const double sign = i < plus ? 1 : -1, r = std::sqrt(2.0);
            all.x.insert(all.x.end(), {r, 0, 0, r});
            all.y.insert(all.y.end(), {sign * r * dx, sign * r * dy});
            rows.push_back({static_cast<std::uint32_t>(2 * i), static_cast<std::uint32_t>(2 * i + 1)});
        }
        all.rows = all.y.size();
        data = std::make_shared<const StoredDataSet>(std::move(all), 0);
        for (const auto& r : rows) shards.emplace_back(r);
    }
    std::optional<ShardRisk> risk(const Choice& model, std::span<const double> shares) const {
        const auto made = makeModel(model, *data).value();
        return shardRisk(*made, *data, shards, shares, std::vector<double>(made->parameterCount()));
    }
};

/// The first group counts f, the second 1 − f.
std::vector<double> sharesOf(std::size_t plus, std::size_t minus, double f) {
    std::vector<double> out(plus, f / static_cast<double>(plus));
    out.insert(out.end(), minus, (1 - f) / static_cast<double>(minus));
    return out;
}

} // namespace shard_risk_test

using namespace shard_risk_test;

void tst_ShardRisk::twoGroupsHaveTheirClosedForm_data() {
    QTest::addColumn<double>("fast");
    for (const double f : {0.667, 0.651, 0.619, 0.566, 0.5, 1.0, 0.25}) QTest::addRow("%g", f) << f;
}

// w_π = (2f − 1) D, w* = 0, F(w) = ½|w|² + ½|D|²: the excess is (2f − 1)²·|D|²/2.
void tst_ShardRisk::twoGroupsHaveTheirClosedForm() {
    QFETCH(double, fast);
    const TwoGroups groups(25, 25);
    auto shares = sharesOf(25, 25, fast);
    for (double& share : shares) share *= 1e4; // counts
    const auto risk = groups.risk({"linear-regression", {}}, shares);
    QVERIFY(risk && risk->exact && risk->settled);
    QVERIFY(std::abs(risk->excess - (2 * fast - 1) * (2 * fast - 1) * 12.5) < 1e-12);
    QVERIFY(std::abs(risk->least - 12.5) < 1e-12);
}

void tst_ShardRisk::whoNeverComesCountsForNothing() {
    const TwoGroups groups(2, 1); // F = (2·½|w − D|² + ½|w + D|²)/3: w* = D/3, F(D) − F(w*) = ½|⅔D|²
    const auto risk = groups.risk({"linear-regression", {}}, std::vector<double>{5, 5, 0});
    QVERIFY(std::abs(risk->excess - 0.5 * 4 / 9 * 25) < 1e-12);
}

// One feature that is 1 in half of the rows and −1 in the others, targets c in one shard and −c in the other:
// slope 0, intercepts ±c, so that a share f of the first gives (2f − 1)²c²/2.
void tst_ShardRisk::interceptsLean() {
    Batch all{.rows = 4, .features = 1, .x = {1, -1, 1, -1}, .y = {2, 2, -2, -2}};
    const StoredDataSet data(std::move(all), 0);
    const auto model = makeModel({"linear-regression", {{"intercept", true}}}, data).value();
    const std::vector<std::uint32_t> a{0, 1}, b{2, 3};
    const std::vector<Shard> shards{a, b};
    const auto risk = shardRisk(*model, data, shards, std::vector<double>{0.8, 0.2}, std::vector<double>(2));
    QVERIFY(std::abs(risk->excess - 0.36 * 4 / 2) < 1e-12);
    QVERIFY(std::abs(risk->least - 2) < 1e-12);
}

// A feature that is always 0 has no optimum of its own.
void tst_ShardRisk::undeterminedParametersDoNoHarm() {
    Batch all{.rows = 2, .features = 2, .x = {1, 0, 1, 0}, .y = {1, -1}};
    const StoredDataSet data(std::move(all), 0);
    const auto model = makeModel({"linear-regression", {}}, data).value();
    const std::vector<std::uint32_t> a{0}, b{1};
    const std::vector<Shard> shards{a, b};
    const auto risk = shardRisk(*model, data, shards, std::vector<double>{3, 1}, std::vector<double>(2));
    QVERIFY(std::abs(risk->excess - 0.25 / 2) < 1e-12);
}

// Ridge goes by descent. F_i = ½|w ∓ D|² + ½λ|w|²: w_π = (2f − 1) D/(1 + λ), excess (2f − 1)²|D|²/(2(1 + λ)).
void tst_ShardRisk::descentComesToTheSame() {
    const TwoGroups groups(3, 3);
    for (const double f : {0.5, 0.6, 0.9}) {
        const auto risk = groups.risk({"ridge", {{"regularisation", 0.25}}}, sharesOf(3, 3, f));
        QVERIFY(risk && !risk->exact && risk->settled);
        QVERIFY2(std::abs(risk->excess - (2 * f - 1) * (2 * f - 1) * 25 / 2.5) < 1e-8,
                 qPrintable(QString::number(risk->excess, 'g', 12)));
    }
}

// Digits sorted into ten shares, nearly a digit each. Where all count the same there is nothing to lean
// towards; where the last four count a fifth as much, the loss ends higher, and more so if they hardly count.
void tst_ShardRisk::softmaxSettles() {
    TrainedWork work;
    work.model = {"softmax", {{"regularisation", 0.05}}};
    work.dataset = {"digits", {}};
    work.optimizer = {"sgd", {}};
    work.shards = Shards::sorted;
    const auto problem = TrainingProblem::make(work, 1, JobId(0u), {TRAINYARD_SOURCE_DIR "/resources"}).value();
    std::vector<Shard> shards;
    for (std::uint32_t w = 0; w < 10; ++w) shards.push_back(problem->share(w, 10));
    const auto of = [&](double slow) {
        std::vector<double> shares(10, 1.0);
        std::fill(shares.begin() + 6, shares.end(), slow);
        return shardRisk(problem->model(), problem->data(), shards, shares, problem->initialParameters()).value();
    };
    const ShardRisk equal = of(1), fifth = of(0.2), hardly = of(0.02);
    QVERIFY(equal.settled && fifth.settled && hardly.settled);
    QVERIFY(equal.excess < 1e-8);
    QVERIFY(fifth.excess > 0.01 && hardly.excess > 2 * fifth.excess);
    QVERIFY(std::abs(fifth.least - equal.least) < 1e-9);
}

void tst_ShardRisk::whatIsNotKnown() {
    const TwoGroups groups(1, 1);
    const auto model = makeModel({"linear-regression", {}}, *groups.data).value();
    std::stop_source stopped;
    stopped.request_stop();
    const std::vector<double> shares{2, 1};
    QVERIFY(!shardRisk(*model, *groups.data, groups.shards, shares, std::vector<double>(2), stopped.get_token()));
    QVERIFY(!groups.risk({"linear-regression", {}}, std::vector<double>{0, 0}));
    const auto ridge = makeModel({"ridge", {}}, *groups.data).value();
    QVERIFY(!shardRisk(*ridge, *groups.data, groups.shards, shares, std::vector<double>(2), stopped.get_token()));
    const auto clusters = loadDataSet({"synthetic-clusters", {{"rows", std::int64_t{20}}}}, 1, {}).value();
    const auto means = makeModel({"k-means", {}}, *clusters).value();
    QVERIFY(!shardRisk(*means, *clusters, groups.shards, shares, std::vector<double>(means->parameterCount())));
}

TRAINYARD_TEST(tst_ShardRisk)
#include "tst_ShardRisk.moc"
