// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "charts/ViewSide.h"

#include "analysis/EntityHistory.h"
#include "forms/ParamForm.h"
#include "model/Cluster.h"
#include "theme/CoreText.h"

#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

namespace view_side {

constexpr int leastLines = 5;   // of the list of views
constexpr int leastDigits = 27; // of the list's width: names of machines are whole in the form below it

/// The options with the machines and links to choose from.
ParamSchema offering(const View& view, const Cluster* cluster) {
    std::vector<ParamField> fields = view.options.fields();
    const auto offer = [](ParamField& field, const auto& items) {
        constexpr std::size_t most = 1000; // others are written
        for (std::size_t i = 0; i < std::min(items.size(), most); ++i) field.choices.push_back(items[i].key);
        if (!items.empty()) field.defaultValue = items.front().key; // of which the view is where none is chosen
    };
    for (ParamField& field : fields) {
        if (!cluster || !field.open) continue;
        if (field.key == "machine") offer(field, cluster->machines);
        if (field.key == "link") offer(field, cluster->links);
    }
    return ParamSchema(std::move(fields));
}

std::vector<std::string> machineNames(const Cluster& cluster) {
    std::vector<std::string> names;
    for (const Machine& machine : cluster.machines) names.push_back(machine.name.empty() ? machine.key : machine.name);
    return names;
}

/// The entries of a box that lists keys say names. Returns how wide it is then, pixels; 0: there is no such box.
template <class Items>
int nameEntries(QComboBox* box, const Cluster& cluster, const Items& items,
                std::vector<std::string> (*namesOf)(const Cluster&)) {
    if (!box) return 0;
    const std::vector<std::string> names = namesOf(cluster);
    QSignalBlocker atOnce(box->model()); // of a thousand changes the last is told
    for (int i = static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(box->count()), items.size())) - 1;
         i >= 0; --i) {
        if (i == 0) atOnce.unblock();
        const auto& item = items[static_cast<std::size_t>(i)];
        box->setItemText(i, QString::fromStdString(names[static_cast<std::size_t>(i)]));
        if (box->currentText() == QString::fromStdString(item.key)) box->setEditText(box->itemText(i));
    }
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents); // names are longer than keys
    box->lineEdit()->setCursorPosition(0);
    return box->sizeHint().width();
}

} // namespace view_side

using namespace view_side;

ViewSide::ViewSide(QWidget* steps, QWidget* parent)
    : QWidget(parent), m_steps(steps), m_list(new QListWidget), m_formArea(new QScrollArea), m_form(new ParamForm),
      m_addLane(new QToolButton) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_list->setAccessibleName(tr("Views"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setSpacing(2);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    column->addWidget(m_list, 1);
    m_formArea->setFrameShape(QFrame::NoFrame);
    m_formArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_formArea->setWidgetResizable(true);
    m_formArea->setFocusPolicy(Qt::NoFocus);
    m_formArea->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    m_formArea->setMinimumHeight(1); // both scroll: the panel does not ask for more than the lanes beside it
    m_list->setMinimumHeight(2 * m_list->fontMetrics().height());
    m_formArea->setWidget(m_form);
    column->addWidget(m_formArea, 100); // the list gets what it leaves, and its least lines
    m_addLane->setText(tr("Add to Timeline"));
    m_addLane->setObjectName(QStringLiteral("addLane"));
    m_addLane->setToolButtonStyle(Qt::ToolButtonTextOnly);
    column->addWidget(m_addLane);
    column->addWidget(m_steps);
    setFocusProxy(m_list);
    connect(m_addLane, &QToolButton::clicked, this, &ViewSide::laneWanted);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (const View* view = viewAt(row)) Q_EMIT chosen(*view);
    });
}

