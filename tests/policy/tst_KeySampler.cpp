// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Samples of each scheme against what its level promises. Error rates: statistics are normal to a good approximation and are refused
// beyond 4.5 standard deviations, 7 in a million each; seeds are fixed.
#include "policy/keys/KeySampler.h"
#include "support/TestMain.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace trainyard;
using namespace trainyard::test;

namespace {

constexpr std::uint32_t keys = 1000, offset = 50, perExample = 20;

/// Only its law matters: uniform, or by 1/rank.
class LawModel final : public KeyedModel {
public:
    explicit LawModel(double exponent) : m_exponent(exponent) {}
    std::uint32_t keys() const override { return offset + ::keys; }
    std::uint32_t valuesPerKey() const override { return 1; }
    std::vector<KeyTable> tables() const override { return {}; }
    std::vector<double> accesses() const override { return std::vector<double>(keys(), 1.0); }
    void initialise(std::uint32_t, float*) const override {}
    std::vector<std::uint32_t> share(std::uint32_t, std::uint32_t) const override { return {}; }
    std::uint32_t examples() const override { return 1; }
    void keysOf(std::uint32_t, std::vector<std::uint32_t>&) const override {}
    std::uint32_t samplesPerExample() const override { return perExample; }
    SampleLaw sampleLaw() const override {
        SampleLaw law{offset, {}};
        for (std::uint32_t k = 0; k < ::keys; ++k) law.weights.push_back(std::pow(k + 1.0, -m_exponent));
        return law;
    }
    double step(std::uint32_t, std::span<const float* const>, std::span<float* const>, double) const override {
        return 0;
    }
    std::vector<Quality> evaluate(const ReadValues&) const override { return {}; }

private:
    double m_exponent;
};

std::vector<double> lawOf(double exponent) {
    auto weights = LawModel(exponent).sampleLaw().weights;
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) w /= sum;
    return weights;
}

bool everything(std::uint32_t) { return true; }

/// Samples from 0, of `iterations` in order.
template <class IsHere>
std::vector<std::uint32_t> sequence(SamplingScheme scheme, double exponent, int iterations, IsHere isHere,
                                    int group = 250, int reuse = 16, std::uint64_t seed = 1, std::uint32_t worker = 0,
                                    double* dispersion = nullptr) {
    const LawModel model(exponent);
    const KeyedSampling wanted{.level = Conformity::nonConform, .scheme = scheme, .group = group, .reuse = reuse};
    KeySampler sampler(std::make_shared<const KeySampling>(model, wanted, true), seed, worker);
    std::vector<std::uint32_t> out, ahead;
    sampler.prepare(ahead); // one iteration ahead
    for (int n = 0; n < iterations; ++n) {
        sampler.prepare(ahead);
        sampler.pull(out, isHere);
        const std::array<std::uint32_t, 2> own{offset + static_cast<std::uint32_t>(n) % ::keys, 3};
        sampler.finish(own);
    }
    for (std::uint32_t& key : out) key -= offset;
    if (dispersion) *dispersion = sampler.dispersion();
    return out;
}

/// χ² and its degrees of freedom. Keys that are expected less than five times count as one.
std::pair<double, double> chiSquared(const std::vector<std::uint32_t>& samples, const std::vector<double>& law) {
    std::vector<double> counts(law.size());
    for (const std::uint32_t key : samples) ++counts[key];
    double sum = 0, cells = -1, rareSeen = 0, rareDue = 0;
    const auto add = [&](double seen, double due) {
        if (due <= 0) return;
        sum += (seen - due) * (seen - due) / due;
        ++cells;
    };
    for (std::size_t key = 0; key < law.size(); ++key) {
        const double due = law[key] * static_cast<double>(samples.size());
        if (due >= 5)
            add(counts[key], due);
        else
            rareSeen += counts[key], rareDue += due;
    }
    add(rareSeen, rareDue);
    return {sum, cells};
}

/// In standard deviations; `times`: the dispersion that is expected.
double deviation(std::pair<double, double> found, double times = 1) {
    return (found.first / times - found.second) / std::sqrt(2 * found.second);
}

/// Share of pairs at this distance that are equal, less what independent ones would have, in standard deviations of the latter.
double collisionsAt(const std::vector<std::uint32_t>& samples, std::size_t lag, double alike) {
    double equal = 0;
    const auto pairs = static_cast<double>(samples.size() - lag);
    for (std::size_t n = lag; n < samples.size(); ++n) equal += samples[n] == samples[n - lag];
    return (equal - alike * pairs) / std::sqrt(pairs * alike * (1 - alike));
}

constexpr double limit = 4.5;

} // namespace

