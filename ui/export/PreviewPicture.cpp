// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/PreviewPicture.h"

#include "export/FigureFiles.h"
#include "session/Provenance.h"

#include <QPainter>
#include <QPicture>

#include <algorithm>
#include <cmath>
#include <utility>

namespace trainyard {

namespace preview_picture {
constexpr int soonMilliseconds = 120, runningMilliseconds = 600;
constexpr int least = 90, most = 420; // height
} // namespace preview_picture

PreviewPicture::PreviewPicture(ExportController& controller, QSizeF size, const QString& help)
    : m_controller(controller), m_size(size) {
    setAccessibleName(tr("Preview"));
    setToolTip(help);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_soon.setSingleShot(true);
    connect(&m_soon, &QTimer::timeout, this, &PreviewPicture::refresh);
    const RunModel& runs = controller.workspace().runs();
    connect(&runs, &RunModel::frame, this, &PreviewPicture::laterWhileItRuns);
    connect(&runs, &RunModel::runStarted, this, &PreviewPicture::later);
    connect(&runs, &RunModel::ghostChanged, this, &PreviewPicture::later);
    connect(&controller.workspace().selection(), &Selection::changed, this, &PreviewPicture::later);
}

void PreviewPicture::later() {
    if (isVisible()) m_soon.start(preview_picture::soonMilliseconds);
}

void PreviewPicture::laterWhileItRuns() {
    if (isVisible() && !m_soon.isActive()) m_soon.start(preview_picture::runningMilliseconds);
}

void PreviewPicture::showEvent(QShowEvent*) { later(); }

void PreviewPicture::resizeEvent(QResizeEvent*) { later(); }

int PreviewPicture::heightForWidth(int width) const {
    const double height = std::max(1, width - 2) * m_size.height() / m_size.width() + 2;
    return std::clamp(static_cast<int>(std::lround(height)), preview_picture::least, preview_picture::most);
}

QSize PreviewPicture::sizeHint() const { return {260, heightForWidth(260)}; }

void PreviewPicture::refresh() {
    if (!isVisible()) return;
    const RunData run = m_controller.workspace().runs().current();
    if (!whyNoExport(run).empty() || run.log->size() == 0) {
        m_image = {};
        m_empty = tr("Press play: the picture shows the run.");
        update();
        Q_EMIT painted();
        return;
    }
    if (m_computing) {
        m_again = true;
        return;
    }
    m_computing = true;
    compute(run);
}

void PreviewPicture::done() {
    m_computing = false;
    if (std::exchange(m_again, false)) refresh();
}

QString PreviewPicture::footer(const RunData& run) {
    RunProvenance provenance{.seed = run.seed, .version = TRAINYARD_VERSION, .digest = "…"};
    if (run.scenario) {
        provenance.scenarioName = run.scenario->title;
        provenance.mode = run.scenario->mode;
    }
    return provenanceFooter(provenance);
}

void PreviewPicture::take(QSizeF size, const QPicture& shapes) {
    if (size != m_size) {
        m_size = size;
        updateGeometry();
    }
    const double fit = std::min((width() - 2) / size.width(), (height() - 2) / size.height());
    const double ratio = devicePixelRatioF();
    m_image = QImage((size * fit * ratio).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    m_image.setDevicePixelRatio(ratio);
    QPainter painter(&m_image);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.scale(fit, fit);
    drawShapes(painter, shapes);
    painter.end();
    m_empty.clear();
    update();
    Q_EMIT painted();
    done();
}

void PreviewPicture::paintEvent(QPaintEvent*) {
    const Theme theme = Theme::current();
    QPainter painter(this);
    if (m_image.isNull()) {
        painter.setPen(theme.hairline);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
        painter.setPen(theme.muted);
        painter.drawText(rect().adjusted(8, 8, -8, -8), Qt::AlignCenter | Qt::TextWordWrap, m_empty);
        return;
    }
    const QSizeF shown = m_image.deviceIndependentSize();
    const QRectF place(QPointF((width() - shown.width()) / 2, (height() - shown.height()) / 2), shown);
    painter.drawImage(place.topLeft(), m_image);
    painter.setPen(theme.hairline);
    painter.drawRect(place.adjusted(-1, -1, 0, 0));
}

} // namespace trainyard
