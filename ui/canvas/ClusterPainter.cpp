// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/ClusterPainter.h"

#include "base/Format.h"
#include "canvas/ClusterGround.h"
#include "canvas/NameFit.h"
#include "model/ResourceLabel.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

constexpr double slotStep = 19;
constexpr double namedBars = 2.4;                     // zoom from which bars have names
constexpr double leastType = 8.5, leastPrintType = 5; // pixels on the device

std::optional<Activity> ringOf(WorkerPhase phase) {
    switch (phase) {
    case WorkerPhase::waiting:
    case WorkerPhase::blocked: return Activity::waiting;
    case WorkerPhase::pulling:
    case WorkerPhase::pushing: return Activity::transfer;
    case WorkerPhase::idle:
    case WorkerPhase::computing:
    case WorkerPhase::updating:
    case WorkerPhase::absent:
    case WorkerPhase::discarded:
    case WorkerPhase::failed: break;
    }
    return std::nullopt;
}

QString activityText(const TaskSlot& slot) {
    if (slot.role == TaskRole::server) return QCoreApplication::translate("ClusterPainter", "server");
    if (!slot.isLogged) return QCoreApplication::translate("ClusterPainter", "running");
    switch (slot.phase) {
    case WorkerPhase::idle: return QCoreApplication::translate("ClusterPainter", "idle");
    case WorkerPhase::pulling: return QCoreApplication::translate("ClusterPainter", "reading");
    case WorkerPhase::computing: return QCoreApplication::translate("ClusterPainter", "computing");
    case WorkerPhase::pushing: return QCoreApplication::translate("ClusterPainter", "sending");
    case WorkerPhase::waiting: return QCoreApplication::translate("ClusterPainter", "waiting");
    case WorkerPhase::blocked: return QCoreApplication::translate("ClusterPainter", "blocked");
    case WorkerPhase::updating: // folds alone know these
    case WorkerPhase::absent:
    case WorkerPhase::discarded:
    case WorkerPhase::failed: break;
    }
    return {};
}

} // namespace

ClusterPainter::ClusterPainter(const CanvasContent& content, const Theme& theme, QRectF exposed, double zoom)
    : m_content(content), m_theme(theme), m_exposed(exposed), m_zoom(zoom), m_detail(detailAt(zoom)),
      m_type(Theme::scale()) {}

void ClusterPainter::withoutText() { m_text = false; }

void ClusterPainter::forPrint() {
    constexpr double finer = 1.5; // than a screen
    m_forPrint = true;
    m_type = 1;
    m_detail = detailAt(m_zoom * finer);
}

double ClusterPainter::typeSize(double usual, double room) const {
    const double least = (m_forPrint ? leastPrintType : usualType) / m_zoom;
    return std::min(std::max(usual, least) * m_type, room);
}

double ClusterPainter::leastSize() const { return (m_forPrint ? leastPrintType : leastType) / m_zoom; }

bool ClusterPainter::isReadable(double size) const { return size >= leastSize(); }

std::optional<QFont> ClusterPainter::readable(const QPainter& painter, double usual, double room, bool bold) const {
    const double size = typeSize(usual, room);
    if (!m_text || m_detail >= Detail::blocks || !isReadable(size)) return std::nullopt;
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::lround(size)));
    font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

