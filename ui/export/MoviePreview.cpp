// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/MoviePreview.h"

#include "export/FigureForm.h"
#include "export/MovieFrame.h"
#include "export/MovieRun.h"
#include "export/PreviewPicture.h"
#include "theme/TimeText.h"

#include <QLabel>
#include <QPicture>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

/// The frame itself. its indexes are kept: to a later frame it goes on, to an earlier one it begins anew.
class MoviePreview::Picture final : public PreviewPicture {
public:
    explicit Picture(ExportController& controller)
        : PreviewPicture(controller, {1280, 800}, MoviePreview::tr("The frame as it will be exported")) {}

    void show(const MovieOptions& options, const MovieTimes& times, SimTime at) {
        m_options = options;
        m_times = times;
        m_at = at;
        later();
    }

private:
    void compute(const RunData& run) override {
        m_work.start([this, run, movieRun = std::move(m_movieRun),
                      at = m_at](const std::stop_token& stop) mutable -> BackgroundWork::Result {
            if (!movieRun || movieRun->run().id != run.id || movieRun->run().log != run.log || movieRun->at() > at)
                movieRun = std::make_shared<MovieRun>(run);
            movieRun->advanceTo(at, [stop] { return !stop.stop_requested(); });
            return [this, movieRun = std::move(movieRun), at] {
                m_movieRun = movieRun;
                takeFrame(at);
            };
        });
    }

    void takeFrame(SimTime at) {
        MovieFrame frame(m_movieRun->run(), m_options, m_times, m_controller.lanes(), footer(m_movieRun->run()));
        QPicture shapes;
        frame.record(shapes, m_movieRun->index(), m_movieRun->state(), at);
        take(frame.size(), shapes);
    }

    MovieOptions m_options;
    MovieTimes m_times;
    SimTime m_at;
    std::shared_ptr<MovieRun> m_movieRun; ///< null while one is advanced
    BackgroundWork m_work;                ///< last: what it does uses the rest
};

MoviePreview::MoviePreview(ExportController& controller, QWidget* parent)
    : QWidget(parent), m_picture(new Picture(controller)), m_slider(new QSlider(Qt::Horizontal)),
      m_caption(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_picture);
    column->addWidget(
        named(m_slider, "movie-frame", tr("Frame of the preview"), tr("Which frame of the movie is shown above")));
    m_caption->setProperty("muted", true);
    column->addWidget(m_caption);
    connect(m_slider, &QSlider::valueChanged, this, [this](int frame) {
        if (m_slider->maximum() > 0) m_share = static_cast<double>(frame) / m_slider->maximum();
        showFrame();
    });
    connect(m_picture, &PreviewPicture::painted, this, &MoviePreview::painted);
}

void MoviePreview::setMovie(const MovieOptions& options, double head) {
    m_options = options;
    m_times = movieTimes(options, head);
    {
        const QSignalBlocker quiet(m_slider);
        const int last = std::min(m_times.frames, mostFrames) - 1;
        m_slider->setRange(0, last);
        m_slider->setPageStep(std::max(1, last / 10));
        m_slider->setValue(static_cast<int>(std::lround(m_share * last)));
    }
    showFrame();
}

void MoviePreview::showFrame() {
    const int frame = m_slider->value();
    const SimTime at = SimTime::seconds(m_times.at(frame, m_options.framesPerSecond));
    m_caption->setText(tr("Frame %1 of %2, at %3")
                           .arg(countText(static_cast<double>(frame + 1)),
                                countText(static_cast<double>(m_slider->maximum() + 1)), clockText(at)));
    m_picture->show(m_options, m_times, at);
}

QString MoviePreview::caption() const { return m_caption->text(); }

const QImage& MoviePreview::picture() const { return m_picture->picture(); }

} // namespace trainyard
