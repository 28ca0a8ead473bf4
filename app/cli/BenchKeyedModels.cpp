// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What keyed models are made of: draws from alias tables, a step of a model against its bare arithmetic, and the import of triples.
#include "Bench.h"
#include "base/Memory.h"
#include "learning/keyed/ComplexEmbeddings.h"
#include "run/files/StreamedFile.h"
#include "run/import/Importer.h"

#include <benchmark/benchmark.h>
#include <malloc.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace trainyard::cli {

namespace bench_keyed_models {

double wallSeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds of a call, the best of five rounds of so many.
template <class Call>
double bestSeconds(int calls, Call call) {
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 5; ++round) {
        const double begin = wallSeconds();
        for (int i = 0; i < calls; ++i) call(i);
        best = std::min(best, (wallSeconds() - begin) / calls);
    }
    return best;
}

/// A draw of a table whose weights are n^-1.1 in a random order, its random bits being there.
double aliasSeconds(std::uint32_t entries) {
    RandomStream random(1, Purpose::test);
    std::vector<double> weights(entries);
    for (std::uint32_t n = 0; n < entries; ++n) weights[n] = std::pow(n + 1.0, -1.1);
    for (std::size_t i = entries; i > 1; --i) std::swap(weights[i - 1], weights[random.below(i)]);
    const AliasTable table(weights);
    weights = {};
    std::vector<std::uint64_t> bits(1 << 21);
    for (std::uint64_t& of : bits) of = random.bits();
    std::uint64_t sum = 0;
    const double seconds = bestSeconds(1, [&](int) {
        for (const std::uint64_t of : bits) sum += table.at(of);
    });
    benchmark::DoNotOptimize(sum);
    return seconds / static_cast<double>(bits.size());
}

constexpr std::uint32_t dimension = 100, numbers = 2 * dimension, negatives = 100, stepKeys = 3 + negatives;
constexpr float rate = 0.1f, penalty = 1e-6f;

/// Keys of a step in one piece of memory: values, sums of squares; and as much for what is added.
struct StepMemory {
    StepMemory() : values(stepKeys * 2 * numbers), deltas(values.size()) {
        RandomStream random(2, Purpose::test);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>(i / numbers % 2 == 0 ? 0.1 * random.normal() : random.unit());
        for (std::size_t k = 0; k < stepKeys; ++k) {
            read.push_back(&values[k * 2 * numbers]);
            written.push_back(&deltas[k * 2 * numbers]);
        }
    }
    std::vector<float> values, deltas;
    std::vector<const float*> read;
    std::vector<float*> written;
};

