// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/DataPreview.h"

#include "base/Format.h"
#include "session/BackgroundWork.h"
#include "theme/CoreText.h"
#include "theme/TimeText.h"

#include <QEvent>
#include <QFontDatabase>
#include <QLabel>
#include <QPainter>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace data_preview {

constexpr std::size_t mostPictures = 10, mostRows = 3, mostFeatures = 5;
constexpr int pictureSize = 32;

/// A row of a square number of features, as grey levels from the least to the greatest.
QImage pictureOf(const Batch& batch, std::size_t row, int side) {
    QImage image(side, side, QImage::Format_Grayscale8);
    const double* x = &batch.x[row * batch.features];
    const auto [least, most] = std::minmax_element(x, x + batch.features);
    const double span = std::max(*most - *least, 1e-12);
    for (int r = 0; r < side; ++r)
        for (int c = 0; c < side; ++c)
            image.scanLine(r)[c] = static_cast<uchar>(255 - std::lround(255 * (x[r * side + c] - *least) / span));
    return image;
}

/// The same first rows before each grey value was standardised, which no eye could read.
Batch asScanned(Choice dataset, std::uint64_t seed, const ResourcePaths& paths, const Batch& otherwise) {
    for (const TrainingChoice& entry : trainingChoices("dataset"))
        if (entry.id == dataset.id && !entry.schema.find("standardise")) return otherwise;
    dataset.parameters["standardise"] = false;
    DataSample sample = sampleData(dataset, {}, seed, paths, otherwise.rows);
    return sample.problems.empty() ? std::move(sample.first) : otherwise;
}

QString rowText(const Batch& batch, std::size_t row) {
    QStringList numbers;
    for (std::size_t f = 0; f < std::min(batch.features, mostFeatures); ++f)
        numbers << QString::fromStdString(formatNumber(batch.x[row * batch.features + f], 3));
    if (batch.features > mostFeatures) numbers << QStringLiteral("…");
    return QStringLiteral("%1 → %2").arg(numbers.join(QStringLiteral("  ")),
                                         QString::fromStdString(formatNumber(batch.y[row], 3)));
}

QString sizeText(const DataSample& data) {
    const auto count = [](std::size_t n) { return countText(static_cast<double>(n)); };
    const QString classes = data.users > 0
                                ? DataPreview::tr("ratings by %1 user(s)", nullptr, data.users).arg(count(data.users))
                            : data.classes > 0 ? DataPreview::tr("%n class(es)", nullptr, data.classes)
                                               : DataPreview::tr("a number to predict");
    return data.rows == 0 ? DataPreview::tr("An endless stream, %1 feature(s), %2", nullptr, data.features)
                                .arg(count(data.features), classes)
                          : DataPreview::tr("%1 samples, %2 feature(s), %3", nullptr, data.features)
                                .arg(count(data.rows), count(data.features), classes);
}

QString firstOf(const Problems& problems) { return problems.empty() ? QString() : coreText(problems.front().message); }

} // namespace data_preview

DataPreview::Summary DataPreview::summarise(const Choice& dataset, const Choice& model, std::uint64_t seed,
                                            const ResourcePaths& paths, double bytesPerParameter) {
    using namespace data_preview;
    Summary summary;
    const DataSample data = sampleData(dataset, model, seed, paths, mostPictures);
    if (!data.problems.empty()) {
        summary.text = firstOf(data.problems);
        return summary;
    }
    summary.text = sizeText(data);
    if (data.modelParameters > 0)
        summary.text += QLatin1Char('\n') +
                        tr("The model has %1 parameter(s); a gradient is %2 kB", nullptr, data.modelParameters)
                            .arg(countText(static_cast<double>(data.modelParameters)),
                                 QString::fromStdString(
                                     formatNumber(static_cast<double>(data.messageSize) * bytesPerParameter / 1e3, 3)));
    else if (const QString why = firstOf(data.modelProblems); !why.isEmpty())
        summary.text += QLatin1Char('\n') + why;
    const Batch& first = data.first;
    const auto side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(data.features))));
    const bool isPicture =
        dataset.id.find("digits") != std::string::npos || dataset.id.find("mnist") != std::string::npos;
    if (isPicture && static_cast<std::size_t>(side) * static_cast<std::size_t>(side) == first.features) {
        const Batch grey = asScanned(dataset, seed, paths, first);
        for (std::size_t r = 0; r < grey.rows; ++r) summary.pictures << pictureOf(grey, r, side);
    } else {
        for (std::size_t r = 0; r < std::min(first.rows, mostRows); ++r) summary.rows << rowText(first, r);
    }
    return summary;
}

DataPreview::DataPreview(ResourcePaths resources, QWidget* parent)
    : FormPreview(parent), m_resources(std::move(resources)), m_strip(new QWidget), m_text(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 0, 0, 4);
    column->setSpacing(4);
    column->addWidget(m_text);
    column->addWidget(m_strip);
    m_text->setWordWrap(true);
    m_text->setProperty("muted", true);
    m_strip->installEventFilter(this);
    m_strip->setAccessibleName(tr("First samples"));
    m_strip->hide();
    m_soon.setSingleShot(true);
    m_soon.setInterval(150);
    connect(&m_soon, &QTimer::timeout, this, &DataPreview::load);
}

void DataPreview::show(const Scenario& s, EntityRef entity) {
    const Job* job = entity.kind == EntityRef::Kind::job && entity.index < s.jobs.size() ? &s.jobs[entity.index]
                     : entity.kind == EntityRef::Kind::generator && entity.index < s.generators.size()
                         ? &s.generators[entity.index].job
                         : nullptr;
    const auto* work = job ? std::get_if<TrainedWork>(&job->work) : nullptr;
    if (!work) return;
    if (m_asked && work->dataset == m_dataset && work->model == m_model && s.seed == m_seed &&
        work->bytesPerParameter == m_bytes)
        return;
    m_asked = true;
    m_dataset = work->dataset, m_model = work->model, m_seed = s.seed, m_bytes = work->bytesPerParameter;
    if (m_dataset.id.empty()) {
        ++m_request;
        return take({});
    }
    m_soon.start();
}

void DataPreview::load() {
    const int request = ++m_request;
    BackgroundWork::shared().start([request, self = QPointer<DataPreview>(this), dataset = m_dataset, model = m_model,
                                    seed = m_seed, paths = m_resources,
                                    bytes = m_bytes](const std::stop_token&) -> BackgroundWork::Result {
        return [request, self, summary = summarise(dataset, model, seed, paths, bytes)] {
            if (self && self->m_request == request) self->take(summary);
        };
    });
}

void DataPreview::take(const Summary& summary) {
    m_pictures = summary.pictures;
    QString text = summary.text;
    if (!summary.rows.isEmpty()) text += QLatin1Char('\n') + summary.rows.join(QLatin1Char('\n'));
    m_text->setText(text);
    m_strip->setVisible(!m_pictures.isEmpty());
    m_strip->setFixedHeight(2 * (data_preview::pictureSize + 4));
    m_strip->update();
}

QString DataPreview::text() const { return m_text->text(); }

bool DataPreview::eventFilter(QObject*, QEvent* event) {
    if (event->type() != QEvent::Paint) return false;
    QPainter painter(m_strip);
    int x = 0, y = 0;
    for (const QImage& picture : m_pictures) {
        if (x + data_preview::pictureSize > m_strip->width()) x = 0, y += data_preview::pictureSize + 4;
        painter.drawImage(QRect(x, y, data_preview::pictureSize, data_preview::pictureSize), picture);
        x += data_preview::pictureSize + 4;
    }
    return true;
}

} // namespace trainyard