class tst_KeySampler : public QObject {
    Q_OBJECT
private slots:
    void conformSchemesDrawIndependently_data();
    void conformSchemesDrawIndependently();
    void reuseIsBounded_data();
    void reuseIsBounded();
    void postponedSamplesAreAllUsed();
    void postponedFrequenciesAreThoseOfTheLaw();
    void localSamplesAreOfKeysThatAreHere();
    void repurposedSamplesAreOfRecentExamples();
    void aNaiveTestFindsReuse();
    void workersDrawFromStreamsOfTheirOwn();
    void levelsPickSchemes();
    void dispersionIsThatOfTheCounts();
};

void tst_KeySampler::conformSchemesDrawIndependently_data() {
    QTest::addColumn<int>("scheme");
    QTest::addColumn<double>("exponent");
    for (const auto scheme : {SamplingScheme::independent, SamplingScheme::preLocalized})
        for (const double exponent : {0.0, 1.0})
            QTest::addRow("scheme %d, exponent %g", int(scheme), exponent) << int(scheme) << exponent;
}

void tst_KeySampler::conformSchemesDrawIndependently() {
    QFETCH(int, scheme);
    QFETCH(double, exponent);
    const auto law = lawOf(exponent);
    double alike = 0, square = 0;
    for (const double p : law) alike += p * p;
    constexpr int seeds = 20;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const auto samples = sequence(SamplingScheme(scheme), exponent, 5000, everything, 250, 16, seed);
        QCOMPARE(samples.size(), std::size_t{100'000});
        const double off = deviation(chiSquared(samples, law));
        QVERIFY2(std::abs(off) < limit, qPrintable(QString::number(off)));
        square += off * off;
        for (const std::size_t lag : {1, 19, 250, 4000}) QVERIFY(std::abs(collisionsAt(samples, lag, alike)) < limit);
    }
    // Squares of 20 standard normal deviations: neither too far off nor too close.
    QVERIFY(square > 4 && square < 50);
}

void tst_KeySampler::reuseIsBounded_data() {
    QTest::addColumn<int>("reuse");
    for (const int reuse : {1, 4, 16, 64}) QTest::addRow("%d times", reuse) << reuse;
}

// Each sample by the law; those G·U apart independent; nearer ones are not. At most G keys in each run of G·U.
void tst_KeySampler::reuseIsBounded() {
    QFETCH(int, reuse);
    constexpr int group = 250;
    const auto law = lawOf(0);
    const auto samples = sequence(SamplingScheme::reuse, 0, 50'000, everything, group, reuse);
    const auto chi = chiSquared(samples, law);
    qInfo("χ²/(K − 1) = %.3f", chi.first / chi.second);
    QVERIFY(std::abs(deviation(chi, reuse)) < limit);
    const double alike = 1.0 / keys;
    const auto bound = static_cast<std::size_t>(group * reuse);
    // Pairs within one group count together: deviations are greater by the root of how often each is used.
    for (const std::size_t lag : {bound, bound + 1, bound + 77})
        QVERIFY(std::abs(collisionsAt(samples, lag, alike)) < limit * std::sqrt(reuse));
    if (reuse > 1) QVERIFY(collisionsAt(samples, group, alike) > 10);
    for (std::size_t from = 0; from + bound <= samples.size(); from += bound) {
        std::map<std::uint32_t, int> counts;
        for (std::size_t n = from; n < from + bound; ++n) ++counts[samples[n]];
        QVERIFY(counts.size() <= group);
        for (const auto& [key, count] : counts) QCOMPARE(count % reuse, 0);
    }
}

// What is put off is used later: nothing is drawn that is not used, but for what is still prepared.
void tst_KeySampler::postponedSamplesAreAllUsed() {
    const auto isHere = [](std::uint32_t key) { return key % 3 != 0; };
    const auto prepared = sequence(SamplingScheme::reuse, 1, 3000, everything, 50, 4),
               used = sequence(SamplingScheme::postponed, 1, 3000, isHere, 50, 4);
    QVERIFY(prepared != used);
    std::map<std::uint32_t, int> difference;
    for (const std::uint32_t key : prepared) ++difference[key];
    for (const std::uint32_t key : used) --difference[key];
    int missing = 0, early = 0;
    for (const auto& [key, count] : difference) missing += std::max(0, count), early += std::max(0, -count);
    QCOMPARE(missing, early); // as many were used before their time as were put off
    QVERIFY(missing <= 2 * int(perExample));
}

void tst_KeySampler::postponedFrequenciesAreThoseOfTheLaw() {
    const auto isHere = [](std::uint32_t key) { return key % 3 != 0; };
    const auto law = lawOf(0);
    for (const int iterations : {1000, 10'000, 100'000}) { // χ² stays about U (K − 1): χ²/n falls as 1/n
        const auto samples = sequence(SamplingScheme::postponed, 0, iterations, isHere, 100, 8);
        const double share = chiSquared(samples, law).first / static_cast<double>(samples.size());
        QVERIFY2(share < 1.3 * 8 * keys / static_cast<double>(samples.size()), qPrintable(QString::number(share)));
    }
}

void tst_KeySampler::localSamplesAreOfKeysThatAreHere() {
    const auto isHere = [](std::uint32_t key) { return key % 7 == 0; };
    const auto samples = sequence(SamplingScheme::local, 1, 5000, isHere);
    auto law = lawOf(1);
    double sum = 0;
    for (std::uint32_t key = 0; key < keys; ++key) {
        if (!isHere(key + offset)) law[key] = 0;
        sum += law[key];
    }
    for (double& p : law) p /= sum;
    for (const std::uint32_t key : samples) QVERIFY(isHere(key + offset));
    QVERIFY(std::abs(deviation(chiSquared(samples, law))) < limit); // the law among those
    QVERIFY(deviation(chiSquared(samples, lawOf(1))) > 1000);       // and not the law
    // Where nothing is here, it draws all the same.
    QCOMPARE(sequence(SamplingScheme::local, 1, 2, [](std::uint32_t) { return false; }).size(), std::size_t{40});
}

void tst_KeySampler::repurposedSamplesAreOfRecentExamples() {
    const auto samples = sequence(SamplingScheme::repurposed, 0, 500, everything);
    for (std::size_t n = perExample; n < samples.size(); ++n) {
        const auto iteration = static_cast<std::uint32_t>(n / perExample);
        QVERIFY(samples[n] < iteration && samples[n] + 65 > iteration); // key n is of example n; 3 is not of the law's
    }
}

void tst_KeySampler::aNaiveTestFindsReuse() {
    QVERIFY(deviation(chiSquared(sequence(SamplingScheme::reuse, 0, 50'000, everything), lawOf(0))) > 100);
}

void tst_KeySampler::workersDrawFromStreamsOfTheirOwn() {
    const auto of = [](std::uint64_t seed, std::uint32_t worker) {
        return sequence(SamplingScheme::independent, 0, 500, everything, 1, 1, seed, worker);
    };
    QCOMPARE(of(1, 0), of(1, 0));
    double alike = 0;
    const auto a = of(1, 0), b = of(1, 1);
    for (std::size_t n = 0; n < a.size(); ++n) alike += a[n] == b[n];
    QVERIFY(std::abs(alike - 10) < limit * std::sqrt(10.0)); // one in a thousand of 10,000
    QVERIFY(of(2, 0) != a);
}

void tst_KeySampler::levelsPickSchemes() {
    using enum SamplingScheme;
    using enum Conformity;
    const auto pick = [](Conformity level, bool relocates) { return schemeOf({.level = level}, relocates); };
    QCOMPARE(pick(conform, false), independent);
    QCOMPARE(pick(conform, true), preLocalized);
    QCOMPARE(pick(bounded, true), reuse);
    QCOMPARE(pick(longTerm, true), postponed);
    QCOMPARE(pick(nonConform, true), local);
    for (const auto level : {conform, bounded, longTerm, nonConform})
        for (const bool relocates : {false, true}) QVERIFY(conformityOf(pick(level, relocates)) <= level);
    QCOMPARE(schemeOf({.level = conform, .scheme = local}, true), local);
}

void tst_KeySampler::dispersionIsThatOfTheCounts() {
    using S = SamplingScheme;
    const auto even = [](std::uint32_t key) { return key % 2 == 0; };
    for (const double exponent : {0.0, 0.8})
        for (const S scheme : {S::independent, S::preLocalized, S::reuse, S::postponed, S::local, S::repurposed}) {
            double told = 0;
            const auto samples = sequence(scheme, exponent, 5000, even, 250, 16, 3, 1, &told);
            const auto law = lawOf(exponent);
            std::vector<double> counts(law.size());
            for (const std::uint32_t key : samples) ++counts[key];
            double sum = 0;
            for (std::size_t key = 0; key < law.size(); ++key) {
                const double due = law[key] * static_cast<double>(samples.size());
                sum += (counts[key] - due) * (counts[key] - due) / due;
            }
            const double df = static_cast<double>(law.size()) - 1, expected = sum / df;
            QVERIFY2(std::abs(told / expected - 1) < 1e-4, // probabilities are float32
                     qPrintable(QStringLiteral("%1, not %2").arg(told).arg(expected)));
            if (scheme == S::independent || scheme == S::preLocalized)
                QVERIFY(std::abs(told - 1) < limit * std::sqrt(2 / df));
            if (scheme == S::reuse) QVERIFY(std::abs(told / 16 - 1) < limit * std::sqrt(2 / df));
            if (scheme == S::local || (scheme == S::repurposed && exponent > 0)) QVERIFY(told > 16); // biased
        }
}

TRAINYARD_TEST(tst_KeySampler)
#include "tst_KeySampler.moc"
