// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The figure as it will be. Lanes come from the timeline's own index; tables and the cluster are computed
// beside the window's thread. Part of the export panel.
#include "export/PreviewPicture.h"

namespace trainyard {

class FigureSource;

class FigurePreview final : public PreviewPicture {
    Q_OBJECT
public:
    explicit FigurePreview(ExportController& controller);

    void setFigure(const ExportView& view, const ExportOptions& options);
    /// Title and axis titles of the view's own, as far as known; told when they change.
    const FigureTexts& ownTexts() const { return m_ownTexts; }

Q_SIGNALS:
    void ownTextsChanged();

private:
    void compute(const RunData& run) override;
    void takeFigure(FigureSource& source, const RunData& run);

    ExportView m_view;
    ExportOptions m_options;
    FigureTexts m_ownTexts;
    BackgroundWork m_work; ///< last: what it does uses the rest
};

} // namespace trainyard
