// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the open scenario teaches, over the canvas: its title, what to look for, and its first variant as one
// button. Dismissed once, it stays away for good, until the View menu brings it back.
#include "session/Workspace.h"

#include <QFrame>

class QLabel;
class QPushButton;

namespace trainyard {

class ElidedLabel;

class Caption final : public QFrame {
    Q_OBJECT
public:
    explicit Caption(Workspace& workspace, QWidget* parent = nullptr);

    QPushButton* variantButton() const { return m_try; }
    bool isWanted() const;
    void setWanted(bool wanted); ///< remembered between starts

Q_SIGNALS:
    void wantedChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< more or less of the sentence fits
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    QString sentences() const;
    void showText();
    void useVariant();
    /// The first variant that is not what the scenario was opened with; null: there is none.
    const Variant* offered() const;

    Workspace& m_workspace;
    ElidedLabel* m_title;
    QLabel* m_lookFor;
    QPushButton* m_try;
    PolicySet m_asOpened; ///< what the scenario's own sentence is true for
    QString m_whole;
};

} // namespace trainyard
