// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/FigureFiles.h"

#include <QBuffer>
#include <QFontInfo>
#include <QHashFunctions>
#include <QImage>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QPicture>
#include <QSvgGenerator>

#include <array>
#include <cmath>
#include <cstdint>

namespace trainyard {

namespace figure_files {

/// CRC-32 as PNG defines it (polynomial 0xEDB88320, reflected).
std::uint32_t pngChecksum(const QByteArray& bytes) {
    std::uint32_t crc = 0xFFFFFFFFu;
    for (const char c : bytes) {
        crc ^= static_cast<std::uint8_t>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0u);
    }
    return ~crc;
}

QByteArray bigEndian(std::uint32_t n) {
    const std::array<char, 4> bytes{static_cast<char>(n >> 24), static_cast<char>(n >> 16), static_cast<char>(n >> 8),
                                    static_cast<char>(n)};
    return QByteArray(bytes.data(), 4);
}

/// Qt compresses texts of 40 characters and more; other programs should find the run without unpacking, so
/// the chunk is made here and put right after IHDR (8 bytes of signature, 25 of IHDR).
QByteArray withTextChunk(const QByteArray& png, const QByteArray& keyword, const QByteArray& text) {
    const QByteArray body = QByteArrayLiteral("tEXt") + keyword + '\0' + text;
    const QByteArray chunk =
        bigEndian(static_cast<std::uint32_t>(body.size() - 4)) + body + bigEndian(pngChecksum(body));
    return png.left(33) + chunk + png.mid(33);
}

/// XML 1.0 knows neither control characters nor U+FFFE and U+FFFF, not even as references; names may have them.
QByteArray withXmlCharacters(QByteArray xml) {
    for (qsizetype i = 0; i < xml.size(); ++i) {
        const auto c = static_cast<unsigned char>(xml[i]);
        if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') xml[i] = ' ';
        if (c >= 0xbe && i >= 2 && xml[i - 1] == '\xbf' && xml[i - 2] == '\xef') xml[i] = '\xbd'; // U+FFFD
    }
    return xml;
}

QByteArray metadataPacket(const FigureText& text) {
    const QString packet = QStringLiteral(
        "<?xpacket begin=\"\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF "
        "xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
        "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
        "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n"
        "<xmp:CreatorTool>Trainyard " TRAINYARD_VERSION "</xmp:CreatorTool>\n"
        "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">%1</rdf:li></rdf:Alt></dc:title>\n"
        "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">%2</rdf:li></rdf:Alt></dc:description>\n"
        "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>\n");
    return withXmlCharacters(
        packet.arg(text.title.toHtmlEscaped(), QString::fromLatin1(text.provenance).toHtmlEscaped()).toUtf8());
}

} // namespace figure_files

void drawShapes(QPainter& painter, const QPicture& shapes) {
    painter.save();
    painter.scale(static_cast<double>(shapes.logicalDpiX()) / painter.device()->logicalDpiX(),
                  static_cast<double>(shapes.logicalDpiY()) / painter.device()->logicalDpiY());
    painter.drawPicture(0, 0, shapes);
    painter.restore();
}

namespace figure_files {

/// Qt writes the name it was asked for, "Sans Serif", which browsers do not know: they would take a serif one, and labels
/// would no longer end where they were measured to. The family that was used, then those of the same widths.
QByteArray withFamilies(QByteArray svg) {
    const QByteArray key = "font-family=\"";
    for (qsizetype at = svg.indexOf(key); at >= 0; at = svg.indexOf(key, at)) {
        at += key.size();
        const qsizetype length = svg.indexOf('"', at) - at;
        const QString used = QFontInfo(QFont(QString::fromUtf8(svg.mid(at, length)))).family();
        const QByteArray families = used.toHtmlEscaped().toUtf8() + ", Verdana, sans-serif";
        svg.replace(at, length, families);
        at += families.size();
    }
    return svg;
}

} // namespace figure_files

