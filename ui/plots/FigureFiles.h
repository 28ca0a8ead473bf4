#pragma once
// Writes one painted figure to one file in one format, with its line of provenance inside. Used by Render
// only; formats are written to memory first, so that a full disk leaves no half file.
#include <QByteArray>
#include <QSize>
#include <QString>

#include <functional>

class QPainter;

namespace trainyard {

struct FigureText {
    QString title;         ///< of the document
    QByteArray provenance; ///< one line of ASCII, put where readRecipe() finds it
};

/// Draws at 96 pixels per inch; `vector`: see LaneCanvas.
using DrawFigure = std::function<void(QPainter&, QSizeF, bool vector)>;

/// Provenance in <desc>, XML-escaped.
QByteArray svgFigure(QSize size, const FigureText& text, const DrawFigure& draw);
/// Provenance in the document's XMP metadata, which PDF keeps uncompressed.
QByteArray pdfFigure(QSize size, const FigureText& text, const DrawFigure& draw);
/// Provenance in an uncompressed tEXt chunk with the keyword "Comment".
QByteArray pngFigure(QSize size, const FigureText& text, const DrawFigure& draw);

} // namespace trainyard
