// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/CanvasSearch.h"

#include "canvas/CanvasView.h"
#include "theme/Icons.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace trainyard {

QStringList searchCluster(const Cluster& cluster, const QString& text) {
    QStringList exactly, own, byRack;
    const QString wanted = text.trimmed();
    if (wanted.isEmpty()) return {};
    const auto isCalled = [&](const auto& thing) {
        return wanted.compare(QString::fromStdString(thing.key), Qt::CaseInsensitive) == 0 ||
               wanted.compare(QString::fromStdString(thing.name), Qt::CaseInsensitive) == 0;
    };
    const auto matches = [&](const auto& thing) {
        return QString::fromStdString(thing.key).contains(wanted, Qt::CaseInsensitive) ||
               QString::fromStdString(thing.name).contains(wanted, Qt::CaseInsensitive);
    };
    std::set<std::string> racks;
    for (const Rack& rack : cluster.racks)
        if (matches(rack)) {
            racks.insert(rack.key);
            (isCalled(rack) ? exactly : own) << QString::fromStdString(rack.key);
        }
    const auto look = [&](const auto& nodes) {
        for (const auto& node : nodes) {
            const QString key = QString::fromStdString(node.key);
            if (matches(node))
                (isCalled(node) ? exactly : own) << key;
            else if (racks.contains(node.rack))
                byRack << key;
        }
    };
    look(cluster.machines);
    look(cluster.switches);
    return exactly + own + byRack;
}

CanvasSearch::CanvasSearch(Workspace& workspace, CanvasView& canvas)
    : QFrame(canvas.viewport()), m_workspace(workspace), m_canvas(canvas), m_text(new QLineEdit), m_status(new QLabel) {
    setProperty("card", true);
    setAutoFillBackground(true);
    setCursor(Qt::ArrowCursor);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 6, 6, 6);
    row->setSpacing(6);
    m_text->setPlaceholderText(tr("Name, id or rack"));
    m_text->setAccessibleName(tr("Find in the cluster"));
    m_text->setToolTip(tr("Enter goes to the next match, Shift and Enter to the one before, Escape closes"));
    m_text->setMinimumWidth(190);
    m_text->installEventFilter(this);
    row->addWidget(m_text);
    m_status->setProperty("muted", true);
    m_status->setMinimumWidth(m_status->fontMetrics().horizontalAdvance(tr("%1 of %2").arg(888).arg(8888)));
    row->addWidget(m_status);
    const auto button = [&](const char* iconName, const QString& name, auto act) {
        auto* tool = new QToolButton;
        tool->setIcon(icon(iconName));
        tool->setIconSize({14, 14});
        tool->setToolTip(name);
        tool->setAccessibleName(name);
        connect(tool, &QToolButton::clicked, this, act);
        row->addWidget(tool);
    };
    button("find-next", tr("Next match (Enter)"), [this] { go(1); });
    button("close", tr("Close (Escape)"), [this] { finish(); });
    connect(m_text, &QLineEdit::textChanged, this, &CanvasSearch::search);
    adjustSize();
    hide();
}

void CanvasSearch::open() {
    show();
    raise();
    m_text->setFocus();
    m_text->selectAll();
}

void CanvasSearch::finish() {
    hide();
    m_canvas.setFocus();
}

QString CanvasSearch::status() const { return m_status->text(); }

void CanvasSearch::search() {
    m_matches = searchCluster(m_workspace.document().scenario().cluster, m_text->text());
    m_current = 0;
    showMatch();
}

void CanvasSearch::go(int by) {
    m_matches = searchCluster(m_workspace.document().scenario().cluster, m_text->text()); // may have changed
    if (!m_matches.isEmpty()) m_current = (m_current + by + m_matches.size()) % m_matches.size();
    showMatch();
}

void CanvasSearch::showMatch() {
    if (m_matches.isEmpty()) {
        m_status->setText(m_text->text().trimmed().isEmpty() ? QString() : tr("No match"));
        return;
    }
    m_status->setText(tr("%1 of %2").arg(m_current + 1).arg(m_matches.size()));
    const QString key = m_matches[m_current];
    m_workspace.selection().selectEntities({key});
    m_canvas.showEntity(key);
}

bool CanvasSearch::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    switch (key->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: go(key->modifiers().testFlag(Qt::ShiftModifier) ? -1 : 1); return true;
    case Qt::Key_Escape: finish(); return true;
    default: return QFrame::eventFilter(watched, event);
    }
}

} // namespace trainyard
