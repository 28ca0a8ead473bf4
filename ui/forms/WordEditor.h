// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The editors of what is picked, not typed: on or off, and one of a few words.
#include "forms/FieldEditor.h"

class QCheckBox;
class QComboBox;

namespace trainyard {

class FlagEditor final : public FieldEditor {
    Q_OBJECT
public:
    explicit FlagEditor(QWidget* parent = nullptr);
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override;

private:
    QCheckBox* m_box;
    std::string m_path;
};

class WordEditor final : public FieldEditor {
    Q_OBJECT
public:
    /// `wide`: for long words. `open`: others can be typed.
    WordEditor(bool wide, bool open, QWidget* parent = nullptr);
    bool isWide() const override { return m_wide; }
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override;

private:
    QComboBox* m_words;
    std::string m_path;
    bool m_wide;
};

} // namespace trainyard
