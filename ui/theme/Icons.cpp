#include "theme/Icons.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

#include <memory>

namespace trainyard {

namespace {

class TintedIcon final : public QIconEngine {
public:
    TintedIcon(const QString& file, const QColor& colour)
        : m_drawing(std::make_shared<QSvgRenderer>(file)), m_colour(colour) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
        painter->drawPixmap(rect, draw(rect.size() * painter->device()->devicePixelRatio(), mode, state));
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return draw(size, mode, state);
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal) override {
        return draw(size, mode, state);
    }
    QIconEngine* clone() const override { return new TintedIcon(*this); }

private:
    QPixmap draw(const QSize& size, QIcon::Mode mode, QIcon::State) const {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        m_drawing->setAspectRatioMode(Qt::KeepAspectRatio);
        m_drawing->render(&painter, QRectF(QPointF(), QSizeF(size)));
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        const auto group = mode == QIcon::Disabled ? QPalette::Disabled : QPalette::Active;
        painter.fillRect(picture.rect(), m_colour.isValid() && mode != QIcon::Disabled
                                             ? m_colour
                                             : QApplication::palette().color(group, QPalette::ButtonText));
        return picture;
    }

    std::shared_ptr<QSvgRenderer> m_drawing;
    QColor m_colour;
};

} // namespace

QIcon icon(const char* name) {
    return icon(name, {});
}

QIcon icon(const char* name, const QColor& colour) {
    return QIcon(new TintedIcon(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(name)), colour));
}

} // namespace trainyard
