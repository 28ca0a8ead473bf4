// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Draws diagrams: nodes and edges at their places, scaled to fit, with words where there is room.
#include "charts/PicturePainter.h"

namespace trainyard {

class DiagramPainter final : public PicturePainter {
public:
    /// What the next paint() draws.
    void show(std::shared_ptr<const Diagram> diagram);

    void paint(QPaintDevice& device, const QRectF& area, const PictureStyle& look) override;
    std::optional<PictureHit> hitAt(QPointF at) const override;
    std::optional<PictureHit> neighbour(const PictureHit* from, int along, int across) const override;
    void zoom(QPointF about, double factor) override;
    void pan(QPointF by) override { m_moved += by; }
    void showAll() override;
    bool isZoomed() const override { return m_zoom != 1 || !m_moved.isNull(); }
    std::size_t items() const override { return m_items; }
    QRectF nodeRect(std::size_t node) const; ///< pixels

private:
    void fit(const QRectF& area, double line);
    QPointF pixelOf(double x, double y) const;
    QPolygonF pathOf(const Edge& edge) const; ///< from the rim of a node to that of the other
    void drawEdge(LaneCanvas& canvas, const Edge& edge, const PictureStyle& look) const;
    bool isFree(const QRectF& place) const;
    void drawNode(LaneCanvas& canvas, const Node& node, const QRectF& box, const PictureStyle& look);
    PictureHit hitOf(std::size_t node) const;

    std::shared_ptr<const Diagram> m_diagram = std::make_shared<Diagram>();
    double m_scale = 1, m_zoom = 1; ///< pixels per unit without zoom; by the user
    QPointF m_origin, m_moved;      ///< of the diagram's place (0, 0), without what the user moved
    QRectF m_area;
    std::size_t m_items = 0;
    std::vector<QRectF> m_words; ///< where words stand beneath nodes
};

} // namespace trainyard
