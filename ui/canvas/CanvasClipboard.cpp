// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The commands of CanvasEditor that go through the clipboard, where a piece of a cluster is JSON text.
#include "canvas/CanvasEditor.h"
#include "scenario/Fragment.h"
#include "theme/CoreText.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

namespace trainyard {

namespace canvas_clipboard {

QString problemText(const Problems& problems) {
    for (const Problem& problem : problems) {
        if (problem.severity != Severity::error) continue;
        QString text = coreText(problem.message);
        if (!problem.pointer.empty())
            text = CanvasEditor::tr("%1 (at %2)").arg(text, QString::fromStdString(problem.pointer));
        if (problem.line > 0) text = CanvasEditor::tr("line %1: %2").arg(problem.line).arg(text);
        return text;
    }
    return {};
}

} // namespace canvas_clipboard

void CanvasEditor::copy() {
    if (!whyNotCopy().isEmpty()) return;
    Scenario placed = m_workspace.document().scenario();
    pinPlaces(placed.cluster);
    const QString text =
        QString::fromStdString(writeFragment(excerptOf(placed, withWholeRacks(cluster(), selected()))));
    QGuiApplication::clipboard()->setText(text);
    m_pasted = text;
    m_pastes = 0;
}

void CanvasEditor::cut() {
    if (!whyNotCopy().isEmpty()) return;
    const QString names = namesOf(selected());
    copy();
    const KeySet keys = selected();
    m_workspace.document().change(tr("Cut %1").arg(names), [&](Scenario& s) {
        pinPlaces(s.cluster);
        removeWithMembers(s, keys);
    });
    m_workspace.selection().selectEntities({});
}

QString CanvasEditor::whyNotPaste() const {
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    return data && data->hasText() ? QString() : tr("The clipboard holds no text");
}

void CanvasEditor::paste() {
    if (const QString why = whyNotPaste(); !why.isEmpty()) {
        Q_EMIT said(why, true);
        return;
    }
    const QString text = QGuiApplication::clipboard()->text();
    Result<Scenario> read = readFragment(text.toStdString());
    if (!read.ok()) {
        Q_EMIT said(tr("The clipboard holds no part of a cluster: %1. Nothing was pasted.")
                        .arg(canvas_clipboard::problemText(read.problems())),
                    true);
        return;
    }
    Scenario piece = std::move(*read);
    if (piece.cluster.machines.empty() && piece.cluster.switches.empty() && piece.cluster.racks.empty()) {
        Q_EMIT said(tr("The part on the clipboard has no machines, switches or racks. Nothing was pasted."), true);
        return;
    }
    pinPlaces(piece.cluster);
    const QRectF bounds = boundsOf(piece.cluster);
    if (text != m_pasted) m_pastes = 0;
    m_pasted = text;
    QPointF by;
    if (const auto mouse = targetInScene())
        by = m_canvas.snapped(*mouse - bounds.center());
    else
        by = QPointF(1, 1) * (++m_pastes * ClusterLayout::gap);
    KeySet pasted;
    m_workspace.document().change(tr("Paste"), [&](Scenario& s) {
        pinPlaces(s.cluster);
        pasted = insertFragment(s, std::move(piece), {by.x(), by.y()}).keys;
    });
    select(pasted);
}

} // namespace trainyard
