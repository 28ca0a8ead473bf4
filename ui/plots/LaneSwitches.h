#pragma once
// What the user can set about the usual lanes: Gantt by machine or by job; which values the loss lane shows,
// against what, how smooth, and beside which other run. Puts the switches into the lanes and tells when one
// has changed. Owned by LaneStack.
#include <QObject>

class QAction;
class QDataStream;
class QLabel;
class QSlider;

namespace trainyard {

class Lane;
class RunModel;
struct LaneInput;

class LaneSwitches final : public QObject {
    Q_OBJECT
public:
    LaneSwitches(Lane& gantt, Lane& loss, RunModel& run, QObject* parent);

    void applyTo(LaneInput& input) const;
    void save(QDataStream& stream) const;
    void restore(QDataStream& stream);

Q_SIGNALS:
    void changed();

private:
    void addSmoothing(Lane& loss);
    void refresh();

    QAction *m_byJob, *m_logarithmic, *m_byUpdate, *m_lostToWaiting, *m_logarithmicAcross, *m_gradientNorm;
    QSlider* m_smoothing = nullptr; ///< hundredths
    QLabel* m_smoothingValue = nullptr;
};

} // namespace trainyard
