// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once

#include <QToolButton>

namespace trainyard {

/// The title of a lane, which folds it. Its lines begin at the left, where a tool button would centre them.
class LaneHeader final : public QToolButton {
public:
    explicit LaneHeader(QWidget* parent);
    /// In so many lines at most, broken at spaces; what is left is elided. Width in pixels.
    void setTitle(const QString& title, int width, int lines);
    int lines() const;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace trainyard
