// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ScenarioOutline.h"

#include "base/Format.h"
#include "drawing/JobColours.h"
#include "lanes/TimelineAction.h"
#include "scenario/RunSize.h"
#include "session/EntityNames.h"
#include "session/NewElements.h"
#include "theme/Icons.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QContextMenuEvent>
#include <QEvent>
#include <QMenu>
#include <QMimeData>

namespace trainyard {

namespace {

constexpr int keyRole = Qt::UserRole, jobRole = Qt::UserRole + 1;
constexpr int historyRole = Qt::UserRole + 2;
constexpr std::size_t mostLeaves = 500; // of one group; the tables show the rest
constexpr double mostDrawnJobs = 20'000;

template <class Entity>
QString shownName(const Entity& e) {
    return QString::fromStdString(e.name.empty() ? e.key : e.name);
}

std::vector<HistorySubject> historiesOf(const QList<QTreeWidgetItem*>& items) {
    std::vector<HistorySubject> subjects;
    for (const QTreeWidgetItem* item : items)
        if (const QString key = item->data(0, historyRole).toString(); !key.isEmpty()) subjects.push_back({key});
    return subjects;
}

} // namespace

ScenarioOutline::ScenarioOutline(Workspace& workspace, QWidget* parent) : QTreeWidget(parent), m_workspace(workspace) {
    setHeaderHidden(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(16);
    setIconSize({16, 16});
    setUniformRowHeights(true);
    setAccessibleName(tr("Scenario"));
    setSelectionMode(ExtendedSelection);
    setDragEnabled(true);
    setDragDropMode(DragOnly);
    connect(&workspace.document(), &ScenarioModel::documentReplaced, this, &ScenarioOutline::refresh);
    connect(&workspace.document(), &ScenarioModel::edited, this, [this](ScenarioModel::Changes changes) {
        if (changes.testFlag(ScenarioModel::texts)) refresh();
    });
    connect(&workspace.selection(), &Selection::changed, this, &ScenarioOutline::takeSelection);
    connect(this, &QTreeWidget::itemSelectionChanged, this, [this] {
        if (m_busy) return;
        QStringList keys;
        JobId job;
        for (const QTreeWidgetItem* item : selectedItems()) {
            if (const QVariant key = item->data(0, keyRole); key.isValid()) keys << key.toString();
            if (const QVariant index = item->data(0, jobRole); index.isValid()) job = JobId(index.toUInt());
        }
        m_busy = true;
        m_workspace.selection().selectEntities(keys);
        m_workspace.selection().selectJob(job);
        m_busy = false;
    });
}

QTreeWidgetItem* ScenarioOutline::addGroup(const char* iconName, const QString& text, bool open) {
    auto* group = new QTreeWidgetItem(this, {text});
    group->setIcon(0, icon(iconName));
    group->setExpanded(open);
    return group;
}

/// Not while it is not seen: of large scenarios it takes long.
void ScenarioOutline::refresh() {
    m_stale = true;
    if (isVisible()) rebuild();
}

void ScenarioOutline::showEvent(QShowEvent* event) {
    QTreeWidget::showEvent(event);
    if (m_stale) rebuild();
}

void ScenarioOutline::rebuild() {
    m_stale = false;
    m_busy = true;
    clear();
    addCluster();
    addLinks();
    addWorkload();
    addFaults();
    m_busy = false;
    takeSelection();
}

void ScenarioOutline::addCluster() {
    const Cluster& c = m_workspace.document().scenario().cluster;
    const auto machines = static_cast<int>(c.machines.size());
    auto* group = addGroup("rack", tr("Cluster, %1 machine(s)", nullptr, machines).arg(countText(machines)), false);
    const QIcon machine = icon("machine"), switchNode = icon("switch"); // each reads its drawing: not for every leaf
    for (std::size_t i = 0; i < std::min(c.machines.size(), mostLeaves); ++i) {
        auto* leaf = new QTreeWidgetItem(group, {shownName(c.machines[i])});
        leaf->setIcon(0, machine);
        leaf->setData(0, keyRole, QString::fromStdString(c.machines[i].key));
        leaf->setData(0, historyRole, machineSubject(c.machines[i].key).key);
    }
    for (std::size_t i = 0; i < std::min(c.switches.size(), mostLeaves); ++i) {
        auto* leaf = new QTreeWidgetItem(group, {shownName(c.switches[i])});
        leaf->setIcon(0, switchNode);
        leaf->setData(0, keyRole, QString::fromStdString(c.switches[i].key));
    }
}

void ScenarioOutline::addLinks() {
    const auto& links = m_workspace.document().scenario().cluster.links;
    if (links.empty()) return;
    auto* group = addGroup("link", tr("Links, %1").arg(countText(static_cast<double>(links.size()))), false);
    const QIcon link = icon("link");
    for (std::size_t i = 0; i < std::min(links.size(), mostLeaves); ++i) {
        auto* leaf = new QTreeWidgetItem(group, {QString::fromStdString(links[i].key)});
        leaf->setIcon(0, link);
        leaf->setData(0, keyRole, QString::fromStdString(links[i].key));
        leaf->setData(0, historyRole, linkSubject(links[i].key).key);
    }
}

void ScenarioOutline::addWorkload() {
    const Scenario& s = m_workspace.document().scenario();
    const auto title = [](std::size_t jobs) {
        return tr("Workload, %1 job(s)", nullptr, jobs).arg(countText(static_cast<double>(jobs)));
    };
    auto* group = addGroup("job", title(s.jobs.size()), true);
    // The run's order of jobs, which their colours follow, is that of (arrival, key); generators add to it, unless they make more than
    // can be made at once while somebody types.
    const double jobs = jobCount(s);
    const auto workload = jobs <= mostDrawnJobs ? expandWorkload(s, s.seed) : std::make_shared<const Workload>();
    m_coloured = ColouredJobs(*workload);
    for (std::size_t i = 0; i < std::min(workload->jobs.size(), mostLeaves); ++i) {
        auto* leaf = new QTreeWidgetItem(group, {shownName(workload->jobs[i])});
        leaf->setData(0, jobRole, static_cast<uint>(i));
        leaf->setData(0, historyRole, jobSubject(workload->jobs[i].key).key);
    }
    for (const JobGenerator& g : s.generators) {
        auto* leaf = new QTreeWidgetItem(
            group, {tr("%1: makes %2 job(s)", nullptr, g.count)
                        .arg(QString::fromStdString(g.key), countText(static_cast<double>(g.count)))});
        leaf->setForeground(0, Theme::current().muted);
    }
    if (s.generators.empty()) return;
    group->setText(0, title(static_cast<std::size_t>(jobs)));
}

void ScenarioOutline::addFaults() {
    const auto& faults = m_workspace.document().scenario().faults;
    if (faults.empty()) return;
    auto* group = addGroup("fault", tr("Faults, %1").arg(faults.size()), false);
    for (const Fault& f : faults) {
        const QString what = f.key.empty()
                                 ? (f.target == Fault::Target::machine ? tr("every machine") : tr("every link"))
                                 : QString::fromStdString(f.key);
        const QString when = f.meanSecondsBetween ? tr("every %1 on average").arg(timeSpanText(*f.meanSecondsBetween))
                                                  : tr("at %1").arg(timeSpanText(f.atSeconds));
        auto* leaf = new QTreeWidgetItem(group, {tr("%1 fails %2").arg(what, when)});
        if (!f.key.empty()) leaf->setData(0, keyRole, QString::fromStdString(f.key));
    }
}

void ScenarioOutline::takeSelection() {
    if (m_busy) return;
    m_busy = true;
    clearSelection();
    const QStringList& keys = m_workspace.selection().entities();
    const JobId job = m_workspace.selection().job();
    const auto swatch = [](JobId of, bool hasOwn) { return QIcon(jobSwatch(of, hasOwn, 10)); };
    const QIcon grey = swatch({}, false);
    for (int g = 0; g < topLevelItemCount(); ++g)
        for (int i = 0; i < topLevelItem(g)->childCount(); ++i) {
            QTreeWidgetItem* leaf = topLevelItem(g)->child(i);
            const QVariant key = leaf->data(0, keyRole), index = leaf->data(0, jobRole);
            leaf->setSelected((key.isValid() && keys.contains(key.toString())) ||
                              (index.isValid() && job.valid() && index.toUInt() == job.value));
            if (!index.isValid()) continue;
            const JobId own(index.toUInt());
            leaf->setIcon(0, own == job || m_coloured.has(own) ? swatch(own, true) : grey);
        }
    m_busy = false;
}

void ScenarioOutline::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QTreeWidgetItem* item = byKey ? currentItem() : itemAt(event->pos());
    QMenu* menu = contextMenu(item);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(byKey && item ? viewport()->mapToGlobal(visualItemRect(item).bottomLeft()) : event->globalPos());
}

/// What can be done with an item, and wherever it is, a job can be added.
QMenu* ScenarioOutline::contextMenu(const QTreeWidgetItem* item) {
    auto* menu = new QMenu(this);
    QMenu* jobs = menu->addMenu(icon("job"), tr("Add &Job"));
    for (const JobKindText& kind : jobKinds())
        jobs->addAction(tr("%1: %2").arg(kind.name, kind.sentence), this, [this, kind = kind.kind] {
            selectEntities(m_workspace, {addJob(m_workspace.document(), kind)});
        });
    if (!item) return menu;
    if (item->data(0, jobRole).isValid() || item->data(0, keyRole).isValid()) {
        menu->addAction(tr("D&uplicate"), this, [this] {
            for (const auto& group : selectedEntities(m_workspace))
                selectEntities(m_workspace, duplicateElements(m_workspace.document(), group));
        });
        menu->addAction(tr("&Delete"), this, [this] {
            const auto groups = selectedEntities(m_workspace);
            m_workspace.selection().clear();
            for (const auto& group : groups) m_workspace.document().removeElements(group);
        });
    }
    if (item->data(0, historyRole).isValid())
        addTimelineAction(*menu, m_workspace.histories(), historiesOf(selectedItems()));
    return menu;
}

QStringList ScenarioOutline::mimeTypes() const {
    const std::unique_ptr<QMimeData> any(Histories::toMime({}));
    return any->formats();
}

QMimeData* ScenarioOutline::mimeData(const QList<QTreeWidgetItem*>& items) const {
    const auto subjects = historiesOf(items);
    return subjects.empty() ? nullptr : Histories::toMime(subjects); // null: nothing is dragged
}

void ScenarioOutline::changeEvent(QEvent* event) {
    QTreeWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

} // namespace trainyard