QByteArray svgFigure(QSizeF size, const FigureText& text, const DrawFigure& draw) {
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), size));
    generator.setTitle(text.title.toHtmlEscaped());
    generator.setDescription(QString::fromLatin1(text.provenance).toHtmlEscaped());
    QPainter painter(&generator);
    draw(painter);
    painter.end();
    return figure_files::withXmlCharacters(figure_files::withFamilies(buffer.data()));
}

namespace figure_files {

/// Without the time at which it was written (ISO 32000-1, 14.3.3: optional), whose length goes with the time zone: equal figures are equal
/// files. At its end a PDF lists where its objects begin ("xref", "0 COUNT", then twenty bytes each, ten of them the place), and where
/// that list does (7.5.4, 7.5.5).
QByteArray withoutDate(QByteArray pdf) {
    constexpr qsizetype entryBytes = 20, placeBytes = 10;
    const auto lineAt = [&](qsizetype at) { return pdf.mid(at, pdf.indexOf('\n', at) - at); };
    const auto after = [&](qsizetype at) { return pdf.indexOf('\n', at) + 1; };
    const qsizetype at = pdf.indexOf("/CreationDate ("), end = pdf.indexOf(')', at) + 1; // in the first object
    const qsizetype start = pdf.lastIndexOf("startxref\n");
    if (at < 0 || end <= at || start < end) return pdf;
    const qsizetype table = lineAt(after(start)).trimmed().toLongLong(), counts = after(table);
    qsizetype entry = after(counts);
    for (int left = lineAt(counts).trimmed().split(' ').value(1).toInt(); left > 0; --left, entry += entryBytes)
        if (const qsizetype place = pdf.mid(entry, placeBytes).toLongLong(); place > at)
            pdf.replace(entry, placeBytes, QByteArray::number(place - (end - at)).rightJustified(placeBytes, '0'));
    pdf.replace(after(start), lineAt(after(start)).size(), QByteArray::number(table - (end - at)));
    return pdf.remove(at, end - at);
}

} // namespace figure_files

QByteArray pdfFigure(QSizeF size, const FigureText& text, const DrawFigure& draw) {
    QHashSeed::setDeterministicGlobalSeed(); // Qt writes fonts in the order of a hash
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(960); // ten units per pixel: positions keep their fractions
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setPageSize(QPageSize(size * 0.75, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setTitle(text.title);
    writer.setCreator(QStringLiteral("Trainyard " TRAINYARD_VERSION));
    writer.setDocumentXmpMetadata(figure_files::metadataPacket(text));
    QPainter painter(&writer);
    painter.scale(10, 10);
    draw(painter);
    painter.end();
    return figure_files::withoutDate(buffer.data());
}

QSize rasterSize(QSizeF size, int dotsPerInch) { return (size * (dotsPerInch / 96.0)).toSize(); }

QImage rasterFigure(QSizeF size, int dotsPerInch, const DrawFigure& draw) {
    const QSize pixels = rasterSize(size, dotsPerInch);
    if (qint64{pixels.width()} * pixels.height() > mostPixels) return {};
    QImage image(pixels, QImage::Format_RGB32);
    if (image.isNull()) return image;
    QPainter painter(&image);
    painter.scale(pixels.width() / size.width(), pixels.height() / size.height());
    draw(painter);
    painter.end();
    // Only now: the resolution is for whoever prints it, fonts are in pixels.
    const int perMetre = static_cast<int>(std::lround(dotsPerInch / 0.0254));
    image.setDotsPerMeterX(perMetre);
    image.setDotsPerMeterY(perMetre);
    return image;
}

QByteArray pngFile(const QImage& image, const FigureText& text) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) return {};
    QByteArray bytes = figure_files::withTextChunk(buffer.data(), QByteArrayLiteral("Comment"), text.provenance);
    bytes = figure_files::withTextChunk(bytes, QByteArrayLiteral("Software"),
                                        QByteArrayLiteral("Trainyard " TRAINYARD_VERSION));
    return figure_files::withTextChunk(bytes, QByteArrayLiteral("Title"), text.title.toLatin1());
}

} // namespace trainyard
