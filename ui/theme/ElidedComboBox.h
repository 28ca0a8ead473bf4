// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A combo box narrower than its text shows it with "…", where Qt cuts it within a letter.
#include <QComboBox>

namespace trainyard {

class ElidedComboBox : public QComboBox {
    Q_OBJECT
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Its list scrolls, where Qt's own is as high as the screen.
void keepListShort(QComboBox& box);

} // namespace trainyard
