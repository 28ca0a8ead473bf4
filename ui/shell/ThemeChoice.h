// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// What the window looks like: light, dark, high contrast or as the system has it; 150 % of the
// size for a projector; textures beside colours. Remembered between starts and applied at once to the running
// program.
#include "theme/Theme.h"

#include <QObject>

class QAction;
class QActionGroup;
class QMenu;

namespace trainyard {

class ThemeChoice final : public QObject {
    Q_OBJECT
public:
    enum Kind { system, light, dark, highContrast };
    /// Before anything else has touched the application's palette: that is how the system's lightness is
    /// known.
    explicit ThemeChoice(QObject* parent = nullptr);

    /// Sets the style sheet too, from now on. With one, each widget that gets a parent has its style set again, with all that is in
    /// it: a window is put together without.
    void applySheet();
    void choose(Kind kind, bool remember = true);
    Kind kind() const { return m_kind; }
    /// "light", "dark", "high-contrast"; anything else: as the system has it.
    static Kind kindOf(const QString& name);
    bool projector() const { return m_projector; }
    void setProjector(bool on, bool remember = true);
    bool hatches() const { return m_hatches; }
    void setHatches(bool on);
    void addTo(QMenu* menu);

Q_SIGNALS:
    void changed();

private:
    Theme theme() const;
    double scale() const;
    void apply();

    Kind m_kind = system;
    bool m_systemIsDark = false, m_projector = false, m_hatches = true;
    QActionGroup* m_actions = nullptr;
};

} // namespace trainyard
