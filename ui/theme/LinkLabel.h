// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Text with links that Tab reaches one by one and Enter follows. Without links Tab passes it by.
#include <QLabel>

namespace trainyard {

class LinkLabel final : public QLabel {
    Q_OBJECT
public:
    explicit LinkLabel(QWidget* parent = nullptr);
    void setHtml(const QString& html);

protected:
    void focusInEvent(QFocusEvent* event) override;
};

} // namespace trainyard
