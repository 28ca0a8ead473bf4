// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Rows of a form for the size of a figure, in millimetres or pixels, and the dots per inch of its PNG. Part of the forms of the export
// panel and of charts of comparisons.
#include <QObject>
#include <QSizeF>

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QSpinBox;

namespace trainyard {

struct ExportSettings;

class FigureSize final : public QObject {
    Q_OBJECT
public:
    /// Adds its rows to the form, which it lives as long as. Of the settings: size, millimetres, dotsPerInch.
    FigureSize(QFormLayout& form, const ExportSettings& settings);

    QSizeF size() const { return m_size; } ///< pixels at 96 per inch
    int dotsPerInch() const;
    void takeInto(ExportSettings& settings) const;

Q_SIGNALS:
    void changed();

private:
    bool isInPixels() const;
    double unit() const; ///< pixels at 96 per inch
    void show();
    void take();
    void tellPixels();

    QSizeF m_size;
    QDoubleSpinBox *m_width, *m_height;
    QComboBox* m_unit;
    QSpinBox* m_dots;
    QLabel* m_pixels;
};

} // namespace trainyard
