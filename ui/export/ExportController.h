// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Where the window's exports come together: it knows what can be exported now, starts one at a time beside
// the window's thread, and says what came of it. One per window; the export panel, menus and context menus
// ask it.
#include "export/ExportJob.h"
#include "export/Movie.h"
#include "session/Workspace.h"

namespace trainyard {

enum class CopyAs { picture, csv, spreadsheet };

class ExportController final : public QObject {
    Q_OBJECT
public:
    ExportController(Workspace& workspace, LaneStack& timeline, QObject* parent = nullptr);

    Workspace& workspace() { return m_workspace; }
    const LaneSource& lanes() const { return m_lanes; }
    /// Options of views as the window has them.
    using ViewOptions = std::function<std::map<std::string, ParamValues>()>;
    void takeViewOptions(ViewOptions from) { m_viewOptions = std::move(from); }
    /// What can be exported of the run on show.
    std::vector<ExportView> views() const;
    ExportJob& job() { return m_job; }
    /// Nothing has run yet, or an export goes on: why none can begin; empty if one can.
    QString whyNot() const;

    /// Why a movie, or figures of this view, cannot show the run compared with; empty if they can.
    QString whyNoGhost() const;
    QString whyNoGhost(const ExportView& view) const;

    /// Figures and tables as files. The instant is that of the cursor.
    void exportFiles(ExportOptions options);
    void exportMovie(const MovieOptions& options);
    /// One view to the clipboard, in the look of these options.
    void copy(const ExportView& view, CopyAs as, ExportOptions look);
    /// The instant shown and, if wanted, the part of the timeline that is seen.
    ExportOptions now(ExportOptions options, bool shownRange) const;

Q_SIGNALS:
    void availableChanged(); ///< whyNot()
    /// What came of it, in a sentence. `folder`: where files were written; empty: nowhere.
    void told(const QString& text, bool problem, const QString& folder);

private:
    ExportOptions asShown(ExportOptions options) const;
    void begin(const QString& what, const QString& folder, ExportJob::Work work);
    void tell();

    Workspace& m_workspace;
    LaneSource m_lanes;
    ViewOptions m_viewOptions;
    ExportJob m_job;
    QString m_folder, m_copied;
    bool m_hadRun = false;
};

} // namespace trainyard
