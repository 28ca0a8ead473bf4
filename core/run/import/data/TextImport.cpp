// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Plain text as numbers of words, as learning/keyed/Corpus.h reads it, but of any length: words are put aside as numbers in the order in
// which they are first met, and written in the order of their frequency.
#include "base/Utf8.h"
#include "learning/keyed/NameTable.h"
#include "learning/keyed/WordSplitter.h"
#include "run/files/ScratchFile.h"
#include "run/import/Importer.h"
#include "run/import/data/TextBlocks.h"

#include <algorithm>

namespace trainyard {

namespace text_import {

constexpr std::uint32_t sentenceEnd = KeyedDataWriter::sentenceEnd;

/// Looks at blocks in which characters may be cut in two.
class Utf8Check {
public:
    /// false: there is a byte that belongs to no character, at byte() of the file, in line().
    bool add(std::string_view block, bool last) {
        if (!m_begun.empty()) { // the beginning of a character, at most three bytes
            const std::size_t before = m_begun.size();
            m_begun += block.substr(0, 4);
            const std::size_t length = utf8Length(m_begun);
            if (length == 0 && (last || m_begun.size() >= 4)) return false;
            if (length == 0) return true; // a block of a byte or two
            count(std::string_view(m_begun).substr(0, length));
            block.remove_prefix(length - before);
            m_begun.clear();
        }
        const std::size_t valid = firstInvalidUtf8(block);
        count(block.substr(0, valid));
        m_begun = block.substr(valid);
        return m_begun.empty() || (!last && m_begun.size() < 4);
    }
    std::uint64_t byte() const { return m_byte; } ///< from 0
    std::uint64_t line() const { return m_line; }

private:
    void count(std::string_view valid) {
        m_byte += valid.size();
        m_line += static_cast<std::uint64_t>(std::ranges::count(valid, '\n'));
    }
    std::string m_begun;
    std::uint64_t m_byte = 0, m_line = 1;
};

class TextData {
public:
    explicit TextData(const ImportRequest& request) : m_request(request), m_text(request.scratch) {}

    /// Reads all of the text; problems, or nothing.
    Problems read() {
        TextBlocks blocks(m_request.file, m_request.shown);
        WordSplitter splitter;
        Utf8Check check;
        bool tooMany = false;
        const auto word = [&](const std::string& text) {
            const std::uint32_t number = m_words.numberOf(text);
            if (number == m_counts.size()) m_counts.push_back(0);
            ++m_counts[number];
            tooMany = m_words.size() > mostImportedNames;
            m_text.add(number);
            m_endGiven = false;
        };
        const auto end = [&] {
            if (!m_endGiven) m_text.add(sentenceEnd);
            m_endGiven = true;
        };
        for (bool first = true, last = false; !last; first = false) {
            std::string_view block = blocks.next();
            last = block.empty();
            if (!check.add(block, last)) return {invalid(check)};
            if (first && block.starts_with("\xef\xbb\xbf")) block.remove_prefix(3);
            splitter.add(block, word, end);
            if (tooMany) return {tooManyWords(check.line())};
            if (m_text.failed()) return m_text.problems();
        }
        if (!blocks.problems().empty()) return blocks.problems();
        splitter.finish(word, end);
        if (splitter.leftOut() > 0)
            m_warnings.push_back(
                {.code = "long-words",
                 .message = {TRAINYARD_TEXT("{0} words of more than {1} bytes are left out"),
                             {std::to_string(splitter.leftOut()), std::to_string(WordSplitter::mostBytes)}},
                 .severity = Severity::warning,
                 .file = m_request.shown});
        return m_text.problems();
    }

