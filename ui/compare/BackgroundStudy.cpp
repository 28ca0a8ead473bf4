// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "compare/BackgroundStudy.h"

#include <QDir>
#include <QStandardPaths>

#include <algorithm>

namespace trainyard {

/// Written by the study's thread, read by the window's.
struct BackgroundStudy::Shared {
    std::mutex mutex;
    std::size_t part = 0, done = 0, all = 0;
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
    append(to.problems, from.problems);
    to.stopped |= from.stopped;
}

} // namespace background_study

using namespace background_study;

BackgroundStudy::BackgroundStudy(QObject* parent) : QObject(parent) {
    constexpr int refresh = 150; // milliseconds
    m_look.setInterval(refresh);
    connect(&m_look, &QTimer::timeout, this, [this] {
        {
            const std::scoped_lock lock(m_shared->mutex);
            m_measured = m_shared->measured;
        }
        Q_EMIT changed();
    });
}

BackgroundStudy::~BackgroundStudy() { m_stop.request_stop(); }

QString BackgroundStudy::folderFor(const std::string& study) {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("studies/") + QString::fromStdString(study));
}

void BackgroundStudy::show(std::shared_ptr<const MeasuredStudy> kept) {
    if (m_running) return;
    m_measured = std::move(kept);
    Q_EMIT changed();
}

void BackgroundStudy::start(const Study& study, const std::string& part, StudyRequest request, const QString& folder) {
    if (m_running) return;
    StudyReport unkept;
    if (QDir().mkpath(folder)) {
        auto store =
            ResultStore::open((folder + QLatin1Char('/') + QLatin1String(ResultStore::fileName)).toStdString());
        if (store)
            request.kept = KeptResults(std::move(store).value(), true);
        else
            unkept.problems = store.problems();
    }
    m_parts.clear();
    for (const StudyPart& each : study.parts)
        if (part.empty() || each.id == part) m_parts.push_back(each.id);
    auto shared = m_shared = std::make_shared<Shared>();
    m_measured = shared->measured =
        std::make_shared<MeasuredStudy>(trainyard::measured(study, part, request.quick, std::move(unkept)));
    request.progress = [shared](std::size_t done, std::size_t all) {
        const std::scoped_lock lock(shared->mutex);
        shared->done = done;
        shared->all = all;
    };
    m_running = true;
    m_clock.start();
    m_look.start();
    m_stop =
        m_work.start([this, shared, &study, parts = m_parts, request = std::move(request),
                      directory = folder.toStdString()](const std::stop_token& stop) mutable -> BackgroundWork::Result {
            request.stop = stop;
            MeasuredStudy made = *shared->measured;
            for (std::size_t p = 0; p < parts.size() && !made.report.stopped; ++p) {
                {
                    const std::scoped_lock lock(shared->mutex);
                    shared->part = p;
                    shared->done = shared->all = 0;
                }
                append(made.report, study.run(request, parts[p]));
                const std::scoped_lock lock(shared->mutex);
                shared->measured = std::make_shared<const MeasuredStudy>(made);
            }
            if (!made.report.stopped)
                for (Problem& problem : writeStudy(directory, made)) made.report.problems.push_back(std::move(problem));
            return [this, made = std::make_shared<const MeasuredStudy>(std::move(made))] {
                m_look.stop();
                m_running = false;
                m_measured = made;
                Q_EMIT changed();
                Q_EMIT ended();
            };
        });
    Q_EMIT changed();
}

double BackgroundStudy::progress() const {
    if (!m_shared || m_parts.empty()) return 0;
    const std::scoped_lock lock(m_shared->mutex);
    const double here =
        m_shared->all > 0 ? static_cast<double>(m_shared->done) / static_cast<double>(m_shared->all) : 0;
    return (static_cast<double>(m_shared->part) + here) / static_cast<double>(m_parts.size());
}

QString BackgroundStudy::step() const {
    if (!m_shared || m_parts.empty()) return {};
    const std::scoped_lock lock(m_shared->mutex);
    const QString part = QString::fromStdString(m_parts[m_shared->part]);
    return m_shared->all == 0 ? part : tr("%1: %2 of %3 runs").arg(part).arg(m_shared->done).arg(m_shared->all);
}

double BackgroundStudy::secondsLeft() const {
    constexpr double least = 0.05; // of the way: earlier it is a guess
    const double done = progress();
    return m_running && done > least ? static_cast<double>(m_clock.elapsed()) / 1000 * (1 - done) / done : -1;
}

} // namespace trainyard