void ClusterPainter::paint(QPainter& painter, ClusterGround* ground) const {
    painter.setRenderHint(QPainter::Antialiasing, m_detail == Detail::full || m_detail == Detail::shapes);
    if (linksAreCurved()) {
        for (const bool lifted : {false, true}) paintRacks(painter, lifted);
        for (std::size_t i = 0; i < m_content.layout.links.size(); ++i)
            if (isExposed(i)) paintSingleLink(painter, i);
        for (const bool lifted : {false, true}) paintRackTitles(painter, lifted);
    } else {
        const auto beneath = [this](QPainter& p, const QRectF& seen) {
            ClusterPainter wide(*this);
            wide.m_exposed = seen;
            wide.paintRacks(p, false);
            wide.paintLinksAtRest(p, false);
            wide.paintRackTitles(p, false);
        };
        if (m_content.isAnyLifted()) paintRacks(painter, true);
        if (ground)
            ground->paint(painter, m_content, m_theme, beneath);
        else
            beneath(painter, m_exposed);
        if (m_content.isAnyLifted()) paintLinksAtRest(painter, true), paintRackTitles(painter, true);
        paintBusyLinks(painter);
    }
    if (m_content.flowing && m_detail == Detail::full) paintFlows(painter);
    paintSwitches(painter);
    if (m_detail == Detail::cells) {
        paintCells(painter);
        return;
    }
    const auto& cards = m_content.layout.machines;
    const auto seen = [this](const QRectF& card) { return card.intersects(m_exposed); };
    const bool named =
        m_forPrint || m_detail == Detail::full || std::count_if(cards.begin(), cards.end(), seen) <= mostNames;
    NamePlaces shown;
    for (std::size_t i = 0; i < cards.size(); ++i)
        if (seen(cards[i]))
            shown.emplace_back(i,
                               m_detail == Detail::blocks ? placeOnBlock(painter, i) : placeOfName(painter, i, named));
    shortenAlike(shown);
    setInOneSize(shown);
    for (const auto& [i, place] : shown) {
        if (m_detail == Detail::blocks) {
            paintBlock(painter, i);
            paintBlockName(painter, i, place);
        } else
            paintCard(painter, i, place);
    }
}

QColor ClusterPainter::rackGround() const { return Theme::mix(m_theme.text, m_theme.window, 0.025); }

void ClusterPainter::paintRacks(QPainter& painter, bool lifted) const {
    for (std::size_t i = 0; i < m_content.layout.racks.size(); ++i) {
        const QRectF& box = m_content.layout.racks[i];
        if (box.isNull() || m_content.isRackLifted(i) != lifted || !box.intersects(m_exposed)) continue;
        const bool selected = m_content.isSelected(m_content.cluster.racks[i].key);
        painter.setPen(QPen(selected ? m_theme.accent : m_theme.hairline, (selected ? 2 : 1) / std::min(m_zoom, 1.0)));
        painter.setBrush(rackGround());
        if (m_detail <= Detail::shapes)
            painter.drawRoundedRect(box, 10, 10);
        else
            painter.drawRect(box);
    }
}

/// Over the links, which may pass where a title stands; the further away, the more of the title's row it takes.
void ClusterPainter::paintRackTitles(QPainter& painter, bool lifted) const {
    constexpr double usualRoom = ClusterLayout::rackTitle - 6, mostRoom = 0.95 * ClusterLayout::rackTitle;
    auto font = readable(painter, 13, usualRoom, true);
    if (!font || font->pixelSize() * m_zoom < usualType) font = readable(painter, 13, mostRoom, true);
    if (!font) return paintBlockTitles(painter, lifted);
    for (std::size_t i = 0; i < m_content.layout.racks.size(); ++i) {
        const QRectF& box = m_content.layout.racks[i];
        if (box.isNull() || m_content.isRackLifted(i) != lifted || !box.intersects(m_exposed)) continue;
        const QRectF title(box.left() + 14, box.top(), box.width() - 28, ClusterLayout::rackTitle);
        const QString name = m_content.nameOf({ClusterLayout::Kind::rack, i});
        const double wide = std::min(title.width(), QFontMetricsF(*font).horizontalAdvance(name));
        painter.fillRect(QRectF(title.left() - 4, title.top() + 2, wide + 8, title.height() - 3), rackGround());
        painter.setPen(m_theme.muted);
        paintName(painter, name, *font, title, Qt::AlignLeft);
    }
}

