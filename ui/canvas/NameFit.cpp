// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/NameFit.h"

#include <QFontMetricsF>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace name_fit {

double widthOf(const QString& text, const QFont& font) {
    return std::max(1.0, QFontMetricsF(font).horizontalAdvance(text));
}

/// Broken at the space that leaves the two lines most alike; the name itself if it has none.
QString inTwoLines(const QString& name, const QFont& font) {
    QString best = name;
    double width = widthOf(name, font);
    for (qsizetype at = name.indexOf(u' '); at > 0; at = name.indexOf(u' ', at + 1)) {
        const double wider = std::max(widthOf(name.left(at), font), widthOf(name.mid(at + 1), font));
        if (wider >= width) continue;
        width = wider;
        best = name.left(at) + u'\n' + name.mid(at + 1);
    }
    return best;
}

} // namespace name_fit

int NameFit::wholeSize(const QString& name, const QFont& font, const QSizeF& box, double least) {
    constexpr double muchLarger = 1.25;
    const double usual = font.pixelSize(), one = std::min(usual, usual * box.width() / name_fit::widthOf(name, font));
    if (one >= usual) return static_cast<int>(usual);
    const NameFit fit = of(name, font, box, box, least);
    if (one >= least && one * muchLarger >= fit.font.pixelSize()) return static_cast<int>(one);
    return fit.text.contains(u'…') ? 0 : fit.font.pixelSize();
}

QString NameFit::shortest(const QString& name) {
    const QStringList words = name.split(u' ', Qt::SkipEmptyParts);
    const auto hasDigit = [](const QString& word) {
        return std::ranges::any_of(word, [](QChar c) { return c.isDigit(); });
    };
    const auto numbered = std::find_if(words.rbegin(), words.rend(), hasDigit);
    return numbered != words.rend() ? *numbered : words.isEmpty() ? name : words.last();
}

QString NameFit::withoutRemark(const QString& name) {
    const qsizetype at = name.indexOf(QStringLiteral(" ("));
    return at > 0 && name.endsWith(u')') ? name.left(at) : name;
}

NameFit NameFit::of(const QString& name, const QFont& font, const QSizeF& box, const QSizeF& tall, double least) {
    using namespace name_fit;
    const double usual = font.pixelSize();
    const auto sized = [&](double size) {
        QFont out = font;
        out.setPixelSize(std::max(1, static_cast<int>(std::floor(size + 0.01))));
        return out;
    };
    const double one = std::min(usual, usual * box.width() / widthOf(name, font));
    if (one >= usual) return {name, font};
    const QString broken = inTwoLines(name, font);
    double two = 0;
    if (broken != name) {
        const double wider =
            std::max(widthOf(broken.section(u'\n', 0, 0), font), widthOf(broken.section(u'\n', 1), font));
        constexpr double lines = 2.3; // of type, with what is between them
        two = std::min({usual, usual * tall.width() / wider, tall.height() / lines});
    }
    const bool oneLine = one >= two;
    if (const double size = std::max(one, two); size >= least) {
        NameFit fit{oneLine ? name : broken, sized(size)};
        if (!oneLine || widthOf(name, fit.font) <= box.width()) return fit;
    }
    NameFit shortened{{}, sized(std::max(least, std::min(one, usual)))};
    shortened.text = QFontMetricsF(shortened.font).elidedText(name, Qt::ElideMiddle, box.width());
    return shortened;
}

} // namespace trainyard
