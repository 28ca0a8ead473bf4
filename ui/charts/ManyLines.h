// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The picture of more lines than one frame can hold: it is made beside the window's thread, while the one finished last is shown, moved
// and stretched to where the axes are by then. Used by ChartLane and ChartPainter.
#include "charts/LineBundle.h"

#include <QElapsedTimer>
#include <QImage>

#include <memory>

namespace trainyard {

class BackgroundWork;

class ManyLines {
public:
    /// What a picture shows and where. Equal looks, equal pictures.
    struct Look {
        quint32 run = 0, ghost = 0; ///< RunId
        QString subject;            ///< the view with its options
        bool dark = false, logarithmicX = false, logarithmicY = false;
        // What follows may differ between a picture and the one that stands in for it for a moment.
        std::size_t position = 0;        ///< of the runs
        JobId job;                       ///< selected
        AxisRange x;                     ///< of the horizontal axis
        std::optional<AxisRange> y = {}; ///< of the vertical one, where it is not the lines'
        QRectF plot;
        double pixelRatio = 1, lineWidth = 1.5;

        bool sameKind(const Look& other) const;
        friend bool operator==(const Look&, const Look&) = default;
    };

    ManyLines();
    ~ManyLines();
    void clear(); ///< nobody wants them any more
    /// Takes what has been finished, and forgets pictures of another kind. True if nothing like this is shown or under way: begin() is
    /// due. Lines that have merely grown wait until the last picture has been seen for a while.
    bool wants(const Look& look);
    /// paint() would paint what it painted last: no picture has been finished since, and none is due.
    bool isSettled(const Look& look) const;
    void begin(const Look& look, LineBundle bundle);
    bool shows(const Look& look) const { return !m_finished.isNull() && m_finishedLook == look; }
    /// The vertical axis of the picture that is shown; nothing: none is.
    std::optional<AxisRange> vertical() const;
    /// The finished picture where `now` has its horizontal axis, and `vertical` is the other one.
    void paint(QPainter& painter, const Look& now, const AxisRange& vertical) const;

private:
    struct Job;
    void take();
    bool isResting(const Look& look) const;

    std::unique_ptr<BackgroundWork> m_thread; ///< from the first picture on
    std::shared_ptr<Job> m_job;               ///< under way; null: none
    std::shared_ptr<const Chart> m_chart;     ///< of the picture behind, or of the last one
    QImage m_finished;
    Look m_finishedLook, m_behindLook;
    AxisRange m_finishedVertical, m_behindVertical;
    QElapsedTimer m_begun;         ///< the picture behind, or the last one
    qint64 m_restMilliseconds = 0; ///< after it began, before lines that have merely grown are painted again
};

} // namespace trainyard
