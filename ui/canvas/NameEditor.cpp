// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/NameEditor.h"

#include "canvas/CanvasView.h"

#include <QKeyEvent>

#include <algorithm>

namespace trainyard {

namespace name_editor {

/// The thing with this id, and its name; nothing if there is none.
std::pair<ClusterLayout::Hit, QString> find(const Cluster& cluster, const QString& key) {
    const std::string wanted = key.toStdString();
    const auto in = [&](const auto& list, ClusterLayout::Kind kind) -> std::pair<ClusterLayout::Hit, QString> {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i].key == wanted) return {{kind, i}, QString::fromStdString(list[i].name)};
        return {};
    };
    if (auto hit = in(cluster.machines, ClusterLayout::Kind::machine); hit.first.kind != ClusterLayout::Kind::nothing)
        return hit;
    if (auto hit = in(cluster.switches, ClusterLayout::Kind::switchNode);
        hit.first.kind != ClusterLayout::Kind::nothing)
        return hit;
    return in(cluster.racks, ClusterLayout::Kind::rack);
}

} // namespace name_editor

NameEditor::NameEditor(CanvasView& canvas, ScenarioModel& document)
    : QLineEdit(canvas.viewport()), m_canvas(canvas), m_document(document) {
    hide();
    setAccessibleName(tr("Name"));
    setToolTip(tr("<b>Name</b><br>Enter accepts, Escape keeps the old name; without a name the id is shown"));
    connect(&canvas, &CanvasView::viewChanged, this, &NameEditor::place);
    connect(&document, &ScenarioModel::documentReplaced, this, [this] { finish(false); });
}

bool NameEditor::open(const QString& key) {
    const auto [hit, name] = name_editor::find(m_canvas.content().cluster, key);
    if (hit.kind == ClusterLayout::Kind::nothing || m_canvas.rectOf(hit).isNull()) return false;
    m_key = key;
    m_before = name;
    setText(name);
    setPlaceholderText(key);
    show();
    place();
    raise();
    selectAll();
    setFocus();
    return true;
}

void NameEditor::place() {
    if (isHidden()) return;
    const auto hit = name_editor::find(m_canvas.content().cluster, m_key).first;
    if (hit.kind == ClusterLayout::Kind::nothing) return finish(false);
    const QRect card = m_canvas.mapFromScene(m_canvas.rectOf(hit)).boundingRect();
    constexpr int least = 120, most = 240;
    const int width = std::clamp(card.width() - 8, least, most), height = sizeHint().height();
    const int x = hit.kind == ClusterLayout::Kind::rack ? card.left() + 4 : card.center().x() - width / 2;
    const int y = hit.kind == ClusterLayout::Kind::switchNode ? card.center().y() - height / 2 : card.top() + 2;
    setGeometry(x, y, width, height);
}

void NameEditor::finish(bool take) {
    if (isHidden()) return;
    const bool hadFocus = hasFocus();
    const QString name = text().trimmed();
    hide();
    if (take && name != m_before) m_document.renameEntity(m_key, name);
    if (hadFocus) m_canvas.setFocus();
}

void NameEditor::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape: return finish(false);
    case Qt::Key_Return:
    case Qt::Key_Enter: return finish(true);
    default: QLineEdit::keyPressEvent(event);
    }
}

void NameEditor::focusOutEvent(QFocusEvent* event) {
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason) finish(true);
}

} // namespace trainyard
