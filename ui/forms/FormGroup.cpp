// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/FormGroup.h"

#include "forms/FieldText.h"
#include "theme/CoreText.h"
#include "theme/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {

FormGroup::FormGroup(const FieldInfo& field, QWidget* parent)
    : QWidget(parent), m_field(field), m_fold(new QToolButton), m_add(new QToolButton), m_note(makeProblemNote()) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 0);
    column->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    m_fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_fold->setArrowType(Qt::DownArrow);
    m_fold->setIconSize({10, 10});
    QFont heading = m_fold->font();
    heading.setWeight(QFont::DemiBold);
    m_fold->setFont(heading);
    m_fold->setStyleSheet(QStringLiteral("QToolButton { padding: 2px 4px 2px 0; }"));
    m_add->setProperty("framed", true);
    line->addWidget(m_fold);
    line->addStretch(1);
    line->addWidget(m_add);
    column->addLayout(line);
    column->addWidget(m_note);
    connect(m_fold, &QToolButton::clicked, this, [this] {
        if (!m_field.present) return m_add->setFocus(); // there is nothing to unfold yet
        setOpen(!m_open);
        Q_EMIT folded();
    });
    connect(m_add, &QToolButton::clicked, this, [this] {
        setOpen(true);
        const bool law = m_field.type == "distribution";
        Q_EMIT edited(m_field.path, m_field.present ? std::string() : law ? "{\"law\": \"exponential\"}" : "{}");
    });
}

void FormGroup::setOpen(bool open) {
    m_open = open;
    m_fold->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
}

void FormGroup::show(const FieldInfo& field, bool presentInAll) {
    m_field = field;
    m_field.present = presentInAll;
    const QString name = coreText(field.label), help = fieldHelp(field);
    m_fold->setText(name);
    m_fold->setAccessibleDescription(coreText(field.help));
    QPalette colours = m_fold->palette();
    colours.setColor(QPalette::ButtonText, presentInAll ? Theme::current().text : Theme::current().muted);
    m_fold->setPalette(colours);
    setToolTip(help);
    setWhatsThis(help);
    m_add->setVisible(field.optional);
    m_add->setText(presentInAll ? tr("Remove") : tr("Add"));
    m_add->setAccessibleName(presentInAll ? tr("Remove: %1").arg(name) : tr("Add: %1").arg(name));
    m_add->setToolTip(presentInAll ? tr("Removes this") : coreText(field.help).toHtmlEscaped());
    if (presentInAll)
        setOpen(m_open);
    else
        m_fold->setArrowType(Qt::NoArrow);
}

void FormGroup::setProblem(const FieldProblem& problem) { showProblem(m_note, problem); }

} // namespace trainyard
