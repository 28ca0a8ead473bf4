// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One frame of the movie as it will be, and a slider over all of them. Part of the export panel.
#include "export/Movie.h"

#include <QWidget>

class QLabel;
class QSlider;

namespace trainyard {

class ExportController;

class MoviePreview final : public QWidget {
    Q_OBJECT
public:
    explicit MoviePreview(ExportController& controller, QWidget* parent = nullptr);

    /// `head`: where the run has come to, seconds. The slider stays at the same part of the movie.
    void setMovie(const MovieOptions& options, double head);
    QSlider& slider() { return *m_slider; }
    QString caption() const; ///< which frame this is, and of which instant
    const QImage& picture() const;

Q_SIGNALS:
    void painted();

private:
    class Picture;
    void showFrame();

    MovieOptions m_options;
    MovieTimes m_times;
    double m_share = 0.5; ///< of the movie, where the slider is
    Picture* m_picture;
    QSlider* m_slider;
    QLabel* m_caption;
};

} // namespace trainyard
