// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One run made ready for figures: folded to its end, its state and metrics at the instant asked for when they
// are first needed. Paints any view, and writes its table. Used by exports, and by the clipboard and the
// preview with the window's own index.
#include "charts/PictureStyle.h"
#include "export/ClusterFigure.h"
#include "export/EventsFigure.h"
#include "export/ExportWork.h"

namespace trainyard {

class FigureSource {
public:
    /// The run as far as its log has come now. `index`: of the run, or null: it is folded here when a lane is
    /// prepared. `going`: asked during long work; false gives up, and what is asked for then is incomplete.
    FigureSource(RunData run, const ExportOptions& options, std::function<bool()> going,
                 const ShownIndex* index = nullptr);
    ~FigureSource();

    TimeSpan span() const { return m_span; } ///< what is shown
    SimTime instant() const { return m_at; }

    /// Whether the run has something to show in this view; folds it. Any thread.
    bool concerns(const ExportView& view);
    /// What the calls below need of this view is computed; any thread, but with a given index its owner's.
    void prepareView(const ExportView& view);
    /// The run has nothing to show in it, and it would say why; on the window's thread, after prepareView().
    bool isEmpty(const ExportView& view, const LaneSource& lanes) const;
    /// Of a view, in two steps: what is known of it at once, on the thread of the index, and, after its finish(), the
    /// whole picture. `withEveryNumber`: for its table; steps of a figure that are shorter than a pixel become their means.
    Computation beginPicture(const View& view, bool withEveryNumber);
    void takePicture(Picture picture) { m_picture = std::make_shared<const Picture>(std::move(picture)); }
    /// Title and axis titles as the view has them, where the user wrote none.
    FigureTexts ownTexts(const ExportView& view, const LaneSource& lanes) const;
    /// The title a figure gets.
    QString titleOf(const ExportView& view, const LaneSource& lanes) const;
    /// A table is as high as its rows.
    QSizeF sizeOf(const ExportView& view) const;
    /// The whole figure, in pixels at 96 per inch; on the window's thread, after prepareView().
    void paint(QPainter& painter, const ExportView& view, const LaneSource& lanes, const QString& footer,
               bool vector) const;
    /// The CSV rows without provenance; any thread. `onWindowThread`: for lanes whose readings only their
    /// painter knows.
    void writeTable(CsvRows& rows, const ExportView& view, const LaneSource& lanes,
                    const std::function<void(const std::function<void()>&)>& onWindowThread);

private:
    using OnWindowThread = std::function<void(const std::function<void()>&)>;
    void writeLane(CsvRows& rows, const ExportView& view, const LaneSource& lanes,
                   const OnWindowThread& onWindowThread);
    void makeIndex();
    std::size_t pointsOfFigure() const; ///< of one series
    Picture pictureOf(const HistorySubject& subject) const;
    LaneFigure laneFigure(const LaneView& lane) const;
    const ClusterState& state();

    RunData m_run;
    ExportOptions m_options;
    std::function<bool()> m_going;
    std::unique_ptr<ShownIndex> m_ownIndex;
    const ShownIndex* m_index;
    TimeSpan m_span;
    SimTime m_head, m_at;
    std::shared_ptr<const ClusterState> m_state;
    std::optional<CanvasContent> m_content;
    std::shared_ptr<const Picture> m_picture; ///< of the view prepared last, for its figure
    std::shared_ptr<const Picture> m_numbers; ///< of the same, for its table
    std::shared_ptr<const Picture> m_events;  ///< the first of them
};

} // namespace trainyard
