// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "transport/SpeedSlider.h"

#include "base/Format.h"
#include "theme/Theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {
constexpr int stepsPerDecade = 10;
constexpr int usualWidth = 112, shortWidth = 64, spacing = 8; // pixels
constexpr int leastPosition = -2 * stepsPerDecade, unlimitedPosition = 5 * stepsPerDecade + 1;
} // namespace

SpeedSlider::SpeedSlider(Playback& playback, QWidget* parent)
    : QWidget(parent), m_playback(playback), m_slider(new QSlider(Qt::Horizontal)), m_caption(new QLabel(tr("Speed"))),
      m_label(new QLabel) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(spacing);
    m_caption->setProperty("muted", true);
    row->addWidget(m_caption);
    m_slider->setRange(leastPosition, unlimitedPosition);
    m_slider->setPageStep(stepsPerDecade);
    m_slider->setAccessibleName(tr("Speed"));
    m_slider->setToolTip(tr("<b>Speed</b><br>Simulated seconds per real second, from 0.01 to 100,000; rightmost: as "
                            "fast as possible.<br>What this changes: only the pace of playback, never the result."));
    row->addWidget(m_slider);
    row->addWidget(m_label);
    takeScale();
    connect(m_slider, &QSlider::valueChanged, this, [this](int position) { m_playback.setSpeed(speedAt(position)); });
    connect(&playback, &Playback::changed, this, &SpeedSlider::refresh);
    refresh();
}

void SpeedSlider::setCaptionShown(bool shown) {
    if (captionShown() == shown) return;
    m_caption->setVisible(shown);
    updateGeometry();
}

void SpeedSlider::setShort(bool isShort) {
    if (m_short == isShort) return;
    m_short = isShort;
    takeScale();
    updateGeometry();
}

bool SpeedSlider::captionShown() const { return !m_caption->isHidden(); }

int SpeedSlider::captionWidth() const { return m_caption->sizeHint().width() + spacing; }

int SpeedSlider::shortensBy() { return Theme::scaled(usualWidth) - Theme::scaled(shortWidth); }

void SpeedSlider::takeScale() {
    m_slider->setFixedWidth(Theme::scaled(m_short ? shortWidth : usualWidth));
    m_label->setMinimumWidth(m_label->fontMetrics().horizontalAdvance(labelOf(1e5)));
}

void SpeedSlider::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) takeScale();
}

int SpeedSlider::positionOf(double speed) {
    if (speed <= 0) return unlimitedPosition;
    return std::clamp(static_cast<int>(std::lround(std::log10(speed) * stepsPerDecade)), leastPosition,
                      unlimitedPosition - 1);
}

double SpeedSlider::speedAt(int position) {
    if (position >= unlimitedPosition) return Playback::unlimited;
    // Round to two digits, so that the label says exactly what is done.
    const double exact = std::pow(10.0, static_cast<double>(position) / stepsPerDecade);
    const double unit = std::pow(10.0, std::floor(std::log10(exact)) - 1);
    return std::round(exact / unit) * unit;
}

QString SpeedSlider::labelOf(double speed) {
    if (speed <= 0) return tr("max");
    const auto twoDigits = [](double value) {
        if (value < 10) return QString::fromStdString(formatNumber(value, 2));
        const double step = std::pow(10, std::floor(std::log10(value)) - 1);
        return QString::number(std::round(value / step) * step, 'f', 0);
    };
    if (speed >= 1000) return QStringLiteral("%1k×").arg(twoDigits(speed / 1000));
    return QStringLiteral("%1×").arg(twoDigits(speed));
}

void SpeedSlider::refresh() {
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(positionOf(m_playback.speed()));
    m_label->setText(labelOf(m_playback.speed()));
}

} // namespace trainyard
