// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/TablesPanel.h"

#include "forms/FieldText.h"
#include "tables/EntityTable.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {

TablesPanel::TablesPanel(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_tabs(new QTabBar), m_tables(new QStackedWidget),
      m_jobKinds(new QMenu(this)), m_filter(new QLineEdit), m_all(new QCheckBox), m_add(new QToolButton),
      m_duplicate(new QToolButton), m_delete(new QToolButton), m_message(new QLabel) {
    using Kind = EntityRef::Kind;
    setProperty("panel", true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Kind of items"));
    head->addWidget(m_tabs, 1);
    head->addWidget(makeBar());
    m_message->setProperty("problem", true);
    m_message->setContentsMargins(12, 4, 12, 4);
    m_message->setWordWrap(true);
    m_message->hide();
    m_tables->setMinimumHeight(1); // they scroll: the panel does not ask for more than a low window has
    column->addLayout(head);
    column->addWidget(m_tables, 1);
    column->addWidget(m_message);
    addTable(Kind::machine, tr("Machines"));
    addTable(Kind::link, tr("Links"));
    addTable(Kind::switchNode, tr("Switches"));
    addTable(Kind::rack, tr("Racks"));
    addTable(Kind::device, tr("Devices"));
    addTable(Kind::job, tr("Jobs"));
    addTable(Kind::generator, tr("Generators"));
    addTable(Kind::fault, tr("Faults"));
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_tables->setCurrentIndex(index);
        refresh();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) { current()->setFilter(text); });
    connect(m_all, &QCheckBox::toggled, this, [this](bool all) { current()->entities().setAllColumns(all); });
    connect(m_add, &QToolButton::clicked, this, [this] { current()->addRow(); });
    connect(m_duplicate, &QToolButton::clicked, this, [this] { current()->duplicateRows(); });
    connect(m_delete, &QToolButton::clicked, this, [this] { current()->deleteRows(); });
    refresh();
}

QWidget* TablesPanel::makeBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 2, 8, 2);
    row->setSpacing(6);
    m_filter->setPlaceholderText(tr("Filter"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(180);
    m_filter->setAccessibleName(tr("Filter rows"));
    m_filter->setToolTip(tr("Shows the rows that contain this text in any column"));
    m_all->setText(tr("All columns"));
    m_all->setToolTip(tr("Also shows fields that no row sets"));
    m_add->setText(tr("Add"));
    m_add->setToolTip(tr("<b>Add</b> (Insert)<br>Adds a row like the last one"));
    m_duplicate->setText(tr("Duplicate"));
    m_duplicate->setToolTip(tr("<b>Duplicate</b> (Ctrl+D)<br>Copies the selected rows under new ids"));
    m_delete->setText(tr("Delete"));
    m_delete->setToolTip(tr("<b>Delete rows</b> (Ctrl+-)<br>Removes the selected rows; undo restores them"));
    row->addWidget(m_filter);
    row->addWidget(m_all);
    for (QToolButton* button : {m_add, m_duplicate, m_delete}) {
        button->setProperty("framed", true);
        row->addWidget(button);
    }
    const auto job = [&](const QString& text, JobKind kind) {
        m_jobKinds->addAction(text, this, [this, kind] { current()->addJobRow(kind); });
    };
    job(tr("&Trained Job"), JobKind::trained);
    job(tr("&Analytic Job"), JobKind::analytic);
    job(tr("&Graph Job"), JobKind::graph);
    return bar;
}

void TablesPanel::addTable(EntityRef::Kind kind, const QString& title) {
    auto* table = new EntityTable(m_workspace, kind);
    m_tables->addWidget(table);
    m_tabs->addTab(title);
    connect(&table->entities(), &EntityTableModel::refused, this, [this](const QString& why) {
        m_message->setText(why);
        m_message->setVisible(!why.isEmpty());
    });
}

EntityTable* TablesPanel::current() const { return qobject_cast<EntityTable*>(m_tables->currentWidget()); }

EntityTable* TablesPanel::table(EntityRef::Kind kind) const {
    for (int i = 0; i < m_tables->count(); ++i)
        if (auto* table = qobject_cast<EntityTable*>(m_tables->widget(i)); table && table->entities().kind() == kind)
            return table;
    return nullptr;
}

EntityTable* TablesPanel::show(EntityRef::Kind kind) {
    EntityTable* wanted = table(kind);
    if (wanted) m_tabs->setCurrentIndex(m_tables->indexOf(wanted));
    return wanted;
}

bool TablesPanel::event(QEvent* event) { return claimFormKey(event) || QWidget::event(event); }

QString TablesPanel::message() const { return m_message->text(); }

void TablesPanel::refresh() {
    m_message->clear();
    m_message->hide();
    current()->setFilter(m_filter->text());
    current()->entities().setAllColumns(m_all->isChecked());
    const bool jobs = current()->entities().kind() == EntityRef::Kind::job;
    m_add->setMenu(jobs ? m_jobKinds : nullptr);
    m_add->setPopupMode(jobs ? QToolButton::InstantPopup : QToolButton::DelayedPopup);
    m_add->style()->unpolish(m_add); // with a menu it is drawn with an arrow
    m_add->style()->polish(m_add);
}

} // namespace trainyard
