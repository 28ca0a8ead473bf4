// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The wheel scrolls: a combo box, spin box or slider takes it only while it has the focus, and the wheel never
// gives the focus; tab bars leave it to what is around them. One filter over the application, owned by the main
// window.
#include <QObject>

namespace trainyard {

class WheelFocus final : public QObject {
    Q_OBJECT
public:
    explicit WheelFocus(QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace trainyard