void ViewSide::list(const std::vector<const View*>& views, const View& shown) {
    QStringList ids;
    std::string group;
    std::vector<std::pair<QString, const View*>> lines;
    const bool several = views.front()->group != views.back()->group;
    for (const View* view : views) {
        if (several && view->group.pattern != group) lines.emplace_back(coreText(view->group), nullptr);
        group = view->group.pattern;
        lines.emplace_back(coreText(view->title), view);
    }
    for (const auto& [text, view] : lines) ids << (view ? QString::fromStdString(view->id) : text);
    if (ids == m_list->property("ids").toStringList()) return;
    m_list->setProperty("ids", ids);
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const auto& [text, view] : lines) {
        auto* item = new QListWidgetItem(text, m_list);
        if (view) {
            item->setData(Qt::UserRole, QString::fromStdString(view->id));
            item->setToolTip(coreText(view->summary));
            if (view == &shown) m_list->setCurrentItem(item);
        } else { // a heading
            item->setFlags(Qt::NoItemFlags);
        }
    }
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int least = m_list->fontMetrics().horizontalAdvance(QLatin1Char('0')) * leastDigits;
    m_list->setFixedWidth(
        std::max({least, m_list->sizeHintForColumn(0) + 24, m_form->minimumSizeHint().width() + bar}));
    m_formArea->setFixedWidth(m_list->width());
}

void ViewSide::forget() { m_list->setProperty("ids", QStringList()); }

void ViewSide::makeCurrent(const View& view) {
    for (int row = 0; row < m_list->count(); ++row) {
        if (viewAt(row) != &view) continue;
        if (row == m_list->currentRow()) Q_EMIT chosen(view);
        m_list->setCurrentRow(row);
    }
}

const View* ViewSide::current() const { return viewAt(m_list->currentRow()); }

const View* ViewSide::viewAt(int row) const {
    const QListWidgetItem* item = m_list->item(row);
    return item ? findView(item->data(Qt::UserRole).toString().toStdString()) : nullptr;
}

void ViewSide::showOptions(const View& view, const ParamValues& options, const Cluster* cluster) {
    m_formArea->setVisible(!view.options.fields().empty());
    m_form->show(offering(view, cluster), options);
    if (!cluster) return;
    const auto box = [&](const char* key) { return qobject_cast<QComboBox*>(m_form->control(QLatin1String(key))); };
    const int named = std::max(nameEntries(box("machine"), *cluster, cluster->machines, machineNames),
                               nameEntries(box("link"), *cluster, cluster->links, linkTitles));
    if (named == 0) return;
    const int around = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 40; // and the button that resets it
    const int wanted = named * 5 / 3 + around;                                // FieldRow: by shares of 2 to 3
    // Room for the chosen name; the list never narrows again, which would move the picture with every view.
    const int most = fontMetrics().averageCharWidth() * 42;
    m_list->setFixedWidth(std::max(m_list->width(), std::min(wanted, most)));
    m_formArea->setFixedWidth(m_list->width());
}

void ViewSide::setWhyNoLane(const QString& why) {
    m_addLane->setEnabled(why.isEmpty());
    m_addLane->setToolTip(why.isEmpty() ? tr("Adds the view as a lane of the timeline, on its axis and cursor") : why);
}

/// The form is as high as it wants to be, where the list keeps some lines; the chosen view stays in sight.
void ViewSide::shareHeight() {
    layout()->activate();
    const int wide = m_formArea->viewport()->width(), line = m_list->fontMetrics().height() + 2 * m_list->spacing();
    const int wanted = m_form->hasHeightForWidth() ? m_form->heightForWidth(wide) : m_form->sizeHint().height();
    int room = height() - leastLines * line - m_addLane->height() - 3 * layout()->spacing();
    if (!m_steps->isHidden()) room -= m_steps->height();
    m_formArea->setMaximumHeight(std::max(m_formArea->minimumHeight(), std::min(wanted, room)));
    layout()->activate();
    m_list->scrollToItem(m_list->currentItem());
}

void ViewSide::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    shareHeight();
}

} // namespace trainyard
