#pragma once
// A language that nobody speaks, for tests and pictures: every text that goes through tr() comes out in brackets,
// accented and longer by two fifths. What has no brackets was not marked for translation; what is cut off would
// be in German, too. Installed by the test and by `trainyard-bench --language pseudo`.
#include <QTranslator>

namespace trainyard {

class PseudoTranslator final : public QTranslator {
    Q_OBJECT
public:
    using QTranslator::QTranslator;

    /// Place holders, tags, entities and mnemonics stay what they are.
    static QString pseudo(const QString& text);

    QString translate(const char* context, const char* source, const char* disambiguation,
                      int n) const override;
    bool isEmpty() const override { return false; }
};

} // namespace trainyard
