// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Five bubbles that point at the parts of the Lab, one after the other. Nothing is modal: the window goes on
// working, Esc or Skip ends it. Owned by the main window.
#include <QFrame>

#include <functional>

class QLabel;
class QPushButton;

namespace trainyard {

class Tour final : public QObject {
    Q_OBJECT
public:
    struct Step {
        QString title, text;
        std::function<QWidget*()> target; ///< asked when the step is shown; null or hidden: step is passed over
    };
    Tour(QWidget& window, QList<Step> steps);
    ~Tour() override;

    void start();
    void end();
    bool isRunning() const { return m_at >= 0; }
    int at() const { return m_at; } ///< -1: not running
    QWidget* bubble() const { return m_bubble; }
    /// True until it was taken or refused once; then remembered for good.
    static bool isToBeOffered();
    static void rememberOffered();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Ring;
    void go(int step, int direction);
    void place();

    QWidget& m_window;
    QList<Step> m_steps;
    int m_at = -1;
    QWidget* m_target = nullptr;
    QFrame* m_bubble;
    Ring* m_ring;
    QLabel *m_title, *m_text, *m_count;
    QPushButton *m_back, *m_next;
};

} // namespace trainyard
