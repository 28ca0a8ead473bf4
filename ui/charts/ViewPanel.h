// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The dock of views: a list of those that concern the run, the one chosen as a picture, and its options as a form.
// Follows the job selected and the instant, as the lanes do, from the same fold; what takes long is computed beside
// the window's thread while the last picture stays.
#include "analysis/View.h"
#include "session/Workspace.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <map>
#include <memory>
#include <stop_token>

class QLabel;
class QToolButton;

namespace trainyard {

class PictureView;
class ViewSide;

class ViewPanel final : public QWidget {
    Q_OBJECT
public:
    explicit ViewPanel(Workspace& workspace, QWidget* parent = nullptr);
    ~ViewPanel() override;

    const View& view() const { return *m_view; } ///< the one shown
    void choose(const QString& id);
    PictureView& picture() { return *m_picture; }
    /// What the user has set, of any view; only what differs from the defaults.
    ParamValues options(const View& view) const;
    const std::map<std::string, ParamValues>& allOptions() const { return m_options; } ///< by view
    void setOption(const View& view, const std::string& key, const ParamValue& value);
    /// To the iteration, decision … so many after the one shown, or before it.
    void step(int by);
    /// To be called when the timeline has something new to show.
    void refresh();
    /// Something is being computed that is not shown yet.
    bool isComputing() const { return m_work.has_value() || m_workspace.shownRuns().behind(); }

    QByteArray saveLayout() const; ///< which view, and the options of all
    void restoreLayout(const QByteArray& layout);

Q_SIGNALS:
    void viewChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// What a picture is of, apart from the instant.
    struct Subject {
        const View* view = nullptr;
        RunId run = 0;
        JobId job;
        ParamValues options;
        friend bool operator==(const Subject&, const Subject&) = default;
    };
    struct Work {
        Subject subject;
        std::stop_source stop;
        QElapsedTimer since;
        bool again = false; ///< something newer was asked for meanwhile
    };
    QWidget* makeSteps();
    void listViews();
    bool leaveViewOfOthers();
    void takeView(const View& view);
    void showOptions();
    void take(Computation computation, const Subject& subject);
    void start(Computation computation, const Subject& subject);
    void finished(int number, std::shared_ptr<const Picture> picture);
    void showPicture(std::shared_ptr<const Picture> picture, const Subject& subject);
    void showWords();
    void offerLane();
    void addLane();
    QString jobShown() const;
    void choose(const ElementRef& ref);
    void goToEnd(bool last);
    std::optional<ViewRequest> request() const;
    void nameReadings(Picture& picture, bool ofWholeRun) const;
    const ShownIndex* run() const { return m_workspace.shownRuns().current(); }
    JobId selectedJob() const; ///< of the run; invalid: none

    Workspace& m_workspace;
    const View* m_view;
    bool m_chosen = false;                        ///< since the document was opened
    std::map<std::string, ParamValues> m_options; ///< by view
    Subject m_shown;
    std::optional<Work> m_work;
    int m_number = 0;         ///< of the work begun last
    bool m_takesLong = false; ///< what is shown
    QElapsedTimer m_listed;
    QTimer m_later; ///< the next computation of the same subject, not at once
    QTimer m_rest;  ///< while it runs, the panel does not follow the run: its view took long on this thread
    RunId m_listedRun = 0;
    JobId m_listedJob;

    QWidget* m_steps;
    ViewSide* m_side;
    QToolButton *m_back, *m_on;
    QLabel *m_stop, *m_meaning, *m_caution;
    PictureView* m_picture;
};

} // namespace trainyard
