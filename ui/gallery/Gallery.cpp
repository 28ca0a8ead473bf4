// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "gallery/Gallery.h"

#include "gallery/GalleryModel.h"
#include "theme/Theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace gallery {

constexpr int usualCard = 264, gap = 8, padding = 12;

int scaled(double length) { return static_cast<int>(std::lround(length * Theme::scale())); }

int cardHeight() {
    const int line = QFontMetrics(QApplication::font()).lineSpacing();
    return scaled(116) + 5 * line + scaled(3 * padding) + 2 * gap;
}

/// As many lines as there are, the last one elided.
void drawLines(QPainter& painter, const QRect& box, const QString& text, int lines) {
    const QFontMetrics metrics = painter.fontMetrics();
    QTextLayout layout(text, painter.font());
    layout.beginLayout();
    int y = box.top();
    for (int i = 0; i < lines; ++i) {
        QTextLine line = layout.createLine();
        if (!line.isValid()) break;
        line.setLineWidth(box.width());
        const bool last = i == lines - 1;
        const QString rest = last ? metrics.elidedText(text.mid(line.textStart()), Qt::ElideRight, box.width())
                                  : text.mid(line.textStart(), line.textLength()).trimmed();
        painter.drawText(box.left(), y + metrics.ascent(), rest);
        y += metrics.lineSpacing();
    }
    layout.endLayout();
}

class Delegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme theme = Theme::current();
        const QRect card = option.rect.adjusted(gap, gap, -gap, -gap);
        const bool current = option.state & QStyle::State_Selected,
                   focused = current && (option.state & QStyle::State_HasFocus),
                   hovered = option.state & QStyle::State_MouseOver;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        QPainterPath outline;
        outline.addRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
        painter->fillPath(outline, theme.raised);
        drawPicture(*painter, card, outline, index);
        drawTexts(*painter, theme, card, index);
        // The keyboard's frame is thick, the mouse's a tint: they may be on different cards.
        if (hovered) painter->fillPath(outline, hoverTint(theme));
        const QColor edge = focused ? theme.accent : current ? theme.muted : theme.hairline;
        painter->strokePath(outline, QPen(edge, focused ? 2.5 : 1));
        painter->restore();
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
        const QSize cell = static_cast<const QListView*>(parent())->gridSize();
        return cell.isValid() ? cell : QSize(scaled(usualCard), cardHeight());
    }

private:
    static QColor hoverTint(const Theme& theme) {
        QColor tint = theme.accent;
        tint.setAlphaF(0.1f);
        return tint;
    }
    static void drawPicture(QPainter& painter, const QRect& card, const QPainterPath& outline,
                            const QModelIndex& index) {
        const auto* proxy = static_cast<const QSortFilterProxyModel*>(index.model());
        const auto* model = static_cast<const GalleryModel*>(proxy->sourceModel());
        const QSize size(card.width(), scaled(116));
        const QPixmap picture = model->picture(proxy->mapToSource(index), size, painter.device()->devicePixelRatioF());
        if (picture.isNull()) return;
        painter.save();
        painter.setClipPath(outline);
        painter.drawPixmap(card.topLeft(), picture);
        painter.restore();
    }
    static void drawTexts(QPainter& painter, const Theme& theme, const QRect& card, const QModelIndex& index) {
        const int pad = scaled(padding);
        QRect box = card.adjusted(pad, scaled(116) + pad - 2, -pad, -pad);
        const QFont plain = QApplication::font();
        QFont bold = plain;
        bold.setWeight(QFont::DemiBold);
        const int line = QFontMetrics(plain).lineSpacing();
        const QString title = index.data().toString();
        const double wide = QFontMetricsF(bold).horizontalAdvance(title);
        // A title that is too long for its line has two, of which the sentence gives one.
        constexpr double wrapped = 1.85; // lines that are sure to hold a text of as many, broken between words
        const bool isLong = wide > box.width();
        if (wide > wrapped * box.width()) bold.setPointSizeF(bold.pointSizeF() * wrapped * box.width() / wide);
        QRect titleBox = box, sentenceBox = box;
        sentenceBox.setTop(box.top() + (isLong ? 2 : 1) * line + scaled(4));
        if (index.data(GalleryModel::collectionRole).toString() == QLatin1String("papers")) {
            const QString sign = GalleryModel::tr("paper");
            const int room = QFontMetrics(plain).horizontalAdvance(sign) + scaled(8);
            const bool isBeside = wide <= box.width() - room;
            QRect& beside = isBeside ? titleBox : sentenceBox;
            painter.setFont(plain);
            painter.setPen(theme.accent);
            painter.drawText(QRect(box.left(), beside.top(), box.width(), line), Qt::AlignRight, sign);
            beside.setRight(box.right() - room);
        }
        painter.setFont(bold);
        painter.setPen(theme.text);
        drawLines(painter, titleBox, title, isLong ? 2 : 1);
        painter.setFont(plain);
        drawLines(painter, sentenceBox, index.data(GalleryModel::sentenceRole).toString(), isLong ? 1 : 2);
        box.setTop(box.top() + 3 * line + 2 * scaled(4));
        painter.setPen(theme.muted);
        drawLines(painter, box, GalleryModel::tr("Look for: %1").arg(index.data(GalleryModel::lookForRole).toString()),
                  2);
    }
};

} // namespace gallery

