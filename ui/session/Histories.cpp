// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Histories.h"

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>

#include <algorithm>

namespace trainyard {

QString HistorySubject::id() const {
    QString id;
    for (const QChar c : key.toLower()) id += c.isLetterOrNumber() ? c : QLatin1Char('-');
    return id;
}

namespace histories {
const QString mimeType = QStringLiteral("application/x-trainyard-histories");
} // namespace histories

bool Histories::has(const HistorySubject& subject) const {
    return std::find(m_all.begin(), m_all.end(), subject) != m_all.end();
}

QString Histories::whyNotAdd() const {
    return m_all.size() < most
               ? QString()
               : tr("%n histories are shown already: remove one from the timeline first", nullptr, most);
}

void Histories::add(const std::vector<HistorySubject>& subjects) {
    auto all = m_all;
    all.insert(all.end(), subjects.begin(), subjects.end());
    set(std::move(all));
}

void Histories::remove(const HistorySubject& subject) {
    if (std::erase(m_all, subject) > 0) Q_EMIT changed();
}

void Histories::set(std::vector<HistorySubject> subjects) {
    std::vector<HistorySubject> kept;
    for (HistorySubject& subject : subjects)
        if (!subject.key.isEmpty() && kept.size() < most && std::find(kept.begin(), kept.end(), subject) == kept.end())
            kept.push_back(std::move(subject));
    if (kept == m_all) return;
    m_all = std::move(kept);
    Q_EMIT changed();
}

QMimeData* Histories::toMime(const std::vector<HistorySubject>& subjects) {
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    for (const HistorySubject& subject : subjects) stream << static_cast<qint32>(subject.kind) << subject.key;
    auto* data = new QMimeData;
    data->setData(histories::mimeType, bytes);
    return data;
}

std::vector<HistorySubject> Histories::fromMime(const QMimeData* data) {
    std::vector<HistorySubject> subjects;
    QDataStream stream(data->data(histories::mimeType));
    while (!stream.atEnd() && subjects.size() < most) {
        qint32 kind = 0;
        QString key;
        stream >> kind >> key;
        if (stream.status() != QDataStream::Ok || kind < 0 || kind > static_cast<qint32>(HistorySubject::lastKind))
            break;
        subjects.push_back({static_cast<HistorySubject::Kind>(kind), key});
    }
    return subjects;
}

} // namespace trainyard
