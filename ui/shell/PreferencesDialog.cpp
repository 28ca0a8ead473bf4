// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/PreferencesDialog.h"

#include "shell/ThemeChoice.h"
#include "theme/Theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace trainyard {

PreferencesDialog::PreferencesDialog(Preferences& preferences, ThemeChoice& theme, QWidget* parent)
    : QDialog(parent), m_preferences(preferences), m_theme(theme), m_kind(new QComboBox),
      m_projector(check("projector", tr("150 % size"))),
      m_motion(check("reduce-motion", tr("No animation on the links"))),
      m_hatches(check("hatches", tr("Textures beside colours"))),
      m_session(check("restore-session", tr("Open the last file where it was left"))),
      m_autosave(number("autosave", 0, Preferences::mostAutosaveSeconds, tr(" s"), tr("at every change"))),
      m_ghosts(number("ghost-runs", 1, Preferences::mostGhostRuns, {}, {})),
      m_undo(number("undo-limit", 0, Preferences::mostUndoSteps, tr(" steps"), tr("all steps"))) {
    setWindowTitle(tr("Preferences"));
    resize(QSize(660, 540) * Theme::scale()); // a low screen scrolls
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 16, 20, 16);
    column->setSpacing(16);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    content->setProperty("panel", true);
    auto* form = new QFormLayout(content);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(4);
    form->setLabelAlignment(Qt::AlignRight | Qt::AlignTop);
    makeLook(form);
    makeSafety(form);
    scroll->setWidget(content);
    column->addWidget(scroll, 1);
    auto* line = new QHBoxLayout;
    auto* note = new QLabel(tr("Changes apply at once."));
    note->setProperty("muted", true);
    auto* usual = new QPushButton(tr("Restore Defaults"));
    usual->setAutoDefault(false);
    line->addWidget(note, 1);
    line->addWidget(usual);
    column->addLayout(line);
    connect(usual, &QPushButton::clicked, this, [this] {
        m_preferences.reset();
        m_theme.setProjector(false);
        m_theme.setHatches(true);
        m_theme.choose(ThemeChoice::system);
    });
    connect(&preferences, &Preferences::changed, this, &PreferencesDialog::refresh);
    connect(&theme, &ThemeChoice::changed, this, &PreferencesDialog::refresh);
    refresh();
}

QCheckBox* PreferencesDialog::check(const char* name, const QString& text) {
    auto* box = new QCheckBox(text, this);
    box->setObjectName(QLatin1String(name));
    return box;
}

QSpinBox* PreferencesDialog::number(const char* name, int least, int most, const QString& suffix, const QString& zero) {
    auto* box = new QSpinBox(this);
    box->setObjectName(QLatin1String(name));
    box->setRange(least, most);
    box->setSuffix(suffix);
    box->setSpecialValueText(zero);
    box->setKeyboardTracking(false);
    box->setAccelerated(true);
    return box;
}

void PreferencesDialog::addRow(QFormLayout* form, const QString& label, QWidget* control, const QString& help) {
    auto* text = new QLabel(help);
    text->setProperty("muted", true);
    text->setWordWrap(true);
    text->setContentsMargins(0, 0, 0, 4);
    control->setAccessibleName(label);
    control->setToolTip(help);
    form->addRow(label, control);
    form->addRow(QString(), text);
}

void PreferencesDialog::makeLook(QFormLayout* form) {
    m_kind->setObjectName(QStringLiteral("theme"));
    m_kind->addItem(tr("Follow system"), ThemeChoice::system);
    m_kind->addItem(tr("Light"), ThemeChoice::light);
    m_kind->addItem(tr("Dark"), ThemeChoice::dark);
    m_kind->addItem(tr("High contrast"), ThemeChoice::highContrast);
    connect(m_kind, &QComboBox::activated, this,
            [this](int index) { m_theme.choose(static_cast<ThemeChoice::Kind>(m_kind->itemData(index).toInt())); });
    connect(m_projector, &QCheckBox::toggled, this, [this](bool on) { m_theme.setProjector(on); });
    connect(m_motion, &QCheckBox::toggled, &m_preferences, &Preferences::setReduceMotion);
    connect(m_hatches, &QCheckBox::toggled, this, [this](bool on) { m_theme.setHatches(on); });
    addRow(form, tr("Theme"), m_kind, tr("Colours of the window; exported charts are always light."));
    addRow(form, tr("Projector mode"), m_projector, tr("Larger text and thicker lines, readable from a distance."));
    addRow(form, tr("Reduce motion"), m_motion, tr("No animation."));
    addRow(form, tr("Hatches"), m_hatches,
           tr("Computing, sending, waiting and discarded also differ in texture, for colour-blind "
              "readers and black-and-white print."));
}

void PreferencesDialog::makeSafety(QFormLayout* form) {
    connect(m_session, &QCheckBox::toggled, &m_preferences, &Preferences::setRestoreSession);
    connect(m_autosave, &QSpinBox::valueChanged, &m_preferences, &Preferences::setAutosaveSeconds);
    connect(m_ghosts, &QSpinBox::valueChanged, &m_preferences, &Preferences::setGhostRuns);
    connect(m_undo, &QSpinBox::valueChanged, &m_preferences, &Preferences::setUndoLimit);
    addRow(form, tr("At start"), m_session, tr("Otherwise the start page is shown."));
    addRow(form, tr("Keep unsaved work"), m_autosave,
           tr("How often changes go to the journal from which they are recovered after a crash."));
    addRow(form, tr("Earlier runs kept"), m_ghosts, tr("For comparison; the last one is drawn dashed in the charts."));
    addRow(form, tr("Undo"), m_undo, tr("How many steps can be undone; older ones are dropped at once."));
}

void PreferencesDialog::refresh() {
    const QSignalBlocker quiet[] = {QSignalBlocker(m_kind),    QSignalBlocker(m_projector), QSignalBlocker(m_motion),
                                    QSignalBlocker(m_hatches), QSignalBlocker(m_session),   QSignalBlocker(m_autosave),
                                    QSignalBlocker(m_ghosts),  QSignalBlocker(m_undo)};
    m_kind->setCurrentIndex(m_kind->findData(m_theme.kind()));
    m_projector->setChecked(m_theme.projector());
    m_motion->setChecked(m_preferences.reduceMotion());
    m_hatches->setChecked(m_theme.hatches());
    m_session->setChecked(m_preferences.restoreSession());
    m_autosave->setValue(m_preferences.autosaveSeconds());
    m_ghosts->setValue(m_preferences.ghostRuns());
    m_undo->setValue(m_preferences.undoLimit());
}

} // namespace trainyard
