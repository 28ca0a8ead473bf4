// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a chart that stands alone will look in a file, chosen before it is written: title, axis titles, size, theme, footer, with a preview. Size
// and theme are remembered; texts are those of one chart.
#include "export/ChartFile.h"

#include <QDialog>

#include <functional>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace trainyard {

class FigureSize;

class SaveChartDialog final : public QDialog {
    Q_OBJECT
public:
    using Draw = std::function<DrawFigure(const ChartFigure& figure)>;
    /// Writes the file; false: none was chosen, and the dialog stays.
    using Save = std::function<bool(const ChartFigure& figure)>;
    SaveChartDialog(const TitledChart& chart, Draw draw, Save save, QWidget* parent);

    ChartFigure figure() const;

private:
    void remember() const;
    void preview();

    Draw m_draw;
    Save m_save;
    QLineEdit *m_title, *m_horizontal, *m_vertical;
    FigureSize* m_size;
    QComboBox* m_theme;
    QCheckBox* m_footer;
    QWidget* m_preview;
};

} // namespace trainyard
