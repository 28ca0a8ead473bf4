// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/GeneratorPreview.h"

#include "base/Format.h"
#include "base/SampleStatistics.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace generator_preview {

constexpr int mostJobs = 4000, bins = 24;

QString number(double value) { return QString::fromStdString(formatNumber(value, 3)); }

void lay(QWidget* preview, QWidget* picture, QLabel* text, int height) {
    auto* column = new QVBoxLayout(preview);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(2);
    column->addWidget(picture);
    column->addWidget(text);
    picture->setFixedHeight(height);
    picture->installEventFilter(preview);
    text->setWordWrap(true);
    text->setProperty("muted", true);
}

} // namespace generator_preview

std::vector<Job> drawnJobs(const Scenario& scenario, std::size_t index, int most) {
    if (index >= scenario.generators.size()) return {};
    // Draws are keyed by the generator's position: the others stay, and make nothing.
    Scenario alone;
    alone.generators.resize(index + 1);
    for (JobGenerator& other : alone.generators) other.count = 0;
    JobGenerator& generator = alone.generators.back();
    generator = scenario.generators[index];
    generator.count = std::clamp(generator.count, 0, most);
    if (generator.arrivalSeconds.size() > static_cast<std::size_t>(most))
        generator.arrivalSeconds.resize(static_cast<std::size_t>(most));
    if (auto* graph = std::get_if<GraphWork>(&generator.job.work)) graph->graph = {}; // nothing of it is drawn
    if (generator.pool) alone.graphs = scenario.graphs;
    return expandWorkload(alone, scenario.seed)->jobs;
}

ArrivalsPreview::ArrivalsPreview(QWidget* parent) : FormPreview(parent), m_picture(new QWidget), m_text(new QLabel) {
    generator_preview::lay(this, m_picture, m_text, 72);
    m_picture->setAccessibleName(tr("Drawn arrivals"));
}

void ArrivalsPreview::show(const Scenario& s, EntityRef entity) {
    m_seconds.clear();
    for (const Job& job : drawnJobs(s, entity.index, generator_preview::mostJobs))
        m_seconds.push_back(job.arrival.toSeconds());
    std::sort(m_seconds.begin(), m_seconds.end());
    QString text = tr("With seed %1: ").arg(s.seed);
    if (m_seconds.empty())
        text = tr("No job");
    else if (m_seconds.size() == 1)
        text += tr("one job, at %1").arg(clockText(SimTime::seconds(m_seconds.front())));
    else
        text +=
            tr("%1 jobs from %2 to %3, one every %4 on average", nullptr, m_seconds.size())
                .arg(countText(static_cast<double>(m_seconds.size())))
                .arg(clockText(SimTime::seconds(m_seconds.front())), clockText(SimTime::seconds(m_seconds.back())),
                     timeSpanText((m_seconds.back() - m_seconds.front()) / static_cast<double>(m_seconds.size() - 1)));
    if (m_seconds.size() == generator_preview::mostJobs) text += tr(" (the first of them)");
    m_text->setText(text);
    m_picture->update();
}

QString ArrivalsPreview::text() const { return m_text->text(); }

bool ArrivalsPreview::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::Paint) return false;
    paintArrivals(*m_picture);
    return true;
}

void ArrivalsPreview::paintArrivals(QWidget& on) const {
    if (m_seconds.empty()) return;
    const Theme theme = Theme::current();
    QPainter painter(&on);
    const QRectF area(2, 4, on.width() - 4, on.height() - 26);
    const double span = std::max(m_seconds.back() - m_seconds.front(), 1e-9);
    const auto x = [&](double t) { return area.left() + area.width() * (t - m_seconds.front()) / span; };
    QColor ticks = theme.muted;
    ticks.setAlphaF(m_seconds.size() > 400 ? 0.25F : 0.8F);
    painter.setPen(ticks);
    for (const double t : m_seconds) painter.drawLine(QPointF(x(t), area.bottom()), QPointF(x(t), area.bottom() - 8));
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath count(QPointF(area.left(), area.bottom() - 10));
    for (std::size_t i = 0; i < m_seconds.size(); ++i) {
        const double y = area.bottom() - 10 -
                         (area.height() - 12) * static_cast<double>(i + 1) / static_cast<double>(m_seconds.size());
        count.lineTo(x(m_seconds[i]), count.currentPosition().y());
        count.lineTo(x(m_seconds[i]), y);
    }
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawPath(count);
    painter.setPen(theme.muted);
    const QRectF labels(area.left(), area.bottom() + 2, area.width(), 20);
    painter.drawText(labels, Qt::AlignLeft, clockText(SimTime::seconds(m_seconds.front())));
    painter.drawText(labels, Qt::AlignRight, clockText(SimTime::seconds(m_seconds.back())));
    painter.drawText(QRectF(area.left(), 0, area.width(), 16), Qt::AlignLeft,
                     tr("%1 job(s)", nullptr, m_seconds.size()).arg(countText(static_cast<double>(m_seconds.size()))));
}

SizesPreview::SizesPreview(std::string quantity, QWidget* parent)
    : FormPreview(parent), m_quantity(std::move(quantity)), m_picture(new QWidget), m_text(new QLabel) {
    generator_preview::lay(this, m_picture, m_text, 56);
    m_picture->setAccessibleName(tr("Drawn values"));
}

void SizesPreview::show(const Scenario& s, EntityRef entity) {
    using namespace generator_preview;
    m_values.clear();
    for (const Job& job : drawnJobs(s, entity.index, mostJobs)) {
        const auto* graph = m_quantity == poolDeadlines ? std::get_if<GraphWork>(&job.work) : nullptr;
        if (graph)
            m_values.push_back(graph->deadlineFraction);
        else if (const auto value = drawnValue(job, m_quantity))
            m_values.push_back(*value);
    }
    std::sort(m_values.begin(), m_values.end());
    setVisible(!m_values.empty());
    if (m_values.empty()) return;
    const auto at = [this](double share) { return number(quantileOfSorted(m_values, share)); };
    m_text->setText(tr("Drawn: mean %1, median %2, nine of ten between %3 and %4")
                        .arg(number(sampleMean(m_values)), at(0.5), at(0.05), at(0.95)));
    m_picture->update();
}

QString SizesPreview::text() const { return m_text->text(); }

bool SizesPreview::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::Paint) return false;
    paintHistogram(*m_picture);
    return true;
}

void SizesPreview::paintHistogram(QWidget& on) const {
    using namespace generator_preview;
    if (m_values.empty()) return;
    const Theme theme = Theme::current();
    QPainter painter(&on);
    const QRectF area(2, 2, on.width() - 4, on.height() - 20);
    const double low = m_values.front(), high = std::max(m_values.back(), low + 1e-12);
    std::vector<int> counts(bins, 0);
    for (const double v : m_values)
        ++counts[static_cast<std::size_t>(std::min<double>(bins - 1, bins * (v - low) / (high - low)))];
    const int top = *std::max_element(counts.begin(), counts.end());
    const double width = area.width() / bins;
    for (int i = 0; i < bins; ++i) {
        const double height = area.height() * counts[static_cast<std::size_t>(i)] / top;
        painter.fillRect(QRectF(area.left() + i * width, area.bottom() - height, width - 1, height),
                         Theme::mix(theme.accent, theme.surface, 0.6));
    }
    painter.setPen(theme.hairline);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(theme.muted);
    const QRectF labels(area.left(), area.bottom() + 2, area.width(), 16);
    painter.drawText(labels, Qt::AlignLeft, number(m_values.front()));
    painter.drawText(labels, Qt::AlignRight, number(m_values.back()));
}

} // namespace trainyard
