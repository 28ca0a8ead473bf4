#pragma once
// The dock about waiting: a list of views of one job's iterations, and the one chosen. All follow the job
// selected and the instant, as the lanes do, from the same fold.
#include "session/Workspace.h"

#include <QWidget>

#include <memory>
#include <vector>

class QCheckBox;
class QLabel;
class QListWidget;
class QToolButton;

namespace trainyard {

class LaneStack;
class WaitingChart;
class WaitingPainter;
struct LaneInput;

class WaitingPanel final : public QWidget {
    Q_OBJECT
public:
    WaitingPanel(Workspace& workspace, LaneStack& timeline, QWidget* parent = nullptr);
    ~WaitingPanel() override;

    const std::vector<std::unique_ptr<WaitingPainter>>& views() const { return m_views; }
    WaitingPainter& view() const; ///< the one shown
    void choose(const QString& id);
    WaitingChart& chart() { return *m_chart; }
    /// As the charts get it, also while the panel is hidden.
    LaneInput makeInput() const;
    /// To the iteration so many after the one shown, or before it.
    void step(int iterations);
    /// To be called when the timeline has something new to show.
    void refresh();

    QByteArray saveLayout() const; ///< which view, and how it is drawn
    void restoreLayout(const QByteArray& layout);

Q_SIGNALS:
    void viewChanged();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeSide();
    void takeView();
    void goToUpdate(std::size_t update);

    Workspace& m_workspace;
    LaneStack& m_timeline;
    std::vector<std::unique_ptr<WaitingPainter>> m_views;
    QListWidget* m_list;
    QCheckBox *m_byWorker, *m_straight;
    QToolButton *m_back, *m_on;
    QLabel* m_meaning;
    WaitingChart* m_chart;
};

} // namespace trainyard
