// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/ClusterPane.h"

#include "canvas/CanvasTips.h"
#include "canvas/ClusterPainter.h"
#include "session/Selection.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace trainyard {

namespace cluster_pane {
constexpr double margin = 14;     // pixels
constexpr double mostZoom = 1.25; // a few machines need not fill a projector
} // namespace cluster_pane

ClusterPane::ClusterPane(Selection& selection, QWidget* parent) : QWidget(parent), m_selection(selection) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&selection, &Selection::changed, this, &ClusterPane::takeSelection);
}

void ClusterPane::setCluster(const Cluster& cluster) {
    m_content.setCluster(cluster);
    m_content.setState(nullptr);
    update();
}

void ClusterPane::setState(std::shared_ptr<const ClusterState> state) {
    if (state == m_content.state) return;
    m_content.setState(std::move(state));
    update();
}

void ClusterPane::takeSelection() {
    m_content.selectedJob = m_selection.job();
    m_content.selectedKeys.clear();
    for (const QString& key : m_selection.entities()) m_content.selectedKeys.insert(key.toStdString());
    update();
}

ThumbnailFit ClusterPane::fit() const {
    using cluster_pane::margin;
    return ThumbnailFit::of(m_content.layout.bounds, QRectF(rect()).adjusted(margin, margin, -margin, -margin),
                            cluster_pane::mostZoom);
}

QPointF ClusterPane::positionOf(MachineId machine) const {
    return fit().toPicture(m_content.layout.machines[machine.index()].center());
}

void ClusterPane::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    if (m_content.cluster.machines.empty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const ThumbnailFit placed = fit();
    painter.translate(placed.origin);
    painter.scale(placed.scale, placed.scale);
    const QRectF exposed(placed.toScene({0, 0}), QSizeF(size()) / placed.scale);
    ClusterPainter(m_content, theme, exposed, placed.scale).paint(painter, &m_ground);
}

ClusterLayout::Hit ClusterPane::hitAt(QPointF at) const {
    constexpr double reach = 5; // pixels
    return m_content.layout.at(fit().toScene(at), reach / fit().scale);
}

void ClusterPane::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const ClusterLayout::Hit hit = hitAt(event->position());
    if (hit.kind == ClusterLayout::Kind::machine)
        if (const JobId job = ClusterPainter::jobAt(m_content, hit.index, fit().toScene(event->position()));
            job.valid())
            return m_selection.selectJob(job);
    if (hit.kind == ClusterLayout::Kind::nothing)
        m_selection.clear();
    else
        m_selection.selectEntities({QString::fromStdString(m_content.keyOf(hit))});
}

bool ClusterPane::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const ClusterLayout::Hit hit = hitAt(help->pos());
    if (hit.kind == ClusterLayout::Kind::nothing)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), canvasTip(m_content, hit), this);
    return true;
}

} // namespace trainyard
