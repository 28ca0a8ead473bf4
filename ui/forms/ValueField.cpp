// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/ValueField.h"

#include "base/Format.h"
#include "forms/FieldSlider.h"
#include "theme/Theme.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace trainyard {

ValueField::ValueField(QWidget* parent) : QLineEdit(parent) {
    setMinimumWidth(56);
    connect(this, &QLineEdit::editingFinished, this, &ValueField::commit);
    m_burst.setSingleShot(true);
    m_burst.setInterval(600);
    connect(&m_burst, &QTimer::timeout, this, [this] {
        m_inBurst = false;
        Q_EMIT dragEnded();
    });
}

void ValueField::show(const FieldInfo& field, const std::vector<std::string>& values) {
    const bool sameWords = field.words == m_field.words && field.kind == m_field.kind;
    const bool sameValue = values == m_values && field.path == m_field.path;
    m_field = field;
    m_values = values;
    if (!sameWords && field.kind == FieldInfo::Kind::text && !field.words.empty()) {
        QStringList words;
        for (const std::string& word : field.words) words << QString::fromStdString(word);
        auto* completer = new QCompleter(words, this);
        completer->setCaseSensitivity(Qt::CaseInsensitive);
        completer->setFilterMode(Qt::MatchContains);
        delete this->completer();
        setCompleter(completer);
        connect(completer, qOverload<const QString&>(&QCompleter::activated), this, &ValueField::commit,
                Qt::QueuedConnection);
    }
    const int unitWidth =
        field.unit.empty() ? 0 : fontMetrics().horizontalAdvance(QString::fromStdString(field.unit)) + 6;
    setTextMargins(0, 0, unitWidth, 0);
    const bool several = valuesDiffer(values);
    const QString text = several ? QString() : fieldText(field, values.front());
    const bool mayBeNone =
        field.optional || (field.kind == FieldInfo::Kind::text && !field.required && field.key != "name");
    setPlaceholderText(several ? severalText() : mayBeNone ? tr("none") : QString());
    const bool typing = hasFocus() && isModified() && this->text() != m_shown;
    m_shown = text;
    tint();
    if (sameValue && (m_pending || typing)) return;
    put(text);
}

void ValueField::put(const QString& text) {
    m_pending = false;
    if (this->text() != text) {
        setText(text);
        setCursorPosition(0);
    }
    setModified(false);
    tint();
}

/// A value that the file leaves out is the default: it is there, but quieter.
void ValueField::tint() {
    QPalette colours = palette();
    const Theme theme = Theme::current();
    colours.setColor(QPalette::Text, m_field.present || isModified() ? theme.text : theme.muted);
    colours.setColor(QPalette::PlaceholderText, theme.muted);
    if (colours != palette()) setPalette(colours);
}

void ValueField::changeEvent(QEvent* event) {
    QLineEdit::changeEvent(event);
    if (event->type() == QEvent::StyleChange) tint();
}

void ValueField::commit() {
    if (!isModified() || (text() == m_shown && !m_pending)) return;
    if (text() == m_shown) {
        put(m_shown);
        Q_EMIT refused({});
        return;
    }
    const TypedValue typed = typedValue(m_field, text());
    if (typed.ok() && !valuesDiffer(m_values) && typed.json == m_values.front()) { // the same, written otherwise
        put(m_shown);
        Q_EMIT refused({});
        return;
    }
    m_pending = true; // until the document has it
    Q_EMIT refused(typed.problem);
    if (typed.ok()) Q_EMIT committed(typed.json);
}

bool ValueField::isWrong() const {
    return m_pending || std::any_of(m_values.begin(), m_values.end(),
                                    [this](const std::string& json) { return !rangeProblem(m_field, json).isEmpty(); });
}

bool ValueField::canStep() const {
    return m_field.kind == FieldInfo::Kind::integer || m_field.kind == FieldInfo::Kind::number;
}

double ValueField::stepOf(const FieldInfo& field, double value) {
    const bool whole = field.kind == FieldInfo::Kind::integer;
    if (value == 0) return whole || field.maximum > 1 ? (whole ? 1 : 0.1) : 0.01;
    const double step = std::pow(10.0, std::floor(std::log10(std::abs(value)) + 1e-9) - 1);
    return whole ? std::max(1.0, step) : step;
}

