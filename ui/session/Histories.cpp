// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/Histories.h"

#include <QDataStream>
#include <QIODevice>
#include <QMimeData>
#include <QUrl>

#include <algorithm>

namespace trainyard {

HistorySubject HistorySubject::of(const QString& view, const Options& options) {
    QStringList words;
    for (const auto& [name, value] : options)
        words << name + u'=' + QString::fromLatin1(QUrl::toPercentEncoding(value));
    return {words.isEmpty() ? view : view + u'?' + words.join(u'&')};
}

QString HistorySubject::view() const { return key.section(u'?', 0, 0); }

HistorySubject::Options HistorySubject::options() const {
    Options all;
    for (const QString& word : key.section(u'?', 1).split(u'&', Qt::SkipEmptyParts))
        all.emplace_back(word.section(u'=', 0, 0), QUrl::fromPercentEncoding(word.section(u'=', 1).toLatin1()));
    return all;
}

QString HistorySubject::id() const {
    QString text = view();
    for (const auto& [name, value] : options())
        if (value != QLatin1String("true")) text += u'-' + value;
    QString id;
    for (const QChar c : text.toLower()) id += c.isLetterOrNumber() ? c : QLatin1Char('-');
    return id;
}

namespace histories {
HistorySubject named(const char* view, const char* option, const std::string& key) {
    return HistorySubject::of(QLatin1String(view), {{QLatin1String(option), QString::fromStdString(key)}});
}
} // namespace histories

HistorySubject machineSubject(const std::string& key) { return histories::named("machine", "machine", key); }
HistorySubject linkSubject(const std::string& key) { return histories::named("link", "link", key); }
HistorySubject jobSubject(const std::string& key) { return histories::named("workers", "job", key); }

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

void Histories::replace(const HistorySubject& subject, const HistorySubject& by) {
    const auto at = std::find(m_all.begin(), m_all.end(), subject);
    if (at == m_all.end()) return;
    *at = by;
    Q_EMIT changed();
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
    for (const HistorySubject& subject : subjects) stream << subject.key;
    auto* data = new QMimeData;
    data->setData(histories::mimeType, bytes);
    return data;
}

std::vector<HistorySubject> Histories::fromMime(const QMimeData* data) {
    std::vector<HistorySubject> subjects;
    QDataStream stream(data->data(histories::mimeType));
    while (!stream.atEnd() && subjects.size() < most) {
        QString key;
        stream >> key;
        if (stream.status() != QDataStream::Ok) break;
        subjects.push_back({key});
    }
    return subjects;
}

} // namespace trainyard
