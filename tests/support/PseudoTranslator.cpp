#include "support/PseudoTranslator.h"

#include <QHash>
#include <QRegularExpression>

#include <cmath>

namespace trainyard {

namespace pseudo_translator {

constexpr double longer = 0.4;

QChar accented(QChar letter) {
    static const QHash<QChar, QChar> accents{{u'a', u'á'}, {u'c', u'ç'}, {u'e', u'é'}, {u'i', u'í'}, {u'n', u'ñ'},
                                             {u'o', u'ö'}, {u'u', u'ü'}, {u'y', u'ý'}, {u'A', u'Á'}, {u'E', u'É'},
                                             {u'I', u'Í'}, {u'N', u'Ñ'}, {u'O', u'Ö'}, {u'U', u'Ü'}};
    return accents.value(letter, letter);
}

/// Repeats vowels' tails in words, so that a line may still break: "~ ~~~ ~~~".
QString padding(qsizetype letters) {
    const auto wanted = static_cast<qsizetype>(std::ceil(static_cast<double>(letters) * longer));
    QString tail;
    for (qsizetype i = 0; i < wanted; ++i) tail += i > 0 && i % 7 == 0 ? u' ' : u'~';
    return tail;
}

} // namespace pseudo_translator

QString PseudoTranslator::pseudo(const QString& text) {
    using namespace pseudo_translator;
    static const QRegularExpression kept(
        QStringLiteral("%L?\\d{1,2}|%n|\\{\\d+\\}|<[^>]*>|&[a-z]+;|&#\\d+;"));
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

QString PseudoTranslator::translate(const char*, const char* source, const char*, int) const {
    return source && *source ? pseudo(QString::fromUtf8(source)) : QString();
}

} // namespace trainyard
