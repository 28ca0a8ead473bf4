// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ShortcutsDialog.h"

#include "shell/ActionList.h"
#include "theme/Theme.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTextDocumentFragment>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace trainyard {

namespace shortcuts {

constexpr int idRole = Qt::UserRole;
enum Column { command, keys, what };

QString nameOf(const QAction* action) {
    QString text = action->text();
    return text.remove(QLatin1Char('&')).remove(QStringLiteral("…"));
}

/// "Arrange → Align → Left Edges": where it is in the menus.
QString pathOf(const QAction* action) {
    QString path = nameOf(action);
    for (const QAction* at = action; at;) {
        const QAction* above = nullptr;
        for (const QObject* object : at->associatedObjects())
            if (const auto* menu = qobject_cast<const QMenu*>(object); menu && !menu->title().isEmpty())
                above = menu->menuAction(); // the menu bar keeps an untitled one for what does not fit
        if (above) path = ShortcutsDialog::tr("%1 → %2").arg(nameOf(above), path);
        at = above;
    }
    return path;
}

/// What it does; commands of other parts say it in their tooltip, after their name.
QString helpOf(const QAction* action) {
    const QString help = ActionList::helpOf(action);
    if (!help.isEmpty()) return help;
    const QString tip = action->toolTip();
    const qsizetype line = tip.indexOf(QLatin1String("<br>"));
    return line < 0 ? QString() : QTextDocumentFragment::fromHtml(tip.mid(line + 4)).toPlainText();
}

} // namespace shortcuts

ShortcutsDialog::ShortcutsDialog(ActionList& actions, QWidget* parent)
    : QDialog(parent), m_actions(actions), m_filter(new QLineEdit), m_table(new QTreeWidget),
      m_keys(new QKeySequenceEdit), m_chosen(new QLabel), m_conflict(new QLabel),
      m_anyway(new QPushButton(tr("Use it here"))), m_none(new QPushButton(tr("No shortcut"))),
      m_reset(new QPushButton(tr("Reset"))) {
    setWindowTitle(tr("Keyboard Shortcuts"));
    resize(QSize(820, 520) * Theme::scale());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    m_filter->setPlaceholderText(tr("Search commands and keys"));
    m_filter->setAccessibleName(tr("Search commands and keys"));
    m_filter->setClearButtonEnabled(true);
    m_table->setHeaderLabels({tr("Command"), tr("Shortcut"), tr("Description")});
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAccessibleName(tr("Commands"));
    column->addWidget(m_filter);
    column->addWidget(m_table, 1);
    auto* line = new QHBoxLayout;
    m_keys->setAccessibleName(tr("New shortcut: press the keys"));
    m_keys->setToolTip(tr("Click here and press the new keys"));
    m_keys->setMaximumWidth(static_cast<int>(200 * Theme::scale()));
    line->addWidget(m_chosen, 1);
    line->addWidget(m_keys);
    line->addWidget(m_none);
    line->addWidget(m_reset);
    column->addLayout(line);
    auto* below = new QHBoxLayout;
    m_conflict->setWordWrap(true);
    auto* all = new QPushButton(tr("Reset all"));
    all->setToolTip(tr("Restores all default shortcuts"));
    below->addWidget(m_conflict, 1);
    below->addWidget(m_anyway);
    below->addWidget(all);
    column->addLayout(below);
    for (QPushButton* button : findChildren<QPushButton*>()) button->setAutoDefault(false);
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutsDialog::showOnly);
    connect(m_table, &QTreeWidget::currentItemChanged, this, &ShortcutsDialog::takeCurrent);
    connect(m_table, &QTreeWidget::itemActivated, m_keys, [this] { m_keys->setFocus(); });
    connect(m_keys, &QKeySequenceEdit::editingFinished, this, &ShortcutsDialog::tryKeys);
    connect(m_anyway, &QPushButton::clicked, this, &ShortcutsDialog::useAnyway);
    connect(m_none, &QPushButton::clicked, this, [this] {
        m_keys->clear();
        tryKeys();
    });
    connect(m_reset, &QPushButton::clicked, this, &ShortcutsDialog::reset);
    connect(all, &QPushButton::clicked, this, &ShortcutsDialog::resetAll);
    connect(&actions, &ActionList::keysChanged, this, [this] {
        for (int i = 0; i < m_table->topLevelItemCount(); ++i) refresh(m_table->topLevelItem(i));
    });
    fill();
    m_table->setCurrentItem(m_table->topLevelItem(0));
}

ShortcutsDialog::~ShortcutsDialog() {
    hide(); // the field that has the keyboard says so while there is still a dialog to hear it
}

