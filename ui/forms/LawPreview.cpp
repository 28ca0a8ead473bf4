// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/LawPreview.h"

#include "analysis/TrainingChoices.h"
#include "base/Format.h"
#include "theme/Theme.h"

#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace law_preview {

constexpr int steps = 160, mostWorkers = 16;

QString number(double value) {
    return std::isfinite(value) ? QString::fromStdString(formatNumber(value, 3)) : QStringLiteral("∞");
}

int mostWorkersOf(const Scenario& s) {
    int most = 2;
    for (const Job* job : jobsAndTemplates(s)) most = std::max(most, job->workers.maximum);
    return std::min(most, mostWorkers);
}

} // namespace law_preview

LawPreview::LawPreview(std::string path, QWidget* parent)
    : FormPreview(parent), m_path(std::move(path)), m_picture(new QWidget), m_text(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(2);
    column->addWidget(m_picture);
    column->addWidget(m_text);
    m_picture->setFixedHeight(84);
    m_picture->installEventFilter(this);
    m_picture->setAccessibleName(tr("Density of the law"));
    m_text->setWordWrap(true);
    m_text->setProperty("muted", true);
}

void LawPreview::show(const Scenario& s, EntityRef entity) {
    using namespace law_preview;
    if (entity.index >= s.cluster.machines.size()) return;
    const StragglerLaw& straggler = s.cluster.machines[entity.index].straggler;
    const bool delay = m_path.ends_with("delay_s");
    const Distribution law = delay ? straggler.delay.value_or(Distribution{}) : straggler.factor;
    const int workers = mostWorkersOf(s);
    const bool drawn = law.law != Law::constant && law.check({}).empty();
    setVisible(drawn);
    if (!drawn || (law == m_law && workers == m_workers)) return;
    m_law = law;
    m_workers = workers;
    m_unit = delay ? tr(" s") : QString();
    m_means = expectedOrder(law, workers);
    m_from = std::min(law.quantile(0.001), m_means.front());
    const double slowest = std::isfinite(m_means.back()) ? m_means.back() : 0;
    m_to = std::max(std::max(law.quantile(0.98), m_from + 1e-9), std::min(slowest, 4 * law.quantile(0.98)) * 1.05);
    m_density.clear();
    const double step = (m_to - m_from) / steps;
    for (int i = 0; i < steps; ++i)
        m_density.push_back((law.cdf(m_from + (i + 1) * step) - law.cdf(m_from + i * step)) / step);
    m_text->setText(tr("Mean %1, median %2, 95th percentile %3. Of %4 workers the fastest takes %5, the slowest "
                       "%6 on average.")
                        .arg(number(law.expectation()) + m_unit, number(law.quantile(0.5)) + m_unit,
                             number(law.quantile(0.95)) + m_unit)
                        .arg(workers)
                        .arg(number(m_means.front()) + m_unit, number(m_means.back()) + m_unit));
    m_picture->update();
}

QString LawPreview::text() const { return m_text->text(); }

bool LawPreview::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::Paint) return false;
    paintDensity(*m_picture);
    return true;
}

void LawPreview::paintDensity(QWidget& on) const {
    if (m_density.empty() || m_to <= m_from) return;
    const Theme theme = Theme::current();
    QPainter painter(&on);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area(2, 4, on.width() - 4, on.height() - 40);
    const auto x = [&](double value) { return area.left() + area.width() * (value - m_from) / (m_to - m_from); };
    const double top = *std::max_element(m_density.begin(), m_density.end());
    QPainterPath outline(QPointF(area.left(), area.bottom()));
    for (std::size_t i = 0; i < m_density.size(); ++i)
        outline.lineTo(area.left() +
                           area.width() * (static_cast<double>(i) + 0.5) / static_cast<double>(m_density.size()),
                       area.bottom() - area.height() * m_density[i] / top);
    outline.lineTo(area.right(), area.bottom());
    painter.fillPath(outline, Theme::mix(theme.accent, theme.surface, 0.25));
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawPath(outline);
    painter.setPen(QPen(theme.hairline, 1));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    // The k-th of n, from the fastest to the slowest.
    for (std::size_t k = 0; k < m_means.size(); ++k) {
        if (!std::isfinite(m_means[k]) || m_means[k] > m_to) continue;
        const bool last = k + 1 == m_means.size();
        painter.setPen(QPen(last ? theme.activity(Activity::waiting) : theme.muted, last ? 2 : 1));
        painter.drawLine(QPointF(x(m_means[k]), area.bottom() + 3), QPointF(x(m_means[k]), area.bottom() + 12));
    }
    painter.setPen(theme.muted);
    const QRectF labels(area.left(), area.bottom() + 14, area.width(), 20);
    painter.drawText(labels, Qt::AlignLeft | Qt::AlignTop, law_preview::number(m_from) + m_unit);
    painter.drawText(labels, Qt::AlignRight | Qt::AlignTop, law_preview::number(m_to) + m_unit);
    painter.drawText(labels, Qt::AlignHCenter | Qt::AlignTop, tr("1st … %1th of %1").arg(m_workers));
}

} // namespace trainyard