    /// Chooses the words that are kept, and counts what is left of the text.
    Problems choose() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t n = 0; n < m_counts.size(); ++n)
            if (m_counts[n] >= m_request.least) order.push_back(n);
        if (order.empty())
            return {{.code = "no-words",
                     .message = {TRAINYARD_TEXT("of {0} words none is there {1} times; --least takes a smaller number"),
                                 {std::to_string(m_counts.size()), std::to_string(m_request.least)}},
                     .file = m_request.shown}};
        std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
            return m_counts[a] != m_counts[b] ? m_counts[a] > m_counts[b] : m_words.name(a) < m_words.name(b);
        });
        if (m_request.most > 0 && order.size() > m_request.most) order.resize(m_request.most);
        m_kept = std::move(order);
        m_newNumbers.assign(m_counts.size(), sentenceEnd);
        for (std::uint32_t n = 0; n < m_kept.size(); ++n) {
            m_newNumbers[m_kept[n]] = n;
            m_nameBytes += m_words.name(m_kept[n]).size() + 1;
        }
        forEachKept([&](std::uint32_t) { ++m_textWords; }, [&] { ++m_sentences; });
        return m_text.problems();
    }

    static ImportedData imported(std::shared_ptr<TextData> data) {
        ImportedData out;
        const TextData& of = *data;
        out.header = {.kind = KeyedKind::text,
                      .counts = {of.m_kept.size(), of.m_textWords, of.m_sentences},
                      .nameBytes = of.m_nameBytes};
        out.summary = {TRAINYARD_TEXT("{0} words in {1} sentences, {2} of them different; {3} others were met too "
                                      "rarely"),
                       {std::to_string(of.m_textWords), std::to_string(of.m_sentences),
                        std::to_string(of.m_kept.size()), std::to_string(of.m_counts.size() - of.m_kept.size())}};
        out.write = [data = std::move(data)](KeyedDataWriter& writer) {
            for (const std::uint32_t word : data->m_kept) writer.name(data->m_words.name(word));
            data->forEachKept([&](std::uint32_t word) { writer.word(word); }, [&] { writer.endSentence(); });
            return data->m_text.problems();
        };
        return out;
    }
    Problems warnings() { return std::move(m_warnings); }

private:
    /// Words that are kept, by their new numbers, and ends of sentences that have any.
    template <class Word, class End>
    void forEachKept(Word word, End end) {
        ScratchFile::Reader reader(m_text);
        bool any = false;
        for (std::uint32_t number = 0; reader.next(number);) {
            if (number == sentenceEnd) {
                if (any) end();
                any = false;
            } else if (m_newNumbers[number] != sentenceEnd) {
                word(m_newNumbers[number]);
                any = true;
            }
        }
    }
    Problem invalid(const Utf8Check& check) const {
        return {
            .code = "not-utf-8",
            .message = {TRAINYARD_TEXT("byte {0} of the file, in this line, is not UTF-8; iconv -f ENCODING -t UTF-8 "
                                       "converts other encodings, iconv -c -f UTF-8 -t UTF-8 leaves such bytes "
                                       "out"),
                        {std::to_string(check.byte() + 1)}},
            .file = m_request.shown,
            .line = problemLine(check.line())};
    }
    Problem tooManyWords(std::uint64_t line) const {
        return {
            .code = "too-large",
            .message = {TRAINYARD_TEXT("there are more than {0} different words"), {std::to_string(mostImportedNames)}},
            .file = m_request.shown,
            .line = problemLine(line)};
    }

    const ImportRequest m_request;
    NameTable m_words;                   ///< as they come
    std::vector<std::uint64_t> m_counts; ///< by word
    ScratchFile m_text;                  ///< numbers of words, and ends of sentences
    bool m_endGiven = true;
    std::vector<std::uint32_t> m_kept, m_newNumbers; ///< words by new number; the reverse
    std::uint64_t m_nameBytes = 0, m_textWords = 0, m_sentences = 0;
    Problems m_warnings;
};

Result<ImportedData> read(const ImportRequest& request) {
    auto data = std::make_shared<TextData>(request);
    if (Problems problems = data->read(); !problems.empty()) return problems;
    if (Problems problems = data->choose(); !problems.empty()) return problems;
    Problems warnings = data->warnings();
    return {TextData::imported(std::move(data)), std::move(warnings)};
}

} // namespace text_import

Importer textImporter() {
    return {.name = "text",
            .what = "plain text, UTF-8 (memory: 60 bytes a different word, and the word)",
            .options = {"--least", "--words"},
            .read = text_import::read};
}

} // namespace trainyard