/// Of racks whose cards are blocks, where a corner of the frame is free, or a place beside it.
void ClusterPainter::paintBlockTitles(QPainter& painter, bool lifted) const {
    constexpr std::size_t most = 24; // of more, the picture is what matters
    const auto& layout = m_content.layout;
    if (!m_text || m_detail != Detail::blocks || layout.racks.size() > most) return;
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::lround(usualType * m_type / m_zoom)));
    font.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(m_theme.muted);
    for (std::size_t i = 0; i < layout.racks.size(); ++i) {
        if (layout.racks[i].isNull() || m_content.isRackLifted(i) != lifted) continue;
        const QString name = m_content.nameOf({ClusterLayout::Kind::rack, i});
        const double pad = 3 / m_zoom;
        const QRectF& rack = layout.racks[i];
        QRectF title(rack.topLeft() + QPointF(pad, pad), QSizeF(metrics.horizontalAdvance(name), metrics.height()));
        const auto isInTheWay = [&](const QRectF& box) { return box.intersects(title); };
        const auto isFree = [&] {
            return std::ranges::none_of(layout.machines, isInTheWay) &&
                   std::ranges::none_of(layout.switches, isInTheWay);
        };
        bool fits = title.right() < rack.right() && isFree();
        for (const double left : {rack.right() + 2 * pad, rack.left() - 2 * pad - title.width()}) {
            if (fits) break;
            title.moveTopLeft({left, rack.center().y() - title.height() / 2});
            fits = m_exposed.contains(title) && isFree() && std::ranges::none_of(layout.racks, isInTheWay);
        }
        if (fits) painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
    }
}

/// Far away a name is higher than its switch, and stands beside it where nothing is in its way.
void ClusterPainter::paintNameBeside(QPainter& painter, std::size_t i) const {
    const auto& layout = m_content.layout;
    if (!m_text || std::ssize(layout.switches) > mostNames || layout.switches[i].isNull()) return;
    QFont font = painter.font();
    font.setPixelSize(static_cast<int>(std::lround(usualType * m_type / m_zoom)));
    font.setWeight(QFont::Normal);
    const QFontMetricsF metrics(font);
    const QString name = m_content.labelOf({ClusterLayout::Kind::switchNode, i});
    QRectF chip(0, 0, metrics.horizontalAdvance(name) + metrics.xHeight(), metrics.height());
    chip.moveCenter(layout.switches[i].center());
    chip.moveLeft(layout.switches[i].right() + 0.3 * metrics.xHeight());
    const auto isInTheWay = [&](const QRectF& box) { return box.intersects(chip); };
    const auto isCrossed = [&](const QRectF& rack) { return isInTheWay(rack) && !rack.contains(chip); };
    if (std::ranges::any_of(layout.machines, isInTheWay) || std::ranges::any_of(layout.switches, isInTheWay) ||
        std::ranges::any_of(layout.racks, isCrossed))
        return;
    painter.setFont(font);
    painter.setPen(m_theme.text);
    painter.drawText(chip, Qt::AlignCenter | Qt::TextDontClip, name);
}

void ClusterPainter::paintSwitches(QPainter& painter) const {
    auto font = readable(painter, 12, ClusterLayout::switchHeight - 6, false);
    if (!font || font->pixelSize() * m_zoom < usualType)
        font = readable(painter, 12, 0.8 * ClusterLayout::switchHeight, false);
    for (std::size_t i = 0; i < m_content.layout.switches.size(); ++i) {
        const QRectF& box = m_content.layout.switches[i];
        if (!box.intersects(m_exposed)) continue;
        const bool selected = m_content.isSelected(m_content.cluster.switches[i].key);
        painter.setPen(QPen(selected ? m_theme.accent : m_theme.rest(0.55, m_theme.surface), selected ? 2 : 1.25));
        painter.setBrush(m_theme.raised);
        if (m_detail >= Detail::blocks) {
            painter.fillRect(box, Theme::mix(m_theme.muted, m_theme.surface, 0.6));
            continue;
        }
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
        if (!font) {
            paintNameBeside(painter, i);
            continue;
        }
        painter.setPen(m_theme.text);
        paintName(painter, m_content.labelOf({ClusterLayout::Kind::switchNode, i}), *font, box.adjusted(8, 2, -8, -2),
                  Qt::AlignHCenter);
    }
}

