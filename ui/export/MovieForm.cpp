// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/MovieForm.h"

#include "export/FigureForm.h"
#include "theme/TimeText.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>

namespace trainyard {

MovieForm::MovieForm(const ExportSettings& settings, QWidget* parent)
    : QWidget(parent), m_width(new QSpinBox), m_height(new QSpinBox), m_rate(new QSpinBox), m_from(new QDoubleSpinBox),
      m_to(new QDoubleSpinBox), m_speed(new QDoubleSpinBox), m_video(new QComboBox),
      m_theme(printThemeBox(settings.frameTheme, "movie-theme", this)),
      m_ghost(ghostBox(settings.frameGhost, "movie-ghost")), m_summary(new QLabel), m_videoWhy(new QLabel) {
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    auto* sides = new QHBoxLayout;
    sides->setSpacing(4);
    const std::pair<QSpinBox*, int> ends[] = {{m_width, settings.frame.width()}, {m_height, settings.frame.height()}};
    for (const auto& [side, value] : ends) {
        side->setRange(leastFrameSide, mostFrameSide);
        side->setValue(value);
        side->setButtonSymbols(QAbstractSpinBox::NoButtons);
        side->setAlignment(Qt::AlignRight);
    }
    named(m_width, "movie-width", tr("Width"), tr("Width of a frame in pixels"));
    named(m_height, "movie-height", tr("Height"), tr("Height of a frame in pixels"));
    sides->addWidget(m_width, 1);
    sides->addWidget(new QLabel(QStringLiteral("×")));
    sides->addWidget(m_height, 1);
    sides->addWidget(new QLabel(tr("px")));
    form->addRow(tr("Size"), sides);
    m_rate->setRange(1, mostFramesPerSecond);
    m_rate->setValue(settings.framesPerSecond);
    m_rate->setSuffix(tr(" per second"));
    form->addRow(tr("Frames"), named(m_rate, "movie-fps", tr("Frames per second"), tr("25 is smooth")));
    const auto seconds = [&](QDoubleSpinBox* box, const char* name, const QString& label, const QString& help,
                             const QString& suffix, const QString& usual) {
        box->setDecimals(3);
        box->setRange(0, 1e9);
        box->setSuffix(suffix);
        box->setSpecialValueText(usual);
        box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        form->addRow(label, named(box, name, label, help));
        connect(box, &QDoubleSpinBox::valueChanged, this, &MovieForm::refresh);
    };
    seconds(m_from, "movie-from", tr("From"), tr("Instant of the first frame, in simulated seconds"), tr(" s"),
            tr("the start"));
    seconds(m_to, "movie-to", tr("To"), tr("Instant of the last frame, in simulated seconds"), tr(" s"), tr("the end"));
    seconds(m_speed, "movie-speed", tr("Speed"), tr("Simulated seconds per second of movie"), tr(" s per second"),
            tr("all in 20 s"));
    form->addRow(tr("Theme"), m_theme);
    form->addRow(QString(), m_ghost);
    connect(m_ghost, &QCheckBox::toggled, this, &MovieForm::refresh);
    m_video->addItem(tr("Frames only"), QString());
    m_video->addItem(tr("MP4 (H.264)"), QStringLiteral("mp4"));
    m_video->addItem(tr("WebM (VP9)"), QStringLiteral("webm"));
    const QString why = whyNoVideo();
    m_video->setCurrentIndex(why.isEmpty() ? std::max(0, m_video->findData(settings.video)) : 0);
    m_video->setEnabled(why.isEmpty());
    named(m_video, "movie-video", tr("Video"), why.isEmpty() ? tr("Besides the numbered frames") : why);
    form->addRow(tr("Video"), m_video);
    m_videoWhy->setText(why);
    m_videoWhy->setProperty("muted", true);
    m_videoWhy->setWordWrap(true);
    m_videoWhy->setVisible(!why.isEmpty());
    form->addRow(QString(), m_videoWhy);
    m_summary->setWordWrap(true);
    m_summary->setProperty("muted", true);
    form->addRow(m_summary);
    for (QSpinBox* box : {m_width, m_height, m_rate}) connect(box, &QSpinBox::valueChanged, this, &MovieForm::refresh);
    for (QComboBox* box : {m_video, m_theme}) connect(box, &QComboBox::currentIndexChanged, this, &MovieForm::refresh);
    refresh();
}

void MovieForm::setHead(double seconds) {
    if (m_head == seconds) return;
    m_head = seconds;
    refresh();
}

MovieOptions MovieForm::options() const {
    MovieOptions options;
    options.size = {m_width->value(), m_height->value()};
    options.framesPerSecond = m_rate->value();
    if (m_from->value() > 0) options.from = m_from->value();
    if (m_to->value() > 0) options.to = m_to->value();
    options.speed = m_speed->value();
    options.video = m_video->currentData().toString();
    options.theme = exportTheme(static_cast<PrintTheme>(m_theme->currentIndex()));
    options.ghost = m_ghost->isChecked();
    return options;
}

QString MovieForm::whyNot() const {
    const MovieOptions options = this->options();
    if (options.to && *options.to <= options.from.value_or(0)) return tr("The movie ends before it begins");
    if (options.from && *options.from >= m_head) return tr("The run is only at %1").arg(timeSpanText(m_head));
    if (movieTimes(options, m_head).frames > mostFrames)
        return tr("More than %1 frames: choose a shorter part, or a higher speed", nullptr, mostFrames)
            .arg(countText(static_cast<double>(mostFrames)));
    return {};
}

void MovieForm::setWhyNoGhost(const QString& why) { trainyard::setWhyNoGhost(*m_ghost, why); }

QString MovieForm::summary() const { return m_summary->text(); }

void MovieForm::refresh() {
    const QString why = whyNot();
    const MovieOptions options = this->options();
    const MovieTimes times = movieTimes(options, m_head);
    m_summary->setText(!why.isEmpty()
                           ? why
                           : tr("%1 frame(s), %2 of movie, %3 simulated seconds per second", nullptr, times.frames)
                                 .arg(countText(static_cast<double>(times.frames)),
                                      timeSpanText(static_cast<double>(times.frames) / options.framesPerSecond),
                                      QString::number(times.speed, 'g', 3)));
    Q_EMIT changed();
}

void MovieForm::takeInto(ExportSettings& settings) const {
    settings.frame = {m_width->value(), m_height->value()};
    settings.framesPerSecond = m_rate->value();
    if (m_video->isEnabled()) settings.video = m_video->currentData().toString();
    settings.frameTheme = static_cast<PrintTheme>(m_theme->currentIndex());
    settings.frameGhost = m_ghost->isChecked();
}

} // namespace trainyard
