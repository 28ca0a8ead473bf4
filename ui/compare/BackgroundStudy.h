// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A study of `reproduce` under way beside the window's thread, part by part, with the claims measured so far; its runs are
// kept, so that it goes on where it was stopped. Owned by the tab that shows it.
#include "session/BackgroundWork.h"
#include "studies/ClaimsFile.h"

#include <QElapsedTimer>
#include <QString>

#include <atomic>

namespace trainyard {

class BackgroundStudy final : public QObject {
    Q_OBJECT
public:
    explicit BackgroundStudy(QObject* parent = nullptr);
    ~BackgroundStudy() override;

    /// One part, or all of them where `part` is empty. `request`: registry, resources, scenarios and quick.
    /// `folder`: where runs and claims.json are kept, made if need be.
    void start(const Study& study, const std::string& part, StudyRequest request, const QString& folder);
    void stop() { m_stop.request_stop(); }
    bool isRunning() const { return m_running; }

    /// The claims so far, of the study running or run last; of all parts if it was kept.
    const std::shared_ptr<const MeasuredStudy>& measured() const { return m_measured; }
    /// What was measured before; null: nothing.
    void show(std::shared_ptr<const MeasuredStudy> kept);
    double progress() const; ///< 0 … 1
    /// "c1: 12 of 220 runs"
    QString step() const;
    double secondsLeft() const; ///< if it goes on like this; negative: not known yet
    /// In the user's data.
    static QString folderFor(const std::string& study);

Q_SIGNALS:
    void changed(); ///< a few times a second while it runs
    void ended();

private:
    struct Shared;

    std::shared_ptr<const MeasuredStudy> m_measured;
    std::shared_ptr<Shared> m_shared;
    std::vector<std::string> m_parts;
    std::stop_source m_stop;
    bool m_running = false;
    QElapsedTimer m_clock;
    QTimer m_look;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