Gallery::Gallery(GalleryModel& model, QWidget* parent)
    : QListView(parent), m_filtered(new QSortFilterProxyModel(this)) {
    setObjectName(QStringLiteral("gallery"));
    setAccessibleName(tr("Scenarios"));
    m_filtered->setSourceModel(&model);
    m_filtered->setFilterRole(GalleryModel::searchRole);
    m_filtered->setFilterCaseSensitivity(Qt::CaseInsensitive);
    setModel(m_filtered);
    setItemDelegate(new gallery::Delegate(this));
    setViewMode(QListView::IconMode);
    setMovement(QListView::Static);
    setResizeMode(QListView::Adjust);
    setUniformItemSizes(true);
    setWordWrap(true);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setCursor(Qt::ArrowCursor);
    connect(this, &QListView::clicked, this,
            [this](const QModelIndex& index) { Q_EMIT chosen(index.data(GalleryModel::pathRole).toString()); });
}

void Gallery::setFilter(const QString& text) {
    m_filtered->setFilterFixedString(text.trimmed());
    viewport()->update();
}

QString Gallery::currentPath() const {
    const QModelIndex at = currentIndex().isValid() ? currentIndex() : m_filtered->index(0, 0);
    return at.data(GalleryModel::pathRole).toString();
}

void Gallery::selectFirst() {
    if (!currentIndex().isValid()) setCurrentIndex(m_filtered->index(0, 0));
}

void Gallery::fitColumns() {
    // As if there were a scroll bar: columns do not jump when cards come in.
    const int width =
        this->width() - style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, verticalScrollBar()) - 2;
    const int columns = std::max(1, width / gallery::scaled(gallery::usualCard));
    setGridSize({width / columns, gallery::cardHeight()});
}

void Gallery::resizeEvent(QResizeEvent* event) {
    QListView::resizeEvent(event);
    fitColumns();
}

void Gallery::changeEvent(QEvent* event) {
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitColumns();
}

void Gallery::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        if (const QString path = currentPath(); !path.isEmpty()) Q_EMIT chosen(path);
        return;
    }
    QListView::keyPressEvent(event);
}

void Gallery::paintEvent(QPaintEvent* event) {
    QListView::paintEvent(event);
    if (m_filtered->rowCount() > 0 || m_filtered->filterRegularExpression().pattern().isEmpty()) return;
    QPainter painter(viewport());
    painter.setPen(Theme::current().muted);
    painter.drawText(viewport()->rect(), Qt::AlignCenter, tr("No scenario contains this text"));
}

} // namespace trainyard
