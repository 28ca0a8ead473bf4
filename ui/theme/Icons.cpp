// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/Icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

#include <memory>
#include <vector>

namespace trainyard {

namespace {

class TintedIcon final : public QIconEngine {
public:
    TintedIcon(const QString& file, const QColor& colour)
        : m_drawing(std::make_shared<QSvgRenderer>(file)), m_colour(colour) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        painter->drawPixmap(rect, draw(rect.size() * painter->device()->devicePixelRatio(), mode, state));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override { return draw(size, mode, state); }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return draw(size, mode, state);
    }
    QIconEngine* clone() const override { return new TintedIcon(*this); }

private:
    QPixmap draw(const QSize& size, QIcon::Mode mode, QIcon::State) {
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        const QColor colour = m_colour.isValid() && mode != QIcon::Disabled
                                  ? m_colour
                                  : QApplication::palette().color(group, QPalette::ButtonText);
        for (const Drawn& drawn : m_drawn)
            if (drawn.picture.size() == size && drawn.colour == colour) return drawn.picture;
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        m_drawing->setAspectRatioMode(Qt::KeepAspectRatio);
        m_drawing->render(&painter, QRectF(QPointF(), QSizeF(size)));
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(picture.rect(), colour);
        painter.end();
        if (m_drawn.size() >= mostKept) m_drawn.erase(m_drawn.begin());
        m_drawn.push_back({colour, picture});
        return picture;
    }

    struct Drawn {
        QColor colour;
        QPixmap picture;
    };
    static constexpr std::size_t mostKept = 4; // sizes and colours: buttons are painted over and over

    std::shared_ptr<QSvgRenderer> m_drawing;
    QColor m_colour;
    std::vector<Drawn> m_drawn;
};

} // namespace

QIcon icon(const char* name) { return icon(name, {}); }

QIcon icon(const char* name, const QColor& colour) {
    return QIcon(new TintedIcon(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(name)), colour));
}

} // namespace trainyard
