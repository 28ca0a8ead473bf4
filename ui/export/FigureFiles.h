// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Writes one painted figure in one format, with its line of provenance inside. Formats are written to memory
// first, so that a full disk leaves no half file. Any thread may call this.
#include <QByteArray>
#include <QSizeF>
#include <QString>

#include <functional>

class QImage;
class QPainter;
class QPicture;

namespace trainyard {

struct FigureText {
    QString title;         ///< of the document
    QByteArray provenance; ///< one line of ASCII, put where readProvenance() finds it
};

/// Draws the figure in pixels at 96 per inch, from (0, 0) to its size.
using DrawFigure = std::function<void(QPainter&)>;

/// Recorded shapes, pixel for pixel of the painter's: Qt would scale them to the device's resolution.
void drawShapes(QPainter& painter, const QPicture& shapes);

/// Provenance in <desc>, XML-escaped.
QByteArray svgFigure(QSizeF size, const FigureText& text, const DrawFigure& draw);
/// Provenance in the document's XMP metadata, which PDF keeps uncompressed. Equal figures give equal bytes.
QByteArray pdfFigure(QSizeF size, const FigureText& text, const DrawFigure& draw);

/// Pixels of a figure at a resolution; more than `mostPixels` cannot be painted.
QSize rasterSize(QSizeF size, int dotsPerInch);
constexpr qint64 mostPixels = 200'000'000;
/// The picture; null if there is no memory for it.
QImage rasterFigure(QSizeF size, int dotsPerInch, const DrawFigure& draw);
/// Provenance in an uncompressed tEXt chunk with the keyword "Comment". Empty for a null image.
QByteArray pngFile(const QImage& image, const FigureText& text);

} // namespace trainyard
