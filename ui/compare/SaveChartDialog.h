// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How a chart of Compare will look in a file, chosen before it is written: title, axis titles, size, theme, footer, with a preview. Size
// and theme are remembered; texts are those of one chart.
#include "compare/ComparisonFiles.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace trainyard {

class FigureSize;

class SaveChartDialog final : public QDialog {
    Q_OBJECT
public:
    /// `footer`: in small print under the chart, if it is wanted.
    SaveChartDialog(TitledChart chart, const QString& footer, QWidget* parent);

    ComparisonFigure figure() const;

Q_SIGNALS:
    /// The dialog stays until it is told to close: the file may not be chosen.
    void saveWanted();

private:
    void preview();

    TitledChart m_chart;
    QString m_footerText;
    QLineEdit *m_title, *m_horizontal, *m_vertical;
    FigureSize* m_size;
    QComboBox* m_theme;
    QCheckBox* m_footer;
    QWidget* m_preview;
};

} // namespace trainyard
