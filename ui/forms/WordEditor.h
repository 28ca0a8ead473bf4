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
    std::pair<int, int> shares() const override { return {4, 1}; }

private:
    QCheckBox* m_box;
    std::string m_path;
};

class WordEditor final : public FieldEditor {
    Q_OBJECT
public:
    /// `longest`: of the words, in characters. `open`: others can be typed.
    WordEditor(std::size_t longest, bool open, QWidget* parent = nullptr);
    bool isWide() const override { return m_longest > 16; }
    std::pair<int, int> shares() const override;
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override;

private:
    QComboBox* m_words;
    std::string m_path;
    std::size_t m_longest;
};

} // namespace trainyard
