#pragma once
// Colours, spacing and textures of the window, one value per theme; everything that paints asks here and nothing hard-codes a
// colour. Activities and jobs keep their hue in every theme (Okabe–Ito), with a texture so that colour is never the only sign.
#include "base/Ids.h"

#include <QBrush>
#include <QColor>
#include <QFont>

class QApplication;

namespace trainyard {

enum class Activity { compute, transfer, waiting, discarded, update, failed };

struct Theme {
    bool dark = false;
    QColor window, surface, raised, hairline, text, muted, accent, problem, warning, good, grid;

    static Theme light();
    static Theme darkTheme();
    /// Light, always: for exported figures.
    static Theme print();
    /// By the lightness of the application's palette (Qt 6.4 has no colour scheme hint).
    static Theme current();

    QColor activity(Activity a) const;
    /// Solid, diagonal, dots, cross-hatch: see ui.md.
    QBrush activityBrush(Activity a) const;
    /// A job keeps its colour for as long as the scenario lives.
    QColor job(JobId id) const;
    /// Cividis at 0 … 1; grey for "none" (negative).
    QColor load(double share) const;
    QFont tabular() const; ///< digits of equal width
    /// Sets the palette and style sheet of the whole application.
    void apply(QApplication& application) const;
};

} // namespace trainyard
