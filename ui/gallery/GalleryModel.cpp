// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "gallery/GalleryModel.h"

#include "canvas/ClusterThumbnail.h"
#include "scenario/RunSize.h"
#include "scenario/ScenarioFile.h"

#include <QDir>

#include <algorithm>

namespace trainyard {

namespace gallery_model {

constexpr std::size_t mostJobs = 32; // in a picture
constexpr double mostDrawnJobs = 20'000;

/// The starters in the order in which they explain each other; others follow by name.
const char* const firstOnes[] = {"first-steps", "one-slow-worker",   "two-racks",
                                 "bottleneck",  "five-ways-to-wait", "failure-and-recovery"};

int rankOf(const QFileInfo& file) {
    int rank = 0;
    for (const char* name : firstOnes) {
        if (file.completeBaseName() == QLatin1String(name)) return rank;
        ++rank;
    }
    return rank;
}

/// The picture that a card would have now.
QString pictureKey(const Theme& theme, QSize size, double ratio) {
    return QStringLiteral("%1 %2x%3 %4").arg(theme.window.name()).arg(size.width()).arg(size.height()).arg(ratio);
}

} // namespace gallery_model

GalleryModel::GalleryModel(std::shared_ptr<const Registry> registry, const QString& folder, QObject* parent)
    : QAbstractListModel(parent), m_registry(std::move(registry)) {
    for (const char* collection : {"start", "papers"}) {
        const QDir dir(folder + QLatin1Char('/') + QLatin1String(collection));
        const QStringList scenarios{QStringLiteral("*.json")};
        auto files = dir.entryInfoList(scenarios, QDir::Files, QDir::Name);
        for (const QFileInfo& study : dir.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
            files += QDir(study.filePath()).entryInfoList(scenarios, QDir::Files, QDir::Name);
        std::stable_sort(files.begin(), files.end(), [](const QFileInfo& a, const QFileInfo& b) {
            return gallery_model::rankOf(a) < gallery_model::rankOf(b);
        });
        for (const QFileInfo& file : files)
            m_waiting.emplace_back(QString::fromLatin1(collection), file.absoluteFilePath());
    }
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &GalleryModel::workOn);
    m_timer.start();
}

int GalleryModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_cards.size());
}

QVariant GalleryModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Card& card = m_cards[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return card.title;
    case Qt::ToolTipRole: return card.lookFor;
    case Qt::AccessibleTextRole: return QStringLiteral("%1. %2").arg(card.title, card.sentence);
    case pathRole: return card.path;
    case sentenceRole: return card.sentence;
    case lookForRole: return card.lookFor;
    case collectionRole: return card.collection;
    case searchRole: return QStringList{card.title, card.sentence, card.lookFor, card.path}.join(QLatin1Char('\n'));
    default: return {};
    }
}

QPixmap GalleryModel::picture(const QModelIndex& index, QSize size, double devicePixelRatio) const {
    m_size = size;
    m_ratio = devicePixelRatio;
    const auto row = static_cast<std::size_t>(index.row());
    const Card& card = m_cards[row];
    if (card.drawnFor != gallery_model::pictureKey(Theme::current(), size, devicePixelRatio) &&
        std::find(m_toDraw.begin(), m_toDraw.end(), row) == m_toDraw.end()) {
        m_toDraw.push_back(row);
        m_timer.start();
    }
    return card.picture; // until then the old one
}

void GalleryModel::workOn() {
    if (drawNext()) return; // what is seen comes first
    if (m_waiting.isEmpty())
        m_timer.stop();
    else
        readNext();
}

bool GalleryModel::drawNext() {
    if (m_toDraw.empty()) return false;
    const std::size_t row = m_toDraw.front();
    m_toDraw.erase(m_toDraw.begin());
    const Theme theme = Theme::current();
    const Card& card = m_cards[row];
    card.picture = busyThumbnail(card.workload, theme, m_size, m_ratio);
    card.drawnFor = gallery_model::pictureKey(theme, m_size, m_ratio);
    const QModelIndex changed = index(static_cast<int>(row));
    Q_EMIT dataChanged(changed, changed, {Qt::DecorationRole});
    return true;
}

void GalleryModel::readNext() {
    const auto [collection, path] = m_waiting.takeFirst();
    const QFileInfo file(path);
    auto loaded = readScenario(file.filesystemAbsoluteFilePath(), *m_registry);
    if (!loaded.ok()) return;
    Scenario& s = loaded->scenario;
    if (jobCount(s) > gallery_model::mostDrawnJobs)
        for (JobGenerator& generator : s.generators)
            generator.count = std::min(generator.count, static_cast<int>(gallery_model::mostJobs));
    auto workload = std::make_shared<Workload>(*expandWorkload(s, s.seed));
    workload->jobs.resize(std::min(workload->jobs.size(), gallery_model::mostJobs));
    Card card{.path = file.absoluteFilePath(),
              .collection = collection,
              .title = s.title.empty() ? file.completeBaseName() : QString::fromStdString(s.title),
              .sentence = firstSentence(QString::fromStdString(s.notes)),
              .lookFor = firstSentence(QString::fromStdString(s.lookFor)),
              .workload = std::move(workload),
              .picture = {},
              .drawnFor = {}};
    const int row = rowCount();
    beginInsertRows({}, row, row);
    m_cards.push_back(std::move(card));
    endInsertRows();
}

QString GalleryModel::firstSentence(const QString& text) {
    const qsizetype end = text.indexOf(QLatin1String(". "));
    return end < 0 ? text : text.left(end + 1);
}

} // namespace trainyard
