// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How fast time goes: a slider on a log scale from a hundredth of real time to "as fast as possible", and
// what it means beside it. Part of the transport bar; talks to Playback.
#include "session/Playback.h"

#include <QWidget>

class QLabel;
class QSlider;

namespace trainyard {

class SpeedSlider final : public QWidget {
    Q_OBJECT
public:
    explicit SpeedSlider(Playback& playback, QWidget* parent = nullptr);

    /// Positions are tenths of a power of ten; the last one is "as fast as possible".
    static int positionOf(double speed);
    static double speedAt(int position);
    static QString labelOf(double speed);
    /// For want of room: without its caption, and short.
    void setCaptionShown(bool shown);
    bool captionShown() const;
    int captionWidth() const; ///< that it takes where it is shown, pixels
    void setShort(bool isShort);
    bool isShort() const { return m_short; }
    static int shortensBy(); ///< pixels

protected:
    void changeEvent(QEvent* event) override; ///< another scale

private:
    void refresh();
    void takeScale();

    Playback& m_playback;
    QSlider* m_slider;
    QLabel *m_caption, *m_label;
    bool m_short = false;
};

} // namespace trainyard
