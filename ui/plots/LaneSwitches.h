// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the user can set about the usual lanes: Gantt by machine or by job; which values the loss lane shows,
// against what, how smooth, and beside which other run. Puts the switches into the lanes and tells when one
// has changed. Owned by the lanes' column.
#include <QObject>

#include <optional>

class QAction;
class QDataStream;
class QLabel;
class QSlider;

namespace trainyard {

class Lane;
class RunFold;
class RunModel;
struct LaneInput;

class LaneSwitches final : public QObject {
    Q_OBJECT
public:
    /// `run` null: which other run is shown cannot be chosen.
    LaneSwitches(Lane& gantt, Lane& loss, RunModel* run, QObject* parent);

    void applyTo(LaneInput& input) const;
    /// The loss axis is logarithmic where a loss of these runs falls by more than a factor of ten, unless the user has
    /// chosen otherwise. Null: no run. While `going`, it does not turn linear again: the run may still fall as far.
    void follow(const RunFold* run, const RunFold* ghost, bool going);
    void save(QDataStream& stream) const;
    void restore(QDataStream& stream);

Q_SIGNALS:
    void changed();

private:
    void addSmoothing(Lane& loss);
    void refresh();
    void setLogarithmic(bool automatic);

    std::optional<bool> m_chosenLogarithmic; ///< by the user, where it is not what is chosen without
    bool m_automaticLogarithmic = false, m_following = false;
    QAction *m_byJob, *m_logarithmic, *m_byUpdate, *m_lostToWaiting, *m_logarithmicAcross, *m_gradientNorm;
    QSlider* m_smoothing = nullptr; ///< hundredths
    QLabel* m_smoothingValue = nullptr;
};

} // namespace trainyard
