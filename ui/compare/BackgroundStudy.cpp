// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BackgroundStudy.h"

#include <QDir>
#include <QStandardPaths>

#include <algorithm>

namespace trainyard {

/// Written by the study's thread, read by the window's.
struct BackgroundStudy::Latest {
    std::mutex mutex;
    std::size_t part = 0;
    std::shared_ptr<const MeasuredStudy> measured;
};

namespace background_study {

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void append(StudyReport& to, StudyReport from) {
    append(to.claims, from.claims);
    append(to.tables, from.tables);
    append(to.maps, from.maps);
    append(to.problems, from.problems);
    to.stopped |= from.stopped;
}

} // namespace background_study

using namespace background_study;

QString BackgroundStudy::folderFor(const std::string& study) {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("studies/") + QString::fromStdString(study));
}

void BackgroundStudy::show(std::shared_ptr<const MeasuredStudy> kept) {
    if (isRunning()) return;
    m_measured = std::move(kept);
    Q_EMIT changed();
}

void BackgroundStudy::start(const Study& study, const std::string& part, StudyRequest request, const QString& folder) {
    if (isRunning()) return;
    m_parts.clear();
    m_part = 0;
    m_begin = {};
    for (const StudyPart& each : study.parts)
        if (part.empty() || each.id == part) m_parts.push_back(each.id);
    auto latest = m_latest = std::make_shared<Latest>();
    m_measured = latest->measured =
        std::make_shared<MeasuredStudy>(trainyard::measured(study, part, request.quick, StudyReport()));
    begin(0,
          [this, latest, &study, parts = m_parts, request, folder](const std::stop_token& stop,
                                                                   const Progress& progress) mutable -> Finish {
              request.stop = stop;
              request.progress = progress;
              MeasuredStudy made = *latest->measured;
              request.kept = keptIn(folder, made.report.problems, progress);
              for (std::size_t p = 0; p < parts.size() && !made.report.stopped; ++p) {
                  {
                      const std::scoped_lock lock(latest->mutex);
                      latest->part = p;
                  }
                  progress(0, 0);
                  append(made.report, study.run(request, parts[p]));
                  const std::scoped_lock lock(latest->mutex);
                  latest->measured = std::make_shared<const MeasuredStudy>(made);
              }
              if (!made.report.stopped)
                  for (Problem& problem : writeStudy(folder.toStdString(), made))
                      made.report.problems.push_back(std::move(problem));
              return [this, made = std::make_shared<const MeasuredStudy>(std::move(made))] { m_measured = made; };
          });
}

void BackgroundStudy::take() {
    const std::scoped_lock lock(m_latest->mutex);
    m_part = m_latest->part;
    m_measured = m_latest->measured;
    if (m_part != m_begin.part || all() != m_begin.all || done() < m_begin.done)
        m_begin = {m_part, done(), all(), secondsTaken()};
}

double BackgroundStudy::progress() const {
    if (m_parts.empty()) return 0;
    const double here = all() > 0 ? static_cast<double>(done()) / static_cast<double>(all()) : 0;
    return (static_cast<double>(m_part) + here) / static_cast<double>(m_parts.size());
}

QString partName(const std::string& id) {
    QString name = QString::fromStdString(id).replace(u'-', u' ');
    if (!name.isEmpty()) name[0] = name[0].toUpper();
    return name;
}

QString BackgroundStudy::step() const {
    if (m_parts.empty()) return {};
    QString text = partName(m_parts[m_part]);
    if (m_parts.size() > 1) text = tr("Part %1 of %2, %3").arg(m_part + 1).arg(m_parts.size()).arg(text);
    return all() == 0 ? text : tr("%1: %2 of %3 runs").arg(text).arg(done()).arg(all());
}

double BackgroundStudy::secondsLeft() const {
    constexpr std::size_t least = 3; // earlier it is a guess
    if (!isRunning() || done() < m_begin.done + least || all() <= done()) return -1;
    return (secondsTaken() - m_begin.seconds) * static_cast<double>(all() - done()) /
           static_cast<double>(done() - m_begin.done);
}

} // namespace trainyard
