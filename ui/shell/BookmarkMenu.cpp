// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/BookmarkMenu.h"

#include "shell/ActionList.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QVBoxLayout>

namespace trainyard {

BookmarkMenu::BookmarkMenu(Workspace& workspace, ActionList& actions, QMainWindow& window)
    : QObject(&window), m_workspace(workspace), m_window(window),
      m_add(actions.add({.id = "bookmark.add",
                         .text = tr("&Add Bookmark…"),
                         .keys = QKeyCombination(Qt::ControlModifier, Qt::Key_B),
                         .help = tr("Names the instant shown; saved with the scenario"),
                         .icon = "bookmark"},
                        this, [this] { askForName(); })),
      m_remove(actions.add({.id = "bookmark.remove",
                            .text = tr("&Remove Bookmark"),
                            .keys = QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_B),
                            .help = tr("Removes the bookmark at the instant shown")},
                           this, [this] { m_workspace.bookmarks().remove(m_workspace.shownTime()); })),
      m_next(actions.add({.id = "bookmark.next",
                          .text = tr("&Next Bookmark"),
                          .keys = QKeyCombination(Qt::ControlModifier, Qt::Key_PageDown),
                          .help = tr("Goes to the next bookmark; computes up to it if needed")},
                         this,
                         [this] {
                             Bookmarks& all = m_workspace.bookmarks();
                             if (const auto t = all.after(m_workspace.shownTime())) all.jump(*t);
                         })),
      m_previous(actions.add({.id = "bookmark.previous",
                              .text = tr("&Previous Bookmark"),
                              .keys = QKeyCombination(Qt::ControlModifier, Qt::Key_PageUp),
                              .help = tr("Goes back to the previous bookmark")},
                             this, [this] {
                                 Bookmarks& all = m_workspace.bookmarks();
                                 if (const auto t = all.before(m_workspace.shownTime())) all.jump(*t);
                             })) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(50);
    connect(&m_soon, &QTimer::timeout, this, &BookmarkMenu::refresh);
    const auto soon = [this] {
        if (!m_soon.isActive()) m_soon.start();
    };
    connect(&workspace, &Workspace::shownChanged, this, soon);
    connect(&workspace.axis(), &TimeAxis::bookmarksChanged, this, soon);
    connect(&workspace.playback(), &Playback::changed, this, soon);
    refresh();
}

void BookmarkMenu::addTo(QMenu& menu) {
    menu.addActions({m_add, m_remove, m_next, m_previous});
    m_list = menu.addMenu(tr("&Bookmarks"));
    connect(m_list, &QMenu::aboutToShow, this, &BookmarkMenu::fillList);
    fillList();
}

void BookmarkMenu::fillList() {
    m_list->clear();
    for (const TimeMark& mark : m_workspace.axis().bookmarks()) {
        QString name = mark.name;
        name.replace(QLatin1Char('&'), QStringLiteral("&&"));
        m_list->addAction(name + QLatin1Char('\t') + clockText(mark.at), this,
                          [this, at = mark.at] { m_workspace.bookmarks().jump(at); });
    }
    if (m_list->isEmpty()) m_list->addAction(tr("None yet: Add Bookmark creates one"))->setEnabled(false);
}

/// Enter keeps the name, Escape or a click elsewhere adds nothing.
void BookmarkMenu::askForName() {
    const SimTime at = m_workspace.shownTime();
    const auto known = m_workspace.bookmarks().at(at);
    auto* frame = new QFrame(&m_window, Qt::Popup);
    frame->setObjectName(QStringLiteral("bookmarkName"));
    frame->setAttribute(Qt::WA_DeleteOnClose);
    frame->setAccessibleName(tr("Bookmark"));
    frame->setProperty("card", true);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(12, 12, 12, 12);
    auto* label = new QLabel(known ? tr("&Name of the bookmark at %1").arg(clockText(at))
                                   : tr("&Name of a new bookmark at %1").arg(clockText(at)));
    auto* name = new QLineEdit(known.value_or(QString()));
    name->setPlaceholderText(tr("What there is to see; Enter keeps it"));
    name->setAccessibleName(tr("Name"));
    name->setMinimumWidth(static_cast<int>(280 * Theme::scale()));
    label->setBuddy(name);
    column->addWidget(label);
    column->addWidget(name);
    connect(name, &QLineEdit::returnPressed, this, [this, frame, name, at] {
        m_workspace.bookmarks().add(at, name->text());
        frame->close();
    });
    frame->adjustSize();
    const QRect over = m_window.geometry();
    frame->move(over.center().x() - frame->width() / 2, over.top() + over.height() / 4);
    frame->show();
    name->selectAll();
    name->setFocus();
}

void BookmarkMenu::refresh() {
    const Bookmarks& all = m_workspace.bookmarks();
    const SimTime now = m_workspace.shownTime();
    const bool here = all.at(now).has_value();
    const QString nothing = m_workspace.shownState() ? QString() : tr("There is no run yet");
    m_add->setText(here ? tr("Re&name Bookmark…") : tr("&Add Bookmark…"));
    ActionList::setAvailable(m_add, nothing);
    ActionList::setAvailable(m_remove, here ? QString() : tr("There is no bookmark at the instant shown"));
    const QString cannot = m_workspace.playback().whyNotPlay();
    ActionList::setAvailable(m_next, !cannot.isEmpty() ? cannot
                                     : !all.after(now) ? tr("There is no bookmark after the instant shown")
                                                       : QString());
    ActionList::setAvailable(m_previous, !cannot.isEmpty()  ? cannot
                                         : !all.before(now) ? tr("There is no bookmark before the instant shown")
                                                            : QString());
}

} // namespace trainyard
