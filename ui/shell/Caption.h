// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the open scenario teaches, over the canvas: its title, what to look for, with links to the views
// that it names, and its first variant as one button, all of them as a menu. Dismissed once, it stays away for good, until the View menu brings it back.
#include "session/Workspace.h"

#include <QFrame>

class QPushButton;
class QToolButton;

namespace trainyard {

class ElidedLabel;
class LinkLabel;

class Caption final : public QFrame {
    Q_OBJECT
public:
    explicit Caption(Workspace& workspace, QWidget* parent = nullptr);

    QPushButton* variantButton() const { return m_try; }
    QToolButton* othersButton() const { return m_others; } ///< with a menu of all variants; hidden where there is one
    bool isWanted() const;
    void setWanted(bool wanted); ///< remembered between starts
    /// While the bar is shown there is no caption, so that the canvas keeps its height.
    void yieldTo(QWidget* bar);

Q_SIGNALS:
    void wantedChanged();
    void partWanted(const QString& link); ///< of NamedParts.h

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< more or less of the sentence fits
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString sentences() const;
    void showText();
    void follow(const QString& link);
    void showWhole();
    void useVariant();
    void listVariants();
    /// Variants that are not what the scenario was opened with.
    std::vector<const Variant*> offered() const;
    bool isInUse(const Variant& variant) const;

    Workspace& m_workspace;
    ElidedLabel* m_title;
    LinkLabel* m_lookFor;
    QPushButton* m_try;
    QToolButton* m_others;
    PolicySet m_asOpened; ///< what the scenario's own sentence is true for
    QString m_whole;
    QWidget* m_bar = nullptr;
};

} // namespace trainyard
