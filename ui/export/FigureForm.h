// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// How figures look: size in millimetres or pixels, dots per inch, theme, part of the run, unit of the time
// axis, and the texts of the view in hand. Part of the export panel.
#include "export/ExportSettings.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLineEdit;

namespace trainyard {

class FigureSize;

class FigureForm final : public QWidget {
    Q_OBJECT
public:
    explicit FigureForm(const ExportSettings& settings, QWidget* parent = nullptr);

    /// Takes what is set here; folder, views and formats are others' business.
    void takeInto(ExportSettings& settings) const;
    /// The texts written over a view; empty ones stand for its own.
    FigureTexts textsOf(const QString& view) const { return m_texts.value(view); }
    const QHash<QString, FigureTexts>& texts() const { return m_texts; }
    void forgetTexts();
    /// The view whose texts are edited; `axes`: it has some.
    void setView(const ExportView& view, bool axes);
    /// Whether figures of the view show the run compared with; why they cannot, if not empty.
    void setWhyNoGhost(const QString& why);
    /// Shown where nothing is written.
    void setOwnTexts(const FigureTexts& own);

Q_SIGNALS:
    void changed();

private:
    void makeLook(QFormLayout* form, const ExportSettings& settings);
    void makeTexts(QFormLayout* form);
    void takeTexts();

    FigureSize* m_size;
    QString m_view;
    QHash<QString, FigureTexts> m_texts;
    QComboBox *m_theme, *m_range, *m_timeUnit;
    QCheckBox *m_footer, *m_ghost;
    QLineEdit *m_title, *m_horizontal, *m_vertical;
};

/// Object name for scripts, accessible name, tooltip.
template <class Widget>
Widget* named(Widget* control, const char* name, const QString& label, const QString& help) {
    control->setObjectName(QLatin1String(name));
    control->setAccessibleName(label);
    control->setToolTip(help);
    return control;
}
/// For a text of a figure, as a row of the form.
QLineEdit* figureTextLine(QFormLayout& form, const char* name, const QString& label, const QString& help);
/// Whether the run compared with is shown; the same for figures and movies.
QCheckBox* ghostBox(bool checked, const char* name);
/// Disables it with the reason in its tooltip; empty: enables it.
void setWhyNoGhost(QCheckBox& box, const QString& why);
/// print, light, dark; with its name for screen readers.
QComboBox* printThemeBox(PrintTheme chosen, const char* name, QWidget* parent);

} // namespace trainyard
