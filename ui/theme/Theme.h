// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Colours, spacing and textures of the window, one value per theme; everything that paints asks here and
// nothing hard-codes a colour. Activities keep their colour in every theme (Okabe–Ito), with a texture so that colour is
// never the only sign; jobs have ten others, which are no activity's.
#include "base/Ids.h"
#include "record/WorkerPhase.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QPalette>

class QApplication;

namespace trainyard {

struct Theme {
    bool dark = false;
    QColor window, surface, raised, hairline, text, muted, accent, problem, warning, good, grid;
    bool highContrast = false;
    bool hatches = true; ///< activities have textures, so that colour is not the only sign

    friend bool operator==(const Theme&, const Theme&) = default;

    static Theme light();
    static Theme darkTheme();
    /// White on black, every text at least 7:1 (WCAG 2.1 AAA), every edge visible.
    static Theme highContrastTheme();
    /// Light, always: for exported figures.
    static Theme print();
    /// What the application wears: by its palette's window colour (Qt 6.4 has no colour scheme hint).
    static Theme current();
    /// How much larger everything is than usual: 1, or 1.5 to be read from the back of a hall.
    static double scale();
    /// A length of a widget, in pixels of the usual size, at the scale worn now.
    static int scaled(double pixels);

    /// Contrast of two colours, 1 … 21, after WCAG 2.1.
    static double contrast(const QColor& a, const QColor& b);
    /// Of text that cannot be used now: as pale as 4.5:1 (high contrast: 7:1) on every ground allows.
    QColor disabled() const;
    /// Of another run that is compared with: as pale as 3:1 on the surface allows; dashes tell it apart.
    QColor ghost(const QColor& colour) const;
    QColor hover() const; ///< ground under the pointer
    /// Outlines and marks of what is idle or at rest: so much of `muted` on `ground`, in high contrast at least 3:1.
    QColor rest(double share, const QColor& ground) const;
    QColor selected() const; ///< ground of what is selected
    QColor onAccent() const; ///< text on the accent colour

    QColor activity(Activity a) const;
    /// Solid, diagonal, dots, cross-hatch: see ui.md.
    /// One brush does it all: texture and ground in a tile of 8 pixels. Vector formats that know no textures
    /// (SVG) take activity() as the fill and activityPattern() over it.
    QBrush activityBrush(Activity a) const;
    /// The texture alone, as lines over activity(); Qt::NoBrush for solid activities.
    QBrush activityPattern(Activity a) const;
    /// What is no job and no activity (machines, reasons, resources, noted series): colours of its own, 3:1 and more on the surfaces. The
    /// ninth is the first again.
    QColor series(std::size_t index) const;
    /// A job keeps its colour for as long as the scenario lives.
    QColor job(JobId id) const;
    /// Of one without a colour of its own (ColouredJobs.h) as pale as lines may be.
    QColor job(JobId id, bool hasOwn) const;
    /// Jobs past the tenth share a hue with an earlier one and are drawn with a stripe.
    bool jobStriped(JobId id) const;
    /// Cividis at 0 … 1; grey for "none" (negative).
    QColor load(double share) const;
    QFont tabular() const; ///< digits of equal width
    /// `share` of a over b, opaque.
    static QColor mix(const QColor& a, const QColor& b, double share);
    QPalette palette() const;
    /// Sets the palette and font of the whole application, with this theme's hatches.
    void apply(QApplication& application, double scale = 1) const;
    void applySheet(QApplication& application, double scale = 1) const; ///< its style sheet
};

} // namespace trainyard
