// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Preferences, in effect at once: there is nothing to confirm. Not modal; opened from the Edit menu.
#include "session/Workspace.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace trainyard {

class ThemeChoice;

class PreferencesDialog final : public QDialog {
    Q_OBJECT
public:
    PreferencesDialog(Preferences& preferences, ThemeChoice& theme, QWidget* parent = nullptr);

private:
    void addRow(QFormLayout* form, const QString& label, QWidget* control, const QString& help);
    QCheckBox* check(const char* name, const QString& text);
    QSpinBox* number(const char* name, int least, int most, const QString& suffix, const QString& zero);
    void makeLook(QFormLayout* form);
    void makeSafety(QFormLayout* form);
    void refresh(); ///< the controls from what is set

    Preferences& m_preferences;
    ThemeChoice& m_theme;
    QComboBox* m_kind;
    QCheckBox *m_projector, *m_motion, *m_hatches, *m_session;
    QSpinBox *m_autosave, *m_ghosts, *m_undo;
};

} // namespace trainyard
