// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "canvas/TemplatePanel.h"

#include "base/Format.h"
#include "canvas/CanvasView.h"
#include "canvas/ClusterThumbnail.h"
#include "model/ResourceLabel.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

/// The picture of the cluster as it would be.
class TemplatePreview final : public QWidget {
public:
    TemplatePreview() {
        setMinimumHeight(56);
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
        setAccessibleName(TemplatePanel::tr("Preview"));
    }
    void setLayoutShown(ClusterLayout layout) {
        m_shown = std::move(layout);
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme theme = Theme::current();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme.hairline);
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
        const QRectF inside = QRectF(rect()).adjusted(12, 12, -12, -12);
        paintThumbnail(painter, m_shown, ThumbnailFit::of(m_shown.bounds, inside), theme,
                       Theme::mix(theme.accent, theme.raised, 0.75));
    }

private:
    ClusterLayout m_shown;
};

TemplatePanel::TemplatePanel(Workspace& workspace, CanvasView& canvas, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_canvas(canvas), m_kind(new QComboBox), m_form(new QFormLayout),
      m_bandwidth(new QDoubleSpinBox), m_latency(new QDoubleSpinBox), m_help(new QLabel), m_size(new QLabel),
      m_machines(new QLabel), m_preview(new TemplatePreview), m_replace(new QPushButton(tr("Replace"))),
      m_add(new QPushButton(tr("Add"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    for (const auto kind : ClusterTemplate::kinds()) m_kind->addItem(ClusterTemplate(kind).name());
    m_kind->setCurrentIndex(1);
    m_kind->setAccessibleName(tr("Shape"));
    m_kind->setToolTip(tr("The shape of the cluster"));
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    column->addWidget(m_kind);
    setFocusProxy(m_kind);
    auto* asked = new QWidget;
    asked->setProperty("panel", true);
    auto* rows = new QVBoxLayout(asked);
    rows->setContentsMargins(0, 0, 4, 0);
    rows->setSpacing(8);
    m_help->setProperty("muted", true);
    m_help->setWordWrap(true);
    rows->addWidget(m_help);
    m_form->setHorizontalSpacing(8);
    m_form->setVerticalSpacing(6);
    m_form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    rows->addLayout(m_form);
    m_machines->setProperty("muted", true);
    m_machines->setWordWrap(true);
    rows->addWidget(m_machines);
    // The panel is often low: what is asked scrolls, the picture and the buttons stay.
    auto* scrolled = new QScrollArea;
    scrolled->setWidgetResizable(true);
    scrolled->setFrameShape(QFrame::NoFrame);
    scrolled->setFocusPolicy(Qt::NoFocus);
    scrolled->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scrolled->setMinimumHeight(56);
    scrolled->setWidget(asked);
    column->addWidget(scrolled, 3);
    const auto amount = [this](QDoubleSpinBox* box, const QString& label, double usual, double least, double most,
                               const QString& suffix, const QString& help) {
        box->setRange(least, most);
        box->setDecimals(3);
        box->setMinimumWidth(96);
        box->setValue(usual);
        box->setSuffix(QLatin1Char(' ') + suffix);
        box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        box->setAccessibleName(label);
        box->setToolTip(tr("<b>%1</b>, %2 to %3 %4<br>%5").arg(label).arg(least).arg(most).arg(suffix, help));
        m_form->addRow(label, box);
    };
    amount(m_bandwidth, tr("Link bandwidth"), 10, 0.001, 100000, tr("Gbit/s"), tr("Of every link, each way"));
    amount(m_latency, tr("Link latency"), 0, 0, 1e6, tr("µs"), tr("Of every link"));
    column->addWidget(m_preview, 2);
    m_size->setWordWrap(true);
    column->addWidget(m_size);
    m_replace->setProperty("primary", true);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(m_replace, 1);
    buttons->addWidget(m_add, 1);
    column->addLayout(buttons);
    connect(m_kind, &QComboBox::currentIndexChanged, this, &TemplatePanel::showNumbers);
    connect(m_replace, &QPushButton::clicked, this, [this] { put(true); });
    connect(m_add, &QPushButton::clicked, this, [this] { put(false); });
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &TemplatePanel::refresh);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes.testFlag(ScenarioModel::structure)) refresh();
    });
    showNumbers();
}

ClusterTemplate TemplatePanel::chosen() const {
    return ClusterTemplate(ClusterTemplate::kinds()[static_cast<std::size_t>(m_kind->currentIndex())]);
}

void TemplatePanel::choose(ClusterTemplate::Kind kind) {
    const auto& kinds = ClusterTemplate::kinds();
    m_kind->setCurrentIndex(static_cast<int>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin()));
}