void ClusterPainter::paintCard(QPainter& painter, std::size_t machine, const NamePlace& name) const {
    const QRectF card = m_content.layout.machines[machine];
    const MachineId id(machine);
    const bool selected = m_content.isSelected(m_content.cluster.machines[machine].key);
    const bool hovered = m_content.hovered.kind == ClusterLayout::Kind::machine && m_content.hovered.index == machine;
    const bool up = m_content.isUp(id);
    const bool dim = m_content.selectedJob.valid() && !m_content.holdsSelectedJob(id);
    QColor edge = hovered ? m_theme.muted : m_theme.rest(m_theme.dark ? 0.45 : 0.35, m_theme.surface);
    if (!up) edge = m_theme.activity(Activity::failed);
    if (selected) edge = m_theme.accent;
    painter.setPen(QPen(edge, selected || !up ? 2 : 1));
    painter.setBrush(m_theme.raised);
    painter.drawRoundedRect(card, 8, 8);
    if (!up) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(
            QBrush(Theme::mix(m_theme.activity(Activity::failed), m_theme.surface, 0.35), Qt::BDiagPattern));
        painter.drawRoundedRect(card, 8, 8);
    }
    painter.setOpacity(dim ? 0.4 : 1.0);
    if (name.font) paintCardText(painter, machine, name);
    if (!name.font || name.overBars) paintBars(painter, machine, card);
    paintSlots(painter, machine, card);
    painter.setOpacity(1);
}

void ClusterPainter::paintCardText(QPainter& painter, std::size_t machine, const NamePlace& place) const {
    const QRectF& row = place.row;
    QFont font = *place.font;
    const Machine& m = m_content.cluster.machines[machine];
    font.setWeight(QFont::Normal);
    painter.setFont(font);
    QString note, shortNote;
    QColor noteColour = m_theme.muted;
    if (!m_content.isUp(MachineId(machine))) {
        note = QCoreApplication::translate("ClusterPainter", "down");
        noteColour = m_theme.problem;
    } else if (m.straggler.persistentFactor != 1) {
        note = QCoreApplication::translate("ClusterPainter", "%1× slower")
                   .arg(QString::fromStdString(formatNumber(m.straggler.persistentFactor, 3)));
        shortNote = QStringLiteral("%1×").arg(QString::fromStdString(formatNumber(m.straggler.persistentFactor, 3)));
        noteColour = m_theme.warning;
    } else if (!m.device.empty()) {
        note = QString::fromStdString(m.device);
    }
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    const double nameWidth = QFontMetricsF(bold).horizontalAdvance(place.text);
    const QFontMetricsF noteMetrics(font);
    const auto fits = [&](const QString& text) {
        return nameWidth + noteMetrics.horizontalAdvance(text) + 8 <= row.width();
    };
    if (!fits(note)) note = fits(shortNote) ? shortNote : QString(); // the name matters more
    if (!note.isEmpty()) {
        painter.setPen(noteColour);
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, note);
    }
    painter.setPen(m_theme.text);
    paintName(painter, place.text, bold, row, Qt::AlignLeft);
}

/// In two lines only where the box is high enough for them.
void ClusterPainter::paintName(QPainter& painter, const QString& name, const QFont& font, const QRectF& box,
                               Qt::Alignment along) const {
    NameFit fit = NameFit::of(name, font, box.size(), box.size(), leastSize());
    // Of "Machine 2" rather "2" than "Mac…e 2".
    const QString number = NameFit::shortest(name);
    if (fit.text.contains(u'…') && std::ranges::any_of(number, [](QChar c) { return c.isDigit(); }))
        fit = NameFit::of(number, font, box.size(), box.size(), leastSize());
    painter.setFont(fit.font);
    painter.drawText(box, static_cast<int>(along | Qt::AlignVCenter) | Qt::TextDontClip, fit.text);
}

