// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A line in which one value is typed: a number with its unit, a name, a list, bounds. Numbers go up and down
// by the arrow keys, by the wheel while the line has the focus, and by dragging its label. What cannot be
// understood stays, and is reported; Escape brings the value back.
#include "forms/FieldEditor.h"

#include <QLineEdit>
#include <QTimer>

namespace trainyard {

class FieldSlider;

class ValueField final : public QLineEdit {
    Q_OBJECT
public:
    explicit ValueField(QWidget* parent = nullptr);

    void show(const FieldInfo& field, const std::vector<std::string>& values);
    bool canStep() const;
    /// Out of range, or not understood.
    bool isWrong() const;
    /// A step is a unit of the number's second digit; whole numbers move by at least 1, and all stay in
    /// range.
    void stepBy(double steps);
    static double stepOf(const FieldInfo& field, double value);

Q_SIGNALS:
    void committed(const std::string& json);
    void refused(const QString& why);
    void dragBegan();
    void dragEnded();

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void commit();
    void put(const QString& text);
    void tint();
    void burst(double steps);

    FieldInfo m_field;
    std::vector<std::string> m_values;
    QString m_shown;        ///< the value as text; what is in the line may differ while it is typed
    bool m_pending = false; ///< what was typed could not be understood
    double m_rest = 0;      ///< of a step smaller than a whole number
    QTimer m_burst;         ///< steps in quick succession are one
    bool m_inBurst = false;
};

class ValueEditor final : public FieldEditor {
    Q_OBJECT
public:
    ValueEditor(bool wide, bool withSlider, QWidget* parent = nullptr);
    bool isWide() const override { return m_wide; }
    void show(const FieldInfo& field, const std::vector<std::string>& values) override;
    QWidget* control() const override { return m_line; }
    void stepBy(double steps) override { m_line->stepBy(steps); }
    bool canStep() const override { return m_line->canStep(); }
    QWidget* below() const override;

private:
    ValueField* m_line;
    FieldSlider* m_slider = nullptr; ///< put under the row by FieldRow, which owns it
    std::string m_path;
    bool m_wide;
};

} // namespace trainyard