/// The arithmetic of a step and nothing else: of each negative a product, the gradients of query and key, and AdaGrad; of the fact the
/// same, with two queries. No interface, no allocation, all sizes known.
double bareStep(StepMemory& memory) {
    float object[numbers], subject[numbers], ofObject[numbers] = {}, ofSubject[numbers] = {};
    const float *s = memory.read[0], *r = memory.read[1], *o = memory.read[2];
    for (std::uint32_t k = 0, i = dimension; k < dimension; ++k, ++i) {
        object[k] = s[k] * r[k] - s[i] * r[i];
        object[i] = s[k] * r[i] + s[i] * r[k];
        subject[k] = r[k] * o[k] + r[i] * o[i];
        subject[i] = r[k] * o[i] - r[i] * o[k];
    }
    const auto product = [](const float* a, const float* b) {
        using Four [[gnu::vector_size(16)]] = float;
        Four sums[2] = {};
        for (std::uint32_t k = 0; k < numbers; k += 8)
            for (std::uint32_t half = 0; half < 2; ++half) {
                Four left, right;
                std::memcpy(&left, a + k + 4 * half, sizeof left);
                std::memcpy(&right, b + k + 4 * half, sizeof right);
                sums[half] += left * right;
            }
        const Four both = sums[0] + sums[1];
        return (both[0] + both[1]) + (both[2] + both[3]);
    };
    const auto adagrad = [](const float* values, const float* gradient, float* delta) {
        for (std::uint32_t k = 0; k < numbers; ++k) {
            const float g = gradient[k] + penalty * values[k], squared = g * g;
            delta[numbers + k] = squared;
            delta[k] = -rate * g / std::sqrt(values[numbers + k] + squared + 1e-10f);
        }
    };
    double loss = 0;
    const auto logistic = [&](double x) {
        loss += std::log1p(std::exp(x));
        return static_cast<float>(1 / (1 + std::exp(-x)));
    };
    float gs[numbers], gr[numbers], go[numbers], pushed[numbers];
    const float pull = -logistic(-double{product(object, o)});
    for (std::uint32_t k = 0; k < numbers; ++k) {
        go[k] = pull * object[k];
        ofObject[k] += pull * o[k];
    }
    for (std::uint32_t n = 0; n < negatives; ++n) {
        const float *query = n < negatives / 2 ? object : subject, *drawn = memory.read[3 + n];
        float* ofQuery = n < negatives / 2 ? ofObject : ofSubject;
        const float push = logistic(double{product(query, drawn)});
        for (std::uint32_t k = 0; k < numbers; ++k) {
            pushed[k] = push * query[k];
            ofQuery[k] += push * drawn[k];
        }
        adagrad(drawn, pushed, memory.written[3 + n]);
    }
    for (std::uint32_t k = 0, i = dimension; k < dimension; ++k, ++i) {
        gs[k] = r[k] * ofObject[k] + r[i] * ofObject[i];
        gs[i] = r[k] * ofObject[i] - r[i] * ofObject[k];
        gr[k] = s[k] * ofObject[k] + s[i] * ofObject[i] + o[k] * ofSubject[k] + o[i] * ofSubject[i];
        gr[i] = s[k] * ofObject[i] - s[i] * ofObject[k] + o[i] * ofSubject[k] - o[k] * ofSubject[i];
        go[k] += r[k] * ofSubject[k] - r[i] * ofSubject[i];
        go[i] += r[i] * ofSubject[k] + r[k] * ofSubject[i];
    }
    adagrad(s, gs, memory.written[0]);
    adagrad(r, gr, memory.written[1]);
    adagrad(o, go, memory.written[2]);
    return loss;
}

constexpr int stepsOfRound = 2000;

double bareStepSeconds() {
    StepMemory memory;
    double sum = 0;
    const double seconds = bestSeconds(stepsOfRound, [&](int) {
        sum += bareStep(memory);
        benchmark::ClobberMemory();
    });
    benchmark::DoNotOptimize(sum);
    return seconds;
}

double complexStepSeconds() {
    auto facts = std::make_shared<Triples>();
    facts->entities = 3;
    facts->relations = 1;
    facts->train = {{0, 0, 1}};
    const auto model =
        makeComplexModel(facts, {.dimension = dimension, .negatives = negatives / 2, .rate = rate, .penalty = penalty});
    StepMemory memory, bare;
    double sum = 0;
    const double seconds = bestSeconds(stepsOfRound, [&](int) {
        sum += model->step(0, memory.read, memory.written, 0);
        benchmark::ClobberMemory();
    });
    benchmark::DoNotOptimize(sum);
    bareStep(bare);
    for (std::size_t i = 0; i < bare.deltas.size(); ++i)
        if (!(std::abs(bare.deltas[i] - memory.deltas[i]) < 1e-4f))
            throw std::runtime_error("the step is not its arithmetic");
    return seconds;
}

/// A directory that goes with its files.
struct TemporaryDirectory {
    TemporaryDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "trainyard-bench-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("no directory for temporary files");
        path = name;
    }
    ~TemporaryDirectory() {
        std::error_code none;
        std::filesystem::remove_all(path, none);
    }
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    std::filesystem::path path;
};

