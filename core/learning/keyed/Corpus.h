// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Text as numbers of words, in sentences.
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

struct Corpus {
    std::uint32_t words = 0;              ///< of the vocabulary
    std::vector<std::uint32_t> text;      ///< sentence after sentence
    std::vector<std::uint64_t> sentences; ///< where each begins in the text; one more at the end
    std::vector<std::uint32_t> topics;    ///< by word, of planted text; else empty
    struct Analogy {
        std::uint32_t a, b, c, d; ///< a is to b as c to d
    };
    std::vector<Analogy> analogies; ///< of planted text
};

/// Text with planted structure. A word is a pair of a stem and a form; stems belong to topics, in an order. A sentence has a stem, drawn
/// by a power law, and a form: half of its words are of stems next to that one, in any form, half are any words of that form. So words of
/// neighbouring stems, and words of a form, are met together, and what stems and forms mean adds up: planted analogies.
struct PlantedCorpus {
    std::uint32_t topics = 8, stems = 30, forms = 3; ///< stems of each topic; forms of each stem
    std::uint32_t sentences = 6000, length = 12;
    double exponent = 1;
    double noise = 0.1; ///< share of words that are drawn for themselves
};
Corpus plantCorpus(const PlantedCorpus& shape, std::uint64_t seed, const std::stop_token& stop = {});

/// Words are runs of letters and digits, in lower case (ASCII); what is not ASCII counts as letters. Sentences end at . ! ? and empty lines.
/// Words met less often than `least` are left out; the vocabulary is in order of frequency.
struct ReadCorpus {
    Corpus corpus;
    std::vector<std::string> vocabulary;
};
ReadCorpus readCorpus(std::string_view text, std::uint32_t least);

} // namespace trainyard
