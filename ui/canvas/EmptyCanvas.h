// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What an empty canvas teaches: how to begin, as a sentence with two buttons. Away as soon as there is a
// machine or a switch.
#include <QWidget>

class QPushButton;

namespace trainyard {

class EmptyCanvas final : public QWidget {
    Q_OBJECT
public:
    explicit EmptyCanvas(QWidget* parent);
    QPushButton* machineButton() const { return m_machine; }
    QPushButton* templateButton() const { return m_template; }

private:
    QPushButton *m_machine, *m_template;
};

} // namespace trainyard