std::vector<int> TemplatePanel::values() const {
    std::vector<int> values;
    for (const QSpinBox* box : m_numbers) values.push_back(box->value());
    return values;
}

void TemplatePanel::showNumbers() {
    for (QSpinBox* box : m_numbers) m_form->removeRow(box);
    m_numbers.clear();
    m_help->setText(chosen().help());
    int row = 0;
    for (const TemplateNumber& number : chosen().numbers()) {
        auto* box = new QSpinBox;
        box->setMinimumWidth(72);
        box->setRange(number.least, number.most);
        box->setSingleStep(number.step);
        box->setValue(number.usual);
        box->setAccessibleName(number.label);
        box->setToolTip(tr("<b>%1</b>, %2 to %3, at first %4<br>%5")
                            .arg(number.label)
                            .arg(number.least)
                            .arg(number.most)
                            .arg(number.usual)
                            .arg(number.help));
        connect(box, &QSpinBox::valueChanged, this, &TemplatePanel::refresh);
        m_form->insertRow(row++, number.label, box);
        m_numbers.push_back(box);
    }
    refresh();
}

Cluster TemplatePanel::make() const {
    std::string like;
    for (const QString& key : m_workspace.selection().entities())
        if (m_workspace.document().scenario().cluster.machine(key.toStdString()).valid()) like = key.toStdString();
    TopologyParts parts = partsLike(m_workspace.document().scenario(), like);
    parts.bandwidth = m_bandwidth->value() * 1e9 / 8;
    parts.latency = Duration::seconds(m_latency->value() * 1e-6);
    return chosen().make(values(), parts);
}

void TemplatePanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void TemplatePanel::refresh() {
    if (!isVisible()) return; // it is drawn anew when it is shown
    const QString why = chosen().whyNot(values());
    const Scenario& s = m_workspace.document().scenario();
    const bool empty = s.cluster.machines.empty() && s.cluster.switches.empty();
    m_replace->setEnabled(why.isEmpty());
    m_add->setEnabled(why.isEmpty() && !empty);
    m_replace->setText(empty ? tr("Insert") : tr("Replace"));
    m_replace->setAccessibleName(empty ? tr("Insert cluster") : tr("Replace cluster"));
    m_add->setAccessibleName(tr("Add to cluster"));
    m_replace->setToolTip(!why.isEmpty() ? why
                          : empty
                              ? tr("Adds this cluster to the canvas")
                              : tr("Replaces all machines, switches, racks and links; jobs stay. One step to undo."));
    m_add->setToolTip(!why.isEmpty() ? why
                      : empty        ? tr("There is no cluster yet")
                                     : tr("Adds this cluster beside the existing one. One step to undo."));
    if (!why.isEmpty()) {
        m_size->setText(why);
        m_preview->setLayoutShown({});
        return;
    }
    const Cluster cluster = make();
    QStringList capacity;
    for (std::size_t r = 0; r < cluster.resourceNames.size(); ++r)
        capacity << QStringLiteral("%1 %2").arg(
            QString::fromStdString(resourceLabel(cluster.resourceNames[r])),
            QString::fromStdString(formatNumber(cluster.machines.front().capacity.amount(r), 4)));
    m_machines->setText(tr("Each machine: %1").arg(capacity.join(QStringLiteral(", "))));
    m_machines->setToolTip(tr("Like the machine that is selected, or the last one of the cluster"));
    m_size->setText(tr("Machines: %1 · switches: %2 · links: %3")
                        .arg(countText(static_cast<double>(cluster.machines.size())),
                             countText(static_cast<double>(cluster.switches.size())),
                             countText(static_cast<double>(cluster.links.size()))));
    m_preview->setLayoutShown(ClusterLayout::of(cluster));
}

QString TemplatePanel::sizeText() const { return m_size->text(); }

void TemplatePanel::put(bool replace) {
    if (!chosen().whyNot(values()).isEmpty()) return;
    Cluster cluster = make();
    std::set<std::string> added;
    const QString name = chosen().name();
    m_workspace.document().change(
        replace ? tr("Cluster from template: %1").arg(name) : tr("Add from template: %1").arg(name), [&](Scenario& s) {
            if (replace)
                replaceCluster(s, std::move(cluster));
            else
                added = addCluster(s, std::move(cluster));
        });
    QStringList keys;
    for (const auto& key : added) keys << QString::fromStdString(key);
    m_workspace.selection().selectEntities(keys);
    m_canvas.fit();
}

} // namespace trainyard
