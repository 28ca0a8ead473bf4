// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "export/SaveChartDialog.h"

#include "export/ExportSettings.h"
#include "export/FigureForm.h"
#include "export/FigureSize.h"
#include "export/PictureFigure.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace save_chart {

/// As large as there is room for.
class Preview final : public QWidget {
public:
    explicit Preview(QWidget* parent) : QWidget(parent) {
        setMinimumSize(QSize(360, 240) * Theme::scale());
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        setAccessibleName(SaveChartDialog::tr("The chart as it will be written"));
    }
    QSize sizeHint() const override { return QSize(520, 360) * Theme::scale(); }
    void show(QSizeF size, DrawFigure draw) {
        m_size = size;
        m_draw = std::move(draw);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        if (!m_draw) return;
        QPainter painter(this);
        const double scale = std::min(width() / m_size.width(), height() / m_size.height());
        painter.translate((width() - scale * m_size.width()) / 2, (height() - scale * m_size.height()) / 2);
        painter.scale(scale, scale);
        m_draw(painter);
    }

private:
    QSizeF m_size;
    DrawFigure m_draw;
};

} // namespace save_chart

SaveChartDialog::SaveChartDialog(const TitledChart& chart, Draw draw, Save save, QWidget* parent)
    : QDialog(parent), m_draw(std::move(draw)), m_save(std::move(save)) {
    ExportSettings settings = ExportSettings::remembered();
    settings.size = settings.chartSize;
    setWindowTitle(tr("Save Chart"));
    setObjectName(QStringLiteral("save-chart"));
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    const FigureTexts own = pictureTexts(Picture(*chart.chart));
    const auto line = [&](const char* name, const QString& label, const QString& help, const QString& text) {
        QLineEdit* edit = figureTextLine(*form, name, label, help);
        edit->setPlaceholderText(text);
        connect(edit, &QLineEdit::textChanged, this, &SaveChartDialog::preview);
        return edit;
    };
    m_title = line("chart-title", tr("Title"), tr("Over the chart; empty: its own"), chart.title);
    m_horizontal =
        line("chart-x-title", tr("X axis"), tr("Title of the horizontal axis, with its unit"), own.horizontal);
    m_vertical = line("chart-y-title", tr("Y axis"), tr("Title of the vertical axis, with its unit"), own.vertical);
    for (auto [edit, given] : {std::pair(m_horizontal, own.horizontal), std::pair(m_vertical, own.vertical)})
        if (given.isEmpty()) edit->setEnabled(false), edit->setPlaceholderText(tr("has no title"));
    m_size = new FigureSize(*form, settings);
    m_theme = printThemeBox(settings.theme, "chart-theme", nullptr);
    form->addRow(tr("Theme"), m_theme);
    m_footer = new QCheckBox(tr("Run details in a footer"));
    m_footer->setChecked(settings.footer);
    named(m_footer, "chart-footer", m_footer->text(),
          tr("Scenario, seeds and version under the chart. The file contains them in any case."));
    form->addRow(QString(), m_footer);
    connect(m_size, &FigureSize::changed, this, &SaveChartDialog::preview);
    connect(m_theme, &QComboBox::currentIndexChanged, this, &SaveChartDialog::preview);
    connect(m_footer, &QCheckBox::toggled, this, &SaveChartDialog::preview);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto* button = buttons->addButton(tr("Save…"), QDialogButtonBox::ApplyRole);
    button->setObjectName(QStringLiteral("save-chart-file"));
    connect(button, &QPushButton::clicked, this, [this] {
        remember();
        if (m_save(figure())) accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_preview = new save_chart::Preview(this);
    auto* columns = new QHBoxLayout;
    columns->addLayout(form);
    columns->addSpacing(12);
    columns->addWidget(m_preview, 1);
    auto* rows = new QVBoxLayout(this);
    rows->addLayout(columns, 1);
    rows->addWidget(buttons);
    button->setDefault(true); // which only a button in its dialog takes
    preview();
}

ChartFigure SaveChartDialog::figure() const {
    return {.size = m_size->size(),
            .dotsPerInch = m_size->dotsPerInch(),
            .theme = static_cast<PrintTheme>(m_theme->currentIndex()),
            .texts = {m_title->text().trimmed(), m_horizontal->text().trimmed(), m_vertical->text().trimmed()},
            .footer = m_footer->isChecked()};
}

void SaveChartDialog::remember() const {
    ExportSettings chosen = ExportSettings::remembered();
    const QSizeF panel = chosen.size;
    m_size->takeInto(chosen);
    chosen.chartSize = std::exchange(chosen.size, panel);
    chosen.theme = static_cast<PrintTheme>(m_theme->currentIndex());
    chosen.footer = m_footer->isChecked();
    chosen.remember();
}

void SaveChartDialog::preview() {
    const ChartFigure chosen = figure();
    static_cast<save_chart::Preview*>(m_preview)->show(chosen.size, m_draw(chosen));
}

} // namespace trainyard