void ClusterPainter::paintBars(QPainter& painter, std::size_t machine, const QRectF& card) const {
    painter.setPen(Qt::NoPen);
    constexpr double tall = 4;
    const bool round = m_forPrint || tall * m_zoom >= 1.6; // lower ends are no more than a pixel
    const auto fill = [&](const QRectF& part, double weight) {
        const QColor colour = m_theme.rest(weight, m_theme.raised);
        if (!round) return painter.fillRect(part, colour);
        painter.setBrush(colour);
        painter.drawRoundedRect(part, tall / 2, tall / 2);
    };
    double y = card.top() + barsTop;
    for (std::size_t r = 0; r < m_content.cluster.resourceNames.size(); ++r) {
        const double share = m_content.usedShare(MachineId(machine), r);
        if (share < 0) continue;
        const QRectF bar(card.left() + cardPadding, y, card.width() - 2 * cardPadding, tall);
        fill(bar, 0.18);
        if (share > 0) fill(QRectF(bar.topLeft(), QSizeF(std::max(bar.width() * share, 4.0), bar.height())), 0.85);
        if (m_zoom >= namedBars && !m_forPrint) paintBarName(painter, r, share, bar);
        y += 8;
    }
}

/// Zoomed in there is room for what a bar is.
void ClusterPainter::paintBarName(QPainter& painter, std::size_t resource, double share, const QRectF& bar) const {
    const QString name = QString::fromStdString(resourceLabel(m_content.cluster.resourceNames[resource]));
    QFont font = painter.font();
    font.setPixelSize(4); // scene pixels: at this zoom twelve on screen or more
    painter.save();
    painter.setFont(font), painter.setPen(m_theme.text);
    painter.drawText(
        QRectF(bar.left(), bar.bottom() - 0.4, bar.width(), 5), Qt::AlignLeft | Qt::AlignTop | Qt::TextDontClip,
        QCoreApplication::translate("Canvas", "%1 %2 %").arg(name).arg(static_cast<int>(std::lround(100 * share))));
    painter.restore();
}

JobId ClusterPainter::jobAt(const CanvasContent& content, std::size_t machine, QPointF point) {
    const QRectF card = content.layout.machines[machine];
    const double y = card.bottom() - slotSide - 8;
    const double i = (point.x() - card.left() - cardPadding) / slotStep;
    if (point.y() < y || point.y() > y + slotSide || i < 0) return {};
    const auto index = static_cast<std::size_t>(i);
    return index < content.slots[machine].size() ? content.slots[machine][index].job : JobId();
}

void ClusterPainter::paintSlots(QPainter& painter, std::size_t machine, const QRectF& card) const {
    const auto& tasks = m_content.slots[machine];
    const double y = card.bottom() - slotSide - 8, left = card.left() + cardPadding;
    const double width = card.width() - 2 * cardPadding;
    const auto room = static_cast<std::size_t>((width + slotStep - slotSide) / slotStep);
    if (tasks.empty() && m_detail == Detail::full) {
        painter.setPen(QPen(m_theme.rest(0.5, m_theme.raised), 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(left, y, slotSide, slotSide), 3, 3);
        return;
    }
    const bool overflow = tasks.size() > room;
    // How many more there are is said where it can be read, beside as many as leave it the room.
    const auto moreFont = overflow && m_detail == Detail::full ? readable(painter, 11, slotSide, false) : std::nullopt;
    const double more =
        moreFont ? QFontMetricsF(*moreFont).horizontalAdvance(QStringLiteral("+%1").arg(tasks.size())) + 3 : 0;
    const auto beside = static_cast<std::size_t>(std::max(0.0, (width - more + slotStep - slotSide) / slotStep));
    const std::size_t shown = overflow ? std::min(beside, room) : tasks.size();
    for (std::size_t i = 0; i < shown; ++i)
        paintSlot(painter, tasks[i], {left + static_cast<double>(i) * slotStep, y, slotSide, slotSide});
    if (m_detail != Detail::full) return;
    if (tasks.size() == 1)
        paintActivity(painter, tasks.front(), {left + slotStep + 3, y - 1, width - slotStep - 3, slotSide + 2});
    if (!moreFont) return;
    painter.setFont(*moreFont);
    painter.setPen(m_theme.muted);
    painter.drawText(QRectF(left + width - more, y, more, slotSide),
                     Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip,
                     QStringLiteral("+%1").arg(tasks.size() - shown));
}

/// In words, where there is room: a machine with one task says what the task does.
void ClusterPainter::paintActivity(QPainter& painter, const TaskSlot& slot, const QRectF& row) const {
    const auto font = readable(painter, 11, row.height(), false);
    if (!font) return;
    painter.setFont(*font);
    const auto ring = slot.role == TaskRole::worker ? ringOf(slot.phase) : std::nullopt;
    // The hue of the activity, drawn towards the text so that it can be read.
    painter.setPen(ring ? Theme::mix(m_theme.activity(*ring), m_theme.text, 0.6) : m_theme.muted);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, activityText(slot));
}