void ShortcutsDialog::fill() {
    for (QAction* action : m_actions.all()) {
        auto* item = new QTreeWidgetItem(m_table);
        item->setData(0, shortcuts::idRole, ActionList::idOf(action));
        item->setText(shortcuts::command, shortcuts::pathOf(action));
        item->setText(shortcuts::what, shortcuts::helpOf(action));
        item->setToolTip(shortcuts::what, item->text(shortcuts::what));
        refresh(item);
    }
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(shortcuts::command, Qt::AscendingOrder);
    m_table->resizeColumnToContents(shortcuts::command);
    m_table->setColumnWidth(shortcuts::keys, static_cast<int>(140 * Theme::scale()));
}

void ShortcutsDialog::refresh(QTreeWidgetItem* item) {
    const QAction* action = m_actions.find(item->data(0, shortcuts::idRole).toString());
    item->setText(shortcuts::keys, action->shortcut().toString(QKeySequence::NativeText));
    QFont font = item->font(shortcuts::keys);
    font.setBold(action->shortcut() != m_actions.defaultKeys(action)); // changed by the user
    item->setFont(shortcuts::keys, font);
}

void ShortcutsDialog::showOnly(const QString& text) {
    for (int i = 0; i < m_table->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = m_table->topLevelItem(i);
        bool matches = text.trimmed().isEmpty();
        for (int c = shortcuts::command; c <= shortcuts::what; ++c)
            matches = matches || item->text(c).contains(text.trimmed(), Qt::CaseInsensitive);
        item->setHidden(!matches);
    }
}

void ShortcutsDialog::select(const QString& id) {
    for (int i = 0; i < m_table->topLevelItemCount(); ++i)
        if (m_table->topLevelItem(i)->data(0, shortcuts::idRole).toString() == id)
            m_table->setCurrentItem(m_table->topLevelItem(i));
}

QAction* ShortcutsDialog::current() const {
    const QTreeWidgetItem* item = m_table->currentItem();
    return item ? m_actions.find(item->data(0, shortcuts::idRole).toString()) : nullptr;
}

void ShortcutsDialog::takeCurrent() {
    const QAction* action = current();
    const QSignalBlocker quiet(m_keys);
    m_keys->setKeySequence(action ? action->shortcut() : QKeySequence());
    m_chosen->setText(action ? tr("Keys for <b>%1</b>").arg(shortcuts::nameOf(action).toHtmlEscaped()) : QString());
    m_keys->setEnabled(action);
    m_conflict->clear();
    m_anyway->hide();
    m_reset->setEnabled(action && action->shortcut() != m_actions.defaultKeys(action));
    m_reset->setToolTip(!action ? tr("Choose a command first")
                        : m_reset->isEnabled()
                            ? tr("Back to %1").arg(m_actions.defaultKeys(action).toString(QKeySequence::NativeText))
                            : tr("This is its usual shortcut"));
}

void ShortcutsDialog::tryKeys() {
    QAction* action = current();
    if (!action) return;
    const QKeySequence all = m_keys->keySequence();
    const QKeySequence wanted = all.isEmpty() ? QKeySequence() : QKeySequence(all[0]); // one stroke
    if (all.count() > 1) m_keys->setKeySequence(wanted);
    if (const QAction* holder = m_actions.holderOf(wanted, action)) {
        m_conflict->setText(
            tr("%1 belongs to %2.").arg(wanted.toString(QKeySequence::NativeText), shortcuts::nameOf(holder)));
        m_anyway->setToolTip(tr("%1 then has no shortcut").arg(shortcuts::nameOf(holder)));
        m_anyway->show();
        return;
    }
    m_actions.setKeys(action, wanted);
    m_conflict->clear();
    m_anyway->hide();
    m_reset->setEnabled(wanted != m_actions.defaultKeys(action));
}

void ShortcutsDialog::useAnyway() {
    QAction* action = current();
    const QKeySequence wanted = m_keys->keySequence();
    if (!action) return;
    while (QAction* holder = m_actions.holderOf(wanted, action)) m_actions.setKeys(holder, {});
    m_actions.setKeys(action, wanted);
    takeCurrent();
}

void ShortcutsDialog::reset() {
    QAction* action = current();
    if (!action) return;
    m_keys->setKeySequence(m_actions.defaultKeys(action));
    tryKeys(); // as if pressed: a conflict is named
    if (conflict().isEmpty()) takeCurrent();
}

void ShortcutsDialog::resetAll() {
    for (QAction* action : m_actions.all()) m_actions.setKeys(action, m_actions.defaultKeys(action));
    takeCurrent();
}

QString ShortcutsDialog::conflict() const { return m_conflict->text(); }

} // namespace trainyard
