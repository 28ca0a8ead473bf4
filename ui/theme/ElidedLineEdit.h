// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A line edit narrower than its text shows it with "…" while nobody types there, and whole on hover, where Qt cuts it within a letter.
// For combo boxes in which one can type.
#include <QLineEdit>

namespace trainyard {

class ElidedLineEdit : public QLineEdit {
    Q_OBJECT
public:
    using QLineEdit::QLineEdit;
    /// As it is seen without the focus.
    QString shownText() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect textPlace() const;
};

} // namespace trainyard