void ClusterPainter::paintSlot(QPainter& painter, const TaskSlot& slot, const QRectF& box) const {
    const QColor colour = m_theme.job(slot.job, m_content.isColoured(slot.job));
    const double opacity = painter.opacity();
    if (isDimmed(slot.job)) painter.setOpacity(0.25);
    if (slot.role == TaskRole::server) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawEllipse(box);
        painter.setBrush(m_theme.raised);
        painter.drawEllipse(box.center(), 2.5, 2.5);
    } else if (slot.phase == WorkerPhase::computing || !slot.isLogged) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(box, 3, 3);
    } else {
        // Not computing: a pale square, ringed by what it does instead.
        const auto ring = ringOf(slot.phase);
        painter.setBrush(Theme::mix(colour, m_theme.raised, 0.30));
        painter.setPen(
            QPen(ring ? m_theme.activity(*ring) : Theme::mix(colour, m_theme.raised, 0.6), ring ? 2.5 : 1.2));
        const double inset = ring ? 1.25 : 0.6;
        painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), 3, 3);
    }
    if (m_content.isColoured(slot.job) && m_theme.jobStriped(slot.job)) {
        painter.setPen(QPen(m_theme.raised, 2));
        painter.drawLine(box.bottomLeft() + QPointF(3, -3), box.topRight() + QPointF(-3, 3));
    }
    painter.setOpacity(opacity);
}

/// A block is filled from the left with the colours of its jobs, as wide as its busiest resource is used.
void ClusterPainter::paintBlock(QPainter& painter, std::size_t machine) const {
    const QRectF card = m_content.layout.machines[machine];
    const MachineId id(machine);
    const bool selected = m_content.isSelected(m_content.cluster.machines[machine].key);
    if (!m_content.isUp(id)) {
        painter.fillRect(card, m_theme.activity(Activity::failed));
    } else {
        const auto& tasks = m_content.slots[machine];
        const double width =
            card.width() * m_content.busiestShare(id) / std::max<double>(1, static_cast<double>(tasks.size()));
        double x = card.left();
        for (const TaskSlot& slot : tasks) {
            QColor colour = m_theme.job(slot.job, m_content.isColoured(slot.job));
            if (isDimmed(slot.job)) colour = Theme::mix(colour, m_theme.window, 0.25);
            painter.fillRect(QRectF(x, card.top(), width, card.height()), colour);
            x += width;
        }
        if (card.right() - x > 1e-6)
            painter.fillRect(QRectF(QPointF(x, card.top()), card.bottomRight()), m_theme.rest(0.22, m_theme.window));
    }
    if (selected) {
        QPen pen(m_theme.accent, 2);
        pen.setCosmetic(true);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(card);
    }
}

/// A thousand machines as a picture: one cell each, by load; those of the selected job in its colour.
void ClusterPainter::paintCells(QPainter& painter) const {
    for (std::size_t i = 0; i < m_content.layout.machines.size(); ++i) {
        const QRectF card = m_content.layout.machines[i].adjusted(-8, -8, 8, 8);
        if (!card.intersects(m_exposed)) continue;
        const MachineId id(i);
        const double share = m_content.busiestShare(id);
        QColor colour = m_theme.load(share > 0 ? share : -1);
        if (m_content.selectedJob.valid())
            colour = m_content.holdsSelectedJob(id) ? m_theme.job(m_content.selectedJob)
                                                    : Theme::mix(colour, m_theme.window, 0.3);
        if (!m_content.isUp(id)) colour = m_theme.activity(Activity::failed);
        if (m_content.isSelected(m_content.cluster.machines[i].key)) colour = m_theme.accent;
        painter.fillRect(card, colour);
    }
}

} // namespace trainyard