/// A million facts about 200,000 entities that a power law draws, in names of 15 bytes.
void writeMillion(const std::filesystem::path& file) {
    constexpr std::uint32_t entities = 200'000, relations = 500, facts = 1'000'000;
    const auto law = [](std::uint32_t count) {
        std::vector<double> weights(count);
        for (std::uint32_t n = 0; n < count; ++n) weights[n] = std::pow(n + 1.0, -0.8);
        return AliasTable(weights);
    };
    const AliasTable entity = law(entities), relation = law(relations);
    RandomStream random(3, Purpose::test);
    std::ofstream out(file);
    for (std::uint32_t n = 0; n < facts; ++n)
        out << "/entity/" << 1'000'000 + entity.draw(random) << "\t/relation/" << relation.draw(random) << "\t/entity/"
            << 1'000'000 + entity.draw(random) << '\n';
    if (!out.flush()) throw std::runtime_error("the facts could not be written");
}

/// The greatest resident memory of the process since this was last reset, in bytes.
double greatestResident() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (double kilobytes = 0; word == "VmHWM:" && status >> kilobytes) return 1024 * kilobytes;
    return std::numeric_limits<double>::quiet_NaN();
}

/// From the file with lines to the file with data on the disk.
void importMillion(benchmark::State& state) {
    for (auto _ : state) try {
            const TemporaryDirectory directory;
            const auto from = directory.path / "facts.txt", to = directory.path / "facts.keyed";
            writeMillion(from);
            malloc_trim(0);
            const double before = memoryInUse().resident;
            std::ofstream("/proc/self/clear_refs") << 5; // VmHWM begins anew
            const double begin = wallSeconds();
            const auto data = findImporter("triples")->read(
                {.file = from, .shown = from.string(), .scratch = scratchDirectoryFor(to)});
            if (!data) throw std::runtime_error(data.problems().front().text());
            const Problems problems = streamFile(to, [&](const ByteSink& sink) {
                KeyedDataWriter writer(data->header, sink);
                Problems out = data->write(writer);
                if (out.empty()) writer.finish();
                return out;
            });
            if (!problems.empty()) throw std::runtime_error(problems.front().text());
            state.counters["nups_import_1m_triples_s"] = wallSeconds() - begin;
            state.counters["nups_import_1m_triples_bytes"] = greatestResident() - before;
        } catch (const std::exception& error) { state.SkipWithError(error.what()); }
}

} // namespace bench_keyed_models

void addKeyedModelBenchmarks(Measures& measures) {
    using namespace bench_keyed_models;
    addCase(measures, "nups_alias_1e5_s", "s",
            "a draw from an alias table of 100,000 entries, one after another, apart from the random generator",
            [] { return aliasSeconds(100'000); });
    addCase(measures, "nups_alias_1e7_s", "s", "the same of 10 million entries",
            [] { return aliasSeconds(10'000'000); });
    addCase(measures, "nups_complex_step_s", "s",
            "a step of ComplEx with 100 negatives of 100 complex numbers, keys in the cache",
            [] { return complexStepSeconds(); });
    addCase(measures, "nups_complex_arithmetic_s", "s",
            "the arithmetic of such a step alone, in one loop over an array", [] { return bareStepSeconds(); });
    measures.push_back({"nups_complex_step_ratio", "1", "a step over its arithmetic", [](const MeasuredValues& values) {
                            const auto step = values.find("nups_complex_step_s"),
                                       bare = values.find("nups_complex_arithmetic_s");
                            return step == values.end() || bare == values.end() ? 0 : step->second / bare->second;
                        }});
    measures.push_back({"nups_import_1m_triples_s", "s",
                        "a file of 1 million facts about 200,000 entities imported, split and on the disk"});
    measures.push_back({"nups_import_1m_triples_bytes", "bytes", "resident memory that this takes at most"});
    benchmark::RegisterBenchmark("nups_import_1m_triples", importMillion)->Iterations(1);
}

} // namespace trainyard::cli
