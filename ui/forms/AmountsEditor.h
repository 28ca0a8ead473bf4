// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Amounts of resources: a number for each, set one by one, so that several machines keep what they differ in.
#include "forms/ValueField.h"

#include <QGridLayout>

namespace trainyard {

class AmountsEditor final : public FieldEditor {
    Q_OBJECT
public:
    explicit AmountsEditor(QWidget* parent = nullptr);
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override;
    QWidget* controlAt(const std::string& path) const override;
    bool isWide() const override { return true; }
    void mark(const FieldProblem& problem) override;

private:
    struct Line {
        std::string resource;
        ValueField* amount;
    };
    void build(const FieldInfo& field);

    QGridLayout* m_grid;
    std::vector<Line> m_lines;
    std::string m_path;
};

} // namespace trainyard
