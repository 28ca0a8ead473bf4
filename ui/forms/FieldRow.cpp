// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FieldRow.h"

#include "theme/CoreText.h"
#include "theme/Icons.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace field_row {
constexpr double pixelsPerStep = 4;
} // namespace field_row

FieldRow::FieldRow(const FieldInfo& field, FieldEditor* editor, QWidget* parent)
    : QWidget(parent), m_field(field), m_editor(editor), m_label(new QLabel), m_note(makeProblemNote()),
      m_reset(new QToolButton) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    m_label->setText(coreText(field.label));
    m_label->setWordWrap(true);
    m_label->setMinimumWidth(40);
    m_reset->setIcon(icon("undo"));
    m_reset->setIconSize({12, 12});
    m_reset->setFixedSize(18, 18);
    m_reset->setStyleSheet(QStringLiteral("QToolButton { padding: 1px; border-radius: 4px; }"));
    auto keep = m_reset->sizePolicy();
    keep.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(keep);
    const auto share = [](QWidget* widget) { // by the stretches alone, so that all rows line up
        widget->setSizePolicy(QSizePolicy::Ignored, widget->sizePolicy().verticalPolicy());
    };
    share(m_label);
    const auto [labelShare, editorShare] = editor->shares();
    line->addWidget(m_label, labelShare);
    if (!editor->isWide()) {
        share(editor);
        line->addWidget(editor, editorShare);
    }
    line->addWidget(m_reset);
    column->addLayout(line);
    if (editor->isWide()) column->addWidget(editor);
    if (QWidget* slider = editor->below()) column->addWidget(slider);
    auto* below = new QHBoxLayout; // right under what it is about, and apart from the next field
    if (!editor->isWide()) below->addStretch(1);
    below->addWidget(m_note, editor->isWide() ? 1 : 2);
    column->addLayout(below);
    m_note->setContentsMargins(0, 0, 0, 8);
    m_label->installEventFilter(this);

    connect(editor, &FieldEditor::edited, this, [this](const std::string& path, const std::string& json) {
        m_refused.clear();
        refresh();
        Q_EMIT edited(path, json);
    });
    connect(editor, &FieldEditor::refused, this, &FieldRow::refuse);
    connect(editor, &FieldEditor::dragBegan, this, &FieldRow::dragBegan);
    connect(editor, &FieldEditor::dragEnded, this, &FieldRow::dragEnded);
    connect(m_reset, &QToolButton::clicked, this, [this] {
        m_refused.clear();
        m_editor->control()->setFocus();
        Q_EMIT edited(m_field.path, {});
    });
}

bool FieldRow::canReset() const {
    // Text goes back by being deleted.
    const bool isText = m_field.kind == FieldInfo::Kind::text || m_field.kind == FieldInfo::Kind::list;
    return m_field.present && !m_field.required && !isText;
}

void FieldRow::show(const FieldInfo& field, const std::vector<std::string>& values) {
    m_field = field;
    m_editor->show(field, values);
    m_range.clear();
    for (const std::string& json : values)
        if (m_range.isEmpty()) m_range = rangeProblem(field, json);
    const QString help = fieldHelp(field), name = coreText(field.label);
    setToolTip(help);
    setWhatsThis(help);
    QWidget* control = m_editor->control();
    m_label->setBuddy(control);
    if (field.kind != FieldInfo::Kind::amounts) control->setAccessibleName(name); // amounts name each resource
    const std::string unit = field.unit.empty() ? std::string() : " (" + field.unit + ")";
    control->setAccessibleDescription(coreText(field.help) + QString::fromStdString(unit));
    m_reset->setVisible(canReset());
    const QString standard = fieldText(field, field.fallback);
    m_reset->setToolTip(standard.isEmpty() ? tr("Remove") : tr("Back to the default, %1").arg(standard));
    m_reset->setAccessibleName(tr("%1: back to the default").arg(name));
    m_label->setCursor(m_editor->canStep() ? Qt::SizeHorCursor : Qt::ArrowCursor);
    refresh();
}

void FieldRow::setProblem(const FieldProblem& problem) {
    if (m_problem == problem) return;
    m_problem = problem;
    refresh();
}

void FieldRow::refuse(const QString& why) {
    m_refused = why;
    refresh();
}

FieldProblem FieldRow::problem() const {
    if (!m_refused.isEmpty()) return {m_refused};
    return !m_range.isEmpty() ? FieldProblem{m_range} : m_problem;
}

void FieldRow::refresh() {
    const FieldProblem now = problem();
    showProblem(m_note, now);
    m_editor->mark(now);
    const bool before = std::exchange(m_wasRefused, isRefused());
    if (before != m_wasRefused) Q_EMIT refusalChanged();
}

bool FieldRow::eventFilter(QObject*, QEvent* event) {
    if (!m_editor->canStep()) return false;
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        if (static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton) return false;
        m_dragging = true;
        m_lastX = static_cast<QMouseEvent*>(event)->globalPosition().toPoint().x();
        Q_EMIT dragBegan();
        return true;
    case QEvent::MouseMove: {
        if (!m_dragging) return false;
        const int x = static_cast<QMouseEvent*>(event)->globalPosition().toPoint().x();
        m_editor->stepBy((x - m_lastX) / field_row::pixelsPerStep);
        m_lastX = x;
        return true;
    }
    case QEvent::MouseButtonRelease:
        if (!m_dragging) return false;
        m_dragging = false;
        Q_EMIT dragEnded();
        return true;
    default: return false;
    }
}

void FieldRow::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu;
    QAction* reset = menu.addAction(m_reset->toolTip());
    reset->setEnabled(canReset());
    if (menu.exec(event->globalPos()) == reset) m_reset->click();
}

} // namespace trainyard
