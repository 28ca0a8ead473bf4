// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "learning/keyed/Corpus.h"

#include "base/Random.h"
#include "base/Stopped.h"
#include "learning/keyed/AliasTable.h"
#include "learning/keyed/WordSplitter.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace trainyard {

Corpus plantCorpus(const PlantedCorpus& shape, std::uint64_t seed, const std::stop_token& stop) {
    RandomStream random(seed, Purpose::dataset, 0, 2);
    Corpus out{.words = shape.topics * shape.stems * shape.forms};
    std::vector<double> weights(shape.stems);
    for (std::uint32_t s = 0; s < shape.stems; ++s) weights[s] = std::pow(s + 1.0, -shape.exponent);
    const AliasTable stems(weights);
    const auto wordOf = [&](std::uint32_t topic, std::uint32_t stem, std::uint32_t form) {
        return (topic * shape.stems + stem) * shape.forms + form;
    };
    for (std::uint32_t w = 0; w < out.words; ++w) out.topics.push_back(w / shape.forms / shape.stems);
    for (std::uint32_t n = 0; n < shape.sentences; ++n) {
        throwIfStopped(stop);
        out.sentences.push_back(out.text.size());
        const auto drawn = [&] { return static_cast<std::uint32_t>(random.below(shape.topics)); };
        const std::uint32_t topic = drawn(), stem = stems.draw(random);
        const auto form = static_cast<std::uint32_t>(random.below(shape.forms));
        for (std::uint32_t i = 0; i < shape.length; ++i) {
            const double which = random.unit();
            const auto anyForm = static_cast<std::uint32_t>(random.below(shape.forms));
            if (which < (1 - shape.noise) / 2) {
                const auto next = static_cast<std::uint32_t>(random.below(3)); // before, same, after; in a circle
                out.text.push_back(wordOf(topic, (stem + shape.stems + next - 1) % shape.stems, anyForm));
            } else {
                const std::uint32_t other = drawn();
                out.text.push_back(wordOf(other, stems.draw(random), which < 1 - shape.noise ? form : anyForm));
            }
        }
    }
    out.sentences.push_back(out.text.size());
    // Of frequent stems of unlike topics, in the first two forms.
    for (std::uint32_t t = 0; shape.forms > 1 && t + 1 < shape.topics; ++t)
        for (std::uint32_t s = 0; s < std::min(shape.stems, 4u); ++s)
            out.analogies.push_back({wordOf(t, s, 0), wordOf(t, s, 1), wordOf(t + 1, s, 0), wordOf(t + 1, s, 1)});
    return out;
}

ReadCorpus readCorpus(std::string_view text, std::uint32_t least) {
    std::unordered_map<std::string, std::uint64_t> counts;
    WordSplitter::split(
        text, [&](const std::string& word) { ++counts[word]; }, [] {});
    std::vector<std::pair<std::uint64_t, std::string>> kept;
    for (const auto& [word, count] : counts)
        if (count >= least) kept.emplace_back(count, word);
    std::ranges::sort(kept, [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    ReadCorpus out;
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (const auto& [count, word] : kept) {
        numbers.emplace(word, static_cast<std::uint32_t>(out.vocabulary.size()));
        out.vocabulary.push_back(word);
    }
    Corpus& corpus = out.corpus;
    corpus.words = static_cast<std::uint32_t>(out.vocabulary.size());
    std::uint64_t begin = 0;
    WordSplitter::split(
        text,
        [&](const std::string& word) {
            if (const auto it = numbers.find(word); it != numbers.end()) corpus.text.push_back(it->second);
        },
        [&] {
            if (corpus.text.size() > begin) corpus.sentences.push_back(std::exchange(begin, corpus.text.size()));
        });
    corpus.sentences.push_back(corpus.text.size());
    return out;
}

} // namespace trainyard
