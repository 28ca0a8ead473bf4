// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// One control per kind of field (see scenario/EntityFields.h): shows a value, lets it be typed, picked or
// dragged, and says what it became. Knows no document; EntityForm puts editors into rows and takes what comes
// out to the document.
#include "forms/FieldProblem.h"
#include "forms/FieldText.h"

#include <QWidget>

namespace trainyard {

class FieldEditor : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// `values`: JSON, one per entity shown; editors say so where they differ. What was typed and could not
    /// be understood stays as long as the value behind it does.
    virtual void show(const FieldInfo& field, const std::vector<std::string>& values) = 0;
    /// What has the keyboard, and what the label belongs to.
    virtual QWidget* control() const = 0;
    /// The control of a part of the field ("cpu" of amounts), as a path relative to the entity; the whole one
    /// if unknown.
    virtual QWidget* controlAt(const std::string& /*path*/) const { return control(); }
    /// Needs the width of the form: the label stands above it.
    virtual bool isWide() const { return false; }
    /// How label and editor divide the width, where it stands beside the label.
    virtual std::pair<int, int> shares() const { return {1, 1}; }
    /// What stands under label and editor, over the whole width: a slider; null: nothing.
    virtual QWidget* below() const { return nullptr; }
    /// Moves a number by so many steps, as a drag on its label does; nothing for others.
    virtual void stepBy(double /*steps*/) {}
    virtual bool canStep() const { return false; }
    virtual void mark(const FieldProblem& problem);

Q_SIGNALS:
    /// Path relative to the entity, and JSON; empty: out, or the default.
    void edited(const std::string& path, const std::string& json);
    /// Why what was typed is no value; empty: all is well again.
    void refused(const QString& why);
    void dragBegan(); ///< everything edited from here …
    void dragEnded(); ///< … to here is one step
};

/// What stands in place of values that differ.
QString severalText();
bool valuesDiffer(const std::vector<std::string>& values);

struct FieldChoices;
/// `choices`: what "choice" fields offer.
FieldEditor* makeFieldEditor(const FieldInfo& field, const FieldChoices& choices);

} // namespace trainyard
