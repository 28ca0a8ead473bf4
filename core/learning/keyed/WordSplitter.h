// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Text as words and ends of sentences, block by block: words are runs of letters and digits, in lower case (ASCII); what is not ASCII counts
// as letters. Sentences end at . ! ? and empty lines. A word may span blocks. Longer ones than mostBytes are left out.
#include <cstdint>
#include <string>
#include <string_view>

namespace trainyard {

class WordSplitter {
public:
    static constexpr std::size_t mostBytes = 1000; ///< of a word

    std::uint64_t leftOut() const { return m_leftOut; } ///< words that are too long, so far

    /// Calls word(text) and end() in the order of the text, for what is complete. end() may come without words before it.
    template <class Word, class End>
    void add(std::string_view block, Word word, End end) {
        for (const char c : block) {
            if (isOfWord(c)) {
                if (m_current.size() <= mostBytes) m_current += lower(c);
                m_newline = false;
                continue;
            }
            giveTo(word);
            if (c == '.' || c == '!' || c == '?' || (c == '\n' && m_newline)) end();
            if (c == '\n') m_newline = true;
        }
    }
    /// After the last block.
    template <class Word, class End>
    void finish(Word word, End end) {
        giveTo(word);
        end();
    }
    template <class Word, class End>
    static void split(std::string_view text, Word word, End end) {
        WordSplitter splitter;
        splitter.add(text, word, end);
        splitter.finish(word, end);
    }

private:
    template <class Word>
    void giveTo(Word& word) {
        if (m_current.empty()) return;
        if (m_current.size() > mostBytes)
            ++m_leftOut;
        else
            word(m_current);
        m_current.clear();
    }
    static bool isOfWord(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               static_cast<unsigned char>(c) >= 0x80;
    }
    static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

    std::string m_current; ///< at most mostBytes + 1 bytes of it
    std::uint64_t m_leftOut = 0;
    bool m_newline = false;
};

} // namespace trainyard
