// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What a movie of the run is like: size, frames per second, part of the run, how fast time goes by, and the
// format of the video where there can be one. Says how many frames that makes. Part of the export panel.
#include "export/ExportSettings.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace trainyard {

class MovieForm final : public QWidget {
    Q_OBJECT
public:
    explicit MovieForm(const ExportSettings& settings, QWidget* parent = nullptr);

    void takeInto(ExportSettings& settings) const;
    /// Without the folder.
    MovieOptions options() const;
    /// Where the run has come to, seconds: what can be chosen, and how many frames it makes.
    void setHead(double seconds);
    double head() const { return m_head; }
    /// Whether the movie shows the run compared with; why it cannot, if not empty.
    void setWhyNoGhost(const QString& why);
    QString summary() const;
    /// Why this movie cannot be made; empty if it can.
    QString whyNot() const;

Q_SIGNALS:
    void changed();

private:
    void refresh();

    double m_head = 0;
    QSpinBox *m_width, *m_height, *m_rate;
    QDoubleSpinBox *m_from, *m_to, *m_speed;
    QComboBox *m_video, *m_theme;
    QCheckBox* m_ghost;
    QLabel *m_summary, *m_videoWhy;
};

} // namespace trainyard
