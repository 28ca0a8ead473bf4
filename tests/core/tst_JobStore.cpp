// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A job's parameters while keys move: what is between two nodes is neither lost nor stale.
#include "engine/JobStore.h"
#include "learning/Model.h"
#include "support/TestMain.h"

using namespace trainyard;

class tst_JobStore : public QObject {
    Q_OBJECT
private slots:
    void updatesReachKeysOnTheirWay();
    void takenValueIsParametersAndState();
    void analyticJobsHaveNoNumbers();
    void messagesAreCutByKey();
};

namespace {

constexpr std::uint32_t parameters = 7, keys = 3;

std::shared_ptr<const Optimizer> adam() { return makeOptimizer({"adam", {{"learning_rate", 0.1}}}).value(); }

JobStore storeOf(const Optimizer& optimizer) {
    auto layout = std::make_shared<const StoreLayout>(makeLayout(parameters, keys, 2, 1, 8));
    JobSnapshot start;
    for (std::uint32_t i = 0; i < parameters; ++i) start.parameters.push_back(i);
    start.optimizerState.assign(parameters * optimizer.stateSize(), 0.0);
    JobStore store(layout, start);
    for (const Key key : store.keys()) store.place(key, 2);
    return store;
}

std::vector<double> gradient(double scale) {
    std::vector<double> out;
    for (std::uint32_t i = 0; i < parameters; ++i) out.push_back(scale * (i + 1.0));
    return out;
}

} // namespace

void tst_JobStore::updatesReachKeysOnTheirWay() {
    const auto optimizer = adam();
    JobStore stays = storeOf(*optimizer), moves = storeOf(*optimizer);
    for (std::uint64_t update = 1; update <= 4; ++update) {
        if (update == 2) moves.take(1);
        for (JobStore* store : {&stays, &moves}) store->apply(gradient(update % 2 ? 1 : -0.5), *optimizer, update);
        // On its way, too, the key is in what the coordinator sees and in snapshots, with its state.
        QCOMPARE(moves.parameters(), stays.parameters());
        QCOMPARE(moves.optimizerState(), stays.optimizerState());
        QCOMPARE(moves.home(1), update == 1 ? NodeIndex{2} : update == 4 ? NodeIndex{0} : NodeIndex{JobStore::nowhere});
        if (update == 3) moves.place(1, 0);
    }
}

void tst_JobStore::takenValueIsParametersAndState() {
    const auto optimizer = adam();
    JobStore store = storeOf(*optimizer);
    store.apply(gradient(1), *optimizer, 1);
    const auto value = store.take(2);
    const std::size_t length = store.layout().length(2), begin = store.layout().keyStart[2];
    QCOMPARE(value.size(), length * (1 + optimizer->stateSize()));
    for (std::size_t i = 0; i < length; ++i) QCOMPARE(value[i], store.parameters()[begin + i]);
    for (std::size_t i = length; i < value.size(); ++i)
        QCOMPARE(value[i], store.optimizerState()[begin * optimizer->stateSize() + i - length]);
}

void tst_JobStore::analyticJobsHaveNoNumbers() {
    JobStore store(std::make_shared<const StoreLayout>(makeLayout(parameters, keys, 2, 1, 8)), {});
    QVERIFY(store.parameters(1).empty());
    QVERIFY(store.take(1).empty());
    QVERIFY(store.home(1) == JobStore::nowhere);
}

// Every number goes with one key, as many as messageLength() says, and comes back to its place. Of a gradient and a curvature, a key has its
// own parameters' numbers.
void tst_JobStore::messagesAreCutByKey() {
    for (const std::uint32_t size : {1u, 3u, 7u, 10u, 14u, 23u}) {
        const StoreLayout layout = makeLayout(parameters, keys, 2, 1, 8, size);
        std::vector<double> message(size), back(size, -1);
        for (std::uint32_t i = 0; i < size; ++i) message[i] = i;
        for (Key key = 0; key < keys; ++key) {
            std::vector<double> part;
            appendKeyMessage(layout, key, message, part);
            QCOMPARE(part.size(), std::size_t{layout.messageLength(key)});
            if (size == 14)
                for (std::uint32_t i = 0; i < layout.length(key); ++i) {
                    QCOMPARE(part[i], double(layout.keyStart[key] + i));
                    QCOMPARE(part[layout.length(key) + i], double(parameters + layout.keyStart[key] + i));
                }
            QCOMPARE(placeKeyMessage(layout, key, part, back), part.size());
        }
        QCOMPARE(back, message);
    }
}

TRAINYARD_TEST(tst_JobStore)
#include "tst_JobStore.moc"
