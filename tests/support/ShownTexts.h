// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Every text that a person can see or hear in a widget and in what it holds: labels, buttons, menus, tabs, lists,
// headers, place holders, tooltips, names for screen readers. For tests of translations. Also: what is cut off.
#include "theme/ElidedLabel.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTabBar>
#include <QTextEdit>

#include <functional>

namespace trainyard::test {

struct ShownText {
    QString where, text;
};

inline QString placeOf(const QWidget* widget) {
    QStringList path;
    for (const QWidget* w = widget; w; w = w->parentWidget()) {
        QString name = QString::fromLatin1(w->metaObject()->className()).section(QStringLiteral("::"), -1);
        if (!w->objectName().isEmpty()) name += u'#' + w->objectName();
        path.prepend(name);
        if (w->isWindow()) break;
    }
    return path.join(u'/');
}

class TextCollector {
public:
    QList<ShownText> texts;

    void action(const QString& where, const QAction* action) {
        if (action->isSeparator()) return;
        add(where, action->text().section(u'\t', 0, 0));
        add(where + QStringLiteral(" tip of ") + action->text(), action->toolTip());
        add(where + QStringLiteral(" status of ") + action->text(), action->statusTip());
    }
    void menu(QMenu* shown) {
        Q_EMIT shown->aboutToShow();
        const QString where = QStringLiteral("menu ") + shown->title();
        add(where, shown->title());
        for (QAction* each : shown->actions()) {
            action(where, each);
            if (each->menu()) menu(each->menu());
        }
    }
    /// What is hidden is looked at too: it may be shown any time.
    void widget(QWidget* root) {
        one(root);
        for (QWidget* child : root->findChildren<QWidget*>()) one(child);
    }

private:
    static constexpr int mostRows = 40; // of a model

    void add(const QString& where, const QString& text) {
        if (!text.isEmpty()) texts.append({where, text});
    }
    void one(QWidget* w) {
        const QString where = placeOf(w);
        add(where + QStringLiteral(" tip"), w->toolTip());
        add(where + QStringLiteral(" name"), w->accessibleName());
        add(where + QStringLiteral(" description"), w->accessibleDescription());
        add(where + QStringLiteral(" what's this"), w->whatsThis());
        if (w->isWindow() || qobject_cast<QDockWidget*>(w)) add(where + QStringLiteral(" title"), w->windowTitle());
        if (const auto* label = qobject_cast<QLabel*>(w)) add(where, label->text());
        if (const auto* button = qobject_cast<QAbstractButton*>(w)) add(where, button->text());
        if (const auto* group = qobject_cast<QGroupBox*>(w)) add(where, group->title());
        if (const auto* line = qobject_cast<QLineEdit*>(w)) add(where, line->placeholderText());
        if (const auto* area = qobject_cast<QPlainTextEdit*>(w)) add(where, area->placeholderText());
        if (const auto* tabs = qobject_cast<QTabBar*>(w))
            for (int i = 0; i < tabs->count(); ++i) {
                add(where, tabs->tabText(i));
                add(where + QStringLiteral(" tip"), tabs->tabToolTip(i));
            }
        if (const auto* combo = qobject_cast<QComboBox*>(w)) model(where, combo->model());
        if (const auto* view = qobject_cast<QAbstractItemView*>(w))
            if (view->model() && !qobject_cast<const QHeaderView*>(w)) model(where, view->model());
        if (const auto* spin = qobject_cast<QSpinBox*>(w)) spinTexts(where, spin);
        if (const auto* spin = qobject_cast<QDoubleSpinBox*>(w)) spinTexts(where, spin);
    }
    template <class Spin>
    void spinTexts(const QString& where, const Spin* spin) {
        add(where, spin->prefix());
        add(where, spin->suffix());
        add(where, spin->specialValueText());
    }
    void model(const QString& where, const QAbstractItemModel* model) {
        for (int c = 0; c < model->columnCount(); ++c) {
            add(where + QStringLiteral(" header"), model->headerData(c, Qt::Horizontal).toString());
            add(where + QStringLiteral(" header tip"),
                model->headerData(c, Qt::Horizontal, Qt::ToolTipRole).toString());
        }
        const std::function<void(const QModelIndex&)> rows = [&](const QModelIndex& parent) {
            for (int r = 0; r < std::min(model->rowCount(parent), mostRows); ++r)
                for (int c = 0; c < model->columnCount(parent); ++c) {
                    const QModelIndex at = model->index(r, c, parent);
                    // Numbers turn into text here; only texts are meant for translation.
                    if (at.data().metaType().id() == QMetaType::QString) add(where, at.data().toString());
                    add(where + QStringLiteral(" tip"), at.data(Qt::ToolTipRole).toString());
                    if (c == 0) rows(at);
                }
        };
        rows({});
    }
};

/// Labels and buttons on show that have less room than their text takes.
inline QStringList cutOff(const QWidget* root) {
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // a text may have changed just now
    QStringList found;
    const auto report = [&](const QWidget* w, const QString& text, QSize needed) {
        found << QStringLiteral("%1 \"%2\": %3×%4 of %5×%6")
                     .arg(placeOf(w), text)
                     .arg(w->width())
                     .arg(w->height())
                     .arg(needed.width())
                     .arg(needed.height());
    };
    for (const QWidget* w : root->findChildren<QWidget*>()) {
        if (!w->isVisible() || qobject_cast<const ElidedLabel*>(w)) continue; // on purpose, with the rest as tooltip
        if (const auto* label = qobject_cast<const QLabel*>(w); label && !label->text().isEmpty()) {
            const int width = label->width();
            const QSize needed = label->wordWrap()
                                     ? QSize(label->minimumSizeHint().width(), label->heightForWidth(width))
                                     : label->sizeHint();
            const bool wide = !label->wordWrap() && needed.width() > width + 1;
            if (wide || needed.height() > label->height() + 1) report(w, label->text(), needed);
        }
        if (const auto* button = qobject_cast<const QAbstractButton*>(w);
            button && !button->text().isEmpty() && button->sizeHint().width() > button->width() + 1)
            report(w, button->text(), button->sizeHint());
    }
    return found;
}

} // namespace trainyard::test
