// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A label for a number that changes many times a second. It is as wide as the widest text so far, so that
// what is beside it stays where it is and the window need not be laid out anew with every change.
#include <QFont>
#include <QLabel>

namespace trainyard {

class Reading final : public QLabel {
    Q_OBJECT
public:
    explicit Reading(QWidget* parent = nullptr);
    void setReading(const QString& reading);

protected:
    void changeEvent(QEvent* event) override; ///< the type may have grown

private:
    QFont m_measured; ///< the font in which it has been measured so far
};

} // namespace trainyard