void ValueField::stepBy(double steps) {
    if (!canStep() || valuesDiffer(m_values)) return;
    const std::string now = m_values.front().empty() ? m_field.fallback : m_values.front();
    const double value = parseNumber(now).value_or(m_field.minimum);
    const double step = stepOf(m_field, value);
    m_rest += steps;
    const double moved = std::trunc(m_rest);
    if (moved == 0) return;
    m_rest -= moved;
    // On the grid of the step, so that 0.1 + 0.1 + 0.1 is 0.3.
    double next = std::clamp(std::round(value / step + moved) * step, m_field.minimum, m_field.maximum);
    if (m_field.aboveMinimum && next <= m_field.minimum)
        next = value > m_field.minimum ? value / 2 : m_field.minimum + step;
    if (m_field.kind == FieldInfo::Kind::integer) next = std::round(next);
    const std::string text = formatNumber(next, 12);
    if (parseNumber(text) == parseNumber(now)) return;
    Q_EMIT refused({});
    m_pending = false;
    setModified(false);
    Q_EMIT committed(m_field.kind == FieldInfo::Kind::integer ? std::to_string(static_cast<long long>(next)) : text);
}

/// Steps by keys and wheel: those that follow closely are one.
void ValueField::burst(double steps) {
    if (!m_inBurst) Q_EMIT dragBegan();
    m_inBurst = true;
    m_burst.start();
    stepBy(steps);
}

void ValueField::keyPressEvent(QKeyEvent* event) {
    const bool popup = completer() && completer()->popup() && completer()->popup()->isVisible();
    if (event->key() == Qt::Key_Escape && isModified()) {
        put(m_shown);
        Q_EMIT refused({});
        return;
    }
    const int way = event->key() == Qt::Key_Up || event->key() == Qt::Key_PageUp       ? 1
                    : event->key() == Qt::Key_Down || event->key() == Qt::Key_PageDown ? -1
                                                                                       : 0;
    if (way != 0 && canStep() && !popup) {
        commit();
        const bool page = event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown;
        burst(way * (page ? 10 : 1));
        return;
    }
    if (way == -1 && completer() && !popup && text().isEmpty()) { // all there is to pick from
        completer()->setCompletionPrefix({});
        completer()->complete();
        return;
    }
    QLineEdit::keyPressEvent(event);
}

void ValueField::wheelEvent(QWheelEvent* event) {
    if (!hasFocus() || !canStep()) return event->ignore(); // the form scrolls
    burst(event->angleDelta().y() / 120.0);
    event->accept();
}

void ValueField::paintEvent(QPaintEvent* event) {
    QLineEdit::paintEvent(event);
    if (m_field.unit.empty() || (text().isEmpty() && placeholderText().isEmpty())) return;
    QPainter painter(this);
    painter.setPen(Theme::current().muted);
    painter.drawText(rect().adjusted(0, 0, -8, 0), Qt::AlignRight | Qt::AlignVCenter,
                     QString::fromStdString(m_field.unit));
}

ValueEditor::ValueEditor(bool wide, bool withSlider, QWidget* parent)
    : FieldEditor(parent), m_line(new ValueField), m_wide(wide) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_line);
    setFocusProxy(m_line);
    connect(m_line, &ValueField::committed, this, [this](const std::string& json) { Q_EMIT edited(m_path, json); });
    connect(m_line, &ValueField::refused, this, &FieldEditor::refused);
    connect(m_line, &ValueField::dragBegan, this, &FieldEditor::dragBegan);
    connect(m_line, &ValueField::dragEnded, this, &FieldEditor::dragEnded);
    if (!withSlider) return;
    m_slider = new FieldSlider(this);
    connect(m_slider, &FieldSlider::chosen, this, [this](const std::string& json) { Q_EMIT edited(m_path, json); });
    connect(m_slider, &FieldSlider::sliderPressed, this, &FieldEditor::dragBegan);
    connect(m_slider, &FieldSlider::sliderReleased, this, &FieldEditor::dragEnded);
}

QWidget* ValueEditor::below() const { return m_slider; }

void ValueEditor::show(const FieldInfo& field, const std::vector<std::string>& values) {
    m_path = field.path;
    m_line->show(field, values);
    if (m_slider) m_slider->show(field, values);
}

} // namespace trainyard
