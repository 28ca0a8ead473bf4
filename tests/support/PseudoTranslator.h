// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A language that nobody speaks, for tests and pictures: every text that goes through tr() comes out in brackets,
// accented and longer by two fifths. What has no brackets was not marked for translation; what is cut off would
// be in German, too. Installed by the test and by `trainyard-bench --language pseudo`.
#include <QHash>
#include <QRegularExpression>
#include <QTranslator>

#include <cmath>

namespace trainyard {

namespace pseudo_translator {

constexpr double longer = 0.4;

inline QChar accented(QChar letter) {
    static const QHash<QChar, QChar> accents{{u'a', u'á'}, {u'c', u'ç'}, {u'e', u'é'}, {u'i', u'í'}, {u'n', u'ñ'},
                                             {u'o', u'ö'}, {u'u', u'ü'}, {u'y', u'ý'}, {u'A', u'Á'}, {u'E', u'É'},
                                             {u'I', u'Í'}, {u'N', u'Ñ'}, {u'O', u'Ö'}, {u'U', u'Ü'}};
    return accents.value(letter, letter);
}

/// Repeats vowels' tails in words, so that a line may still break: "~ ~~~ ~~~".
inline QString padding(qsizetype letters) {
    const auto wanted = static_cast<qsizetype>(std::ceil(static_cast<double>(letters) * longer));
    QString tail;
    for (qsizetype i = 0; i < wanted; ++i) tail += i > 0 && i % 7 == 0 ? u' ' : u'~';
    return tail;
}

} // namespace pseudo_translator

class PseudoTranslator final : public QTranslator {
public:
    using QTranslator::QTranslator;

    /// Place holders, tags, entities and mnemonics stay what they are.
    static QString pseudo(const QString& text);

    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return false; }
};

inline QString PseudoTranslator::pseudo(const QString& text) {
    using namespace pseudo_translator;
    static const QRegularExpression kept(QStringLiteral("%L?\\d{1,2}|%n|\\{\\d+\\}|<[^>]*>|&[a-z]+;|&#\\d+;"));
    QString out;
    qsizetype letters = 0, from = 0;
    const auto accent = [&](const QString& piece) {
        for (const QChar letter : piece) {
            out += accented(letter);
            ++letters;
        }
    };
    for (auto it = kept.globalMatch(text); it.hasNext();) {
        const auto match = it.next();
        accent(text.mid(from, match.capturedStart() - from));
        out += match.captured();
        from = match.capturedEnd();
    }
    accent(text.mid(from));
    return u'[' + out + padding(letters) + u']';
}

inline QString PseudoTranslator::translate(const char*, const char* source, const char*, int) const {
    return source && *source ? pseudo(QString::fromUtf8(source)) : QString();
}

} // namespace trainyard
