// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The bar that steers time: restart, play, steps, end; speed; the clock; mode and seed. Every disabled button
// says why in its tooltip. Its actions are also the Run menu's.
#include "session/Workspace.h"

#include <QToolBar>

class QComboBox;
class QLabel;
class QSpinBox;

namespace trainyard {

class Reading;
class RunUntilDialog;
class SpeedSlider;

class TransportBar final : public QToolBar {
    Q_OBJECT
public:
    explicit TransportBar(Workspace& workspace, QWidget* parent = nullptr);

    /// Actions in the order of the bar; null = a separator.
    const QList<QAction*>& runActions() const { return m_actions; }
    QAction* playAction() const { return m_play; }
    QString clock() const;
    /// Actions of others before its own: the first to go where the bar is too narrow, since menus have them.
    void lead(const QList<QAction*>& actions);

protected:
    void changeEvent(QEvent* event) override; ///< another scale
    bool event(QEvent* event) override;       ///< another width, of the bar or of what is in it

private:
    void takeScale();
    void fit();
    /// Takes actions into the bar, or out of it: these stand before `before`, null: at the end.
    struct Removable {
        QList<QAction*> actions;
        QAction* before = nullptr;
        bool shown = true;
        int width = 0; ///< when shown last
    };
    int widthOf(Removable& group) const;
    void show(Removable& group, bool on);
    QAction* add(const char* iconName, const QString& text, const QKeySequence& keys, const QString& help);
    void addSteps();
    void addUntil();
    void addSettings();
    void refresh();
    void refreshClock();
    void refreshSettings();

    Workspace& m_workspace;
    QList<QAction*> m_actions;
    QAction *m_restart = nullptr, *m_play = nullptr, *m_event = nullptr, *m_iteration = nullptr, *m_decision = nullptr,
            *m_end = nullptr, *m_start = nullptr, *m_back = nullptr, *m_forward = nullptr, *m_until = nullptr,
            *m_again = nullptr;
    RunUntilDialog* m_asks = nullptr;
    std::optional<Breakpoint> m_lastUntil;
    Reading* m_clock = nullptr;
    QComboBox* m_mode = nullptr;
    QSpinBox* m_seed = nullptr;
    SpeedSlider* m_speed = nullptr;
    QAction* m_captionAction = nullptr;
    QLabel* m_seedCaption = nullptr;
    Removable m_leading, m_steps, m_toStart, m_toCondition; ///< steps: by event, iteration and decision
};

} // namespace trainyard
