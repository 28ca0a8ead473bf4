// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Paints a CanvasContent in a few batches: rack frames, links by colour and width, switches, machines at one
// of four levels of detail. Knows no widget, so that it is measured and tested without one. One object per
// painting.
#include "canvas/CanvasContent.h"
#include "theme/Theme.h"

#include <QFont>

#include <utility>
#include <vector>

class QPainter;

namespace trainyard {

class ClusterGround;

class ClusterPainter {
public:
    /// `exposed`: the part of the scene that is seen; the rest is skipped. `zoom`: screen pixels per scene
    /// pixel.
    ClusterPainter(const CanvasContent& content, const Theme& theme, QRectF exposed, double zoom);
    ClusterPainter(const CanvasContent&, const Theme&&, QRectF, double) = delete; // it keeps the theme
    /// For devices with finer pixels than a screen's: text can be smaller, and hair lines have a width.
    void forPrint();
    /// For pictures that are looked at, not read.
    void withoutText();
    /// `ground`: keeps what does not change from one painting to the next; without it all is painted.
    void paint(QPainter& painter, ClusterGround* ground = nullptr) const;
    /// The job whose slot on the machine's card lies under a point; invalid if none does.
    static JobId jobAt(const CanvasContent& content, std::size_t machine, QPointF point);

private:
    /// Of what is dragged, or of all else.
    QColor rackGround() const;
    void paintRacks(QPainter& painter, bool lifted) const;
    void paintRackTitles(QPainter& painter, bool lifted) const;
    void paintBlockTitles(QPainter& painter, bool lifted) const;
    bool linksAreCurved() const;
    bool isExposed(std::size_t link) const;
    bool isMarked(std::size_t link) const;
    void paintSingleLink(QPainter& painter, std::size_t link) const;
    void paintLinksAtRest(QPainter& painter, bool lifted) const;
    void paintBusyLinks(QPainter& painter) const;
    void paintBatch(QPainter& painter, const QVector<QLineF>& lines, const QColor& colour, double width) const;
    void paintLink(QPainter& painter, std::size_t link, const QPen& pen) const;
    void paintFlows(QPainter& painter) const;
    void paintSwitches(QPainter& painter) const;
    void paintNameBeside(QPainter& painter, std::size_t i) const;
    // Of a card, in pixels of the scene.
    static constexpr double slotSide = 15, cardPadding = 12, nameRow = 24, barsTop = 28;
    static constexpr double usualType = 10.5; ///< pixels on the device
    /// Names on cards that are zoomed out: text takes longer than all else.
    static constexpr std::ptrdiff_t mostNames = 250;
    /// Where the name of a machine stands on its card.
    struct NamePlace {
        QRectF row;
        std::optional<QFont> font = {}; ///< nothing: there is no name
        QString text = {};              ///< all of it, or what tells the machine from others
        bool overBars = false;          ///< else in their place
        int size = 0;                   ///< pixels of the type in which all of it stands here; 0: in none
    };
    using NamePlaces = std::vector<std::pair<std::size_t, NamePlace>>; ///< with the indexes of their machines
    NamePlace placeOfName(const QPainter& painter, std::size_t machine, bool named) const;
    NamePlace withName(NamePlace place, const QString& name) const;
    NamePlace placeOnBlock(const QPainter& painter, std::size_t machine) const;
    void paintCard(QPainter& painter, std::size_t machine, const NamePlace& name) const;
    void shortenAlike(NamePlaces& places) const;
    void setInOneSize(NamePlaces& places) const;
    /// Its name, and what is to be said about the machine.
    void paintCardText(QPainter& painter, std::size_t machine, const NamePlace& place) const;
    void paintName(QPainter& painter, const QString& name, const QFont& font, const QRectF& box,
                   Qt::Alignment along) const;
    void paintBars(QPainter& painter, std::size_t machine, const QRectF& card) const;
    void paintBarName(QPainter& painter, std::size_t resource, double share, const QRectF& bar) const;
    void paintSlots(QPainter& painter, std::size_t machine, const QRectF& card) const;
    void paintActivity(QPainter& painter, const TaskSlot& slot, const QRectF& row) const;
    void paintSlot(QPainter& painter, const TaskSlot& slot, const QRectF& box) const;
    void paintBlock(QPainter& painter, std::size_t machine) const;
    void paintBlockName(QPainter& painter, std::size_t machine, const NamePlace& place) const;
    void paintCells(QPainter& painter) const;
    double linkWidth(std::size_t link) const;
    /// Pixels of the scene that type gets: as usual at full size, more when zoomed out, so that it can still
    /// be read, and no more than there is room for.
    double typeSize(double usual, double room) const;
    double leastSize() const; ///< of type that can be read, in the scene
    bool isReadable(double size) const;
    /// A font of that size, or nothing if it could not be read.
    std::optional<QFont> readable(const QPainter& painter, double usual, double room, bool bold) const;
    bool isDimmed(JobId job) const { return m_content.selectedJob.valid() && job != m_content.selectedJob; }

    const CanvasContent& m_content;
    const Theme& m_theme;
    QRectF m_exposed;
    double m_zoom;
    Detail m_detail;
    bool m_forPrint = false;
    bool m_text = true;
    double m_type; ///< size of type, 1 = as usual; cards keep theirs
};

} // namespace trainyard
