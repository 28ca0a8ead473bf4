// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/EmptyCanvas.h"

#include "theme/Icons.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace trainyard {

EmptyCanvas::EmptyCanvas(QWidget* parent)
    : QWidget(parent), m_machine(new QPushButton(icon("machine"), tr("Add a machine"))),
      m_template(new QPushButton(tr("Start from a template…"))) {
    auto* column = new QVBoxLayout(this);
    column->setSpacing(12);
    auto* title = new QLabel(tr("Drag a machine here, or start from a template"));
    title->setProperty("title", true);
    title->setAlignment(Qt::AlignCenter);
    column->addWidget(title);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addStretch();
    row->addWidget(m_machine);
    m_template->setProperty("primary", true);
    row->addWidget(m_template);
    row->addStretch();
    column->addLayout(row);
    auto* more = new QLabel(tr("You can also open a scenario with Ctrl+O, or drop a scenario file here."));
    more->setProperty("muted", true);
    more->setAlignment(Qt::AlignCenter);
    column->addWidget(more);
    m_machine->setToolTip(tr("Puts a machine into the middle; drag from its edge to link it to another"));
    m_template->setToolTip(tr("Star, tree, fat tree, ring, torus, mesh: choose the numbers, see it, insert it"));
    adjustSize();
}

} // namespace trainyard
