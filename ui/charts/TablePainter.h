// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws tables: rules as in print, columns as wide as their words while there is room, rows that scroll.
#include "charts/PicturePainter.h"

namespace trainyard {

class TablePainter final : public PicturePainter {
public:
    /// What the next paint() draws.
    void show(std::shared_ptr<const Table> table);
    /// What the table asks for, in pixels; of long ones the first `mostRows`.
    static double heightOf(const Table& table, const QFont& font, std::size_t mostRows = 60);

    void paint(QPaintDevice& device, const QRectF& area, const PictureStyle& look) override;
    std::optional<PictureHit> hitAt(QPointF at) const override;
    std::optional<PictureHit> neighbour(const PictureHit* from, int along, int across) const override;
    /// By the wheel and the keys for zooming rows scroll.
    void zoom(QPointF about, double factor) override;
    void pan(QPointF by) override { m_scrolled -= by.y(); }
    void showAll() override { m_scrolled = 0; }
    bool isZoomed() const override { return m_scrolled != 0; }
    std::size_t items() const override { return m_drawn; }

private:
    std::vector<QStringList> shownTexts() const;
    PictureHit hitOf(std::size_t row) const;

    std::shared_ptr<const Table> m_table = std::make_shared<Table>();
    std::vector<std::size_t> m_rows;    ///< of the table, those that are shown
    std::vector<std::size_t> m_columns; ///< likewise
    std::vector<bool> m_cut;            ///< by shown row: a text of it is not seen in full
    QRectF m_area;                      ///< of the rows, as painted last
    double m_line = 20, m_scrolled = 0; ///< pixels
    std::size_t m_first = 0, m_drawn = 0;
};

} // namespace trainyard
