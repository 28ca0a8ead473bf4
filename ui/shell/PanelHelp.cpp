// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/PanelHelp.h"

#include "shell/Panels.h"

#include <QCoreApplication>

namespace trainyard {

namespace panel_help {

struct PanelText {
    const char *panel, *page, *text;
};

const PanelText texts[] = {
    {"scenario", "cluster",
     QT_TRANSLATE_NOOP("PanelHelp", "Everything in the scenario: cluster, jobs and faults. Choosing a job here "
                                    "highlights it in every view.")},
    {"policies", "tuning",
     QT_TRANSLATE_NOOP("PanelHelp", "One policy per family, with its parameters. A change runs the scenario "
                                    "again; the previous run stays as dashed curves. F1 explains the policy.")},
    {"inspector", "cluster",
     QT_TRANSLATE_NOOP("PanelHelp", "The selection: its properties, what it does at the instant shown, and why a "
                                    "policy placed it there.")},
    {"template", "cluster",
     QT_TRANSLATE_NOOP("PanelHelp", "A whole cluster in one step: a topology and its sizes, with a preview.")},
    {"lanes", "charts",
     QT_TRANSLATE_NOOP("PanelHelp",
                       "The run over time. All lanes share one axis and one cursor: drag in a lane to "
                       "go to an instant, turn the wheel to zoom. Machines, links and jobs dragged here from "
                       "the scenario get lanes of their own.")},
    {"views", "views",
     QT_TRANSLATE_NOOP("PanelHelp",
                       "Charts of a job or of the run, one for each question. The list shows the views that "
                       "apply to this run; all follow the selected job and the cursor.")},
    {"jobs", "charts", QT_TRANSLATE_NOOP("PanelHelp", "All jobs at the instant shown, one row each.")},
    {"problems", "files",
     QT_TRANSLATE_NOOP("PanelHelp", "What is wrong with the scenario or the run, where, and how to correct it.")},
    {"tables", "cluster",
     QT_TRANSLATE_NOOP("PanelHelp", "The scenario as tables: edit, sort, filter, paste. Selected rows are "
                                    "selected everywhere.")},
    {"events", "charts",
     QT_TRANSLATE_NOOP("PanelHelp", "Everything that happened, in order. The row at the cursor is marked; choosing "
                                    "a row sets the cursor.")},
    {"metrics", "metrics",
     QT_TRANSLATE_NOOP("PanelHelp",
                       "The metrics of the run, at the cursor and at the end, with what each one means. Drag "
                       "one onto the timeline to see it over time.")},
    {"export", "export",
     QT_TRANSLATE_NOOP("PanelHelp", "Charts, tables and movies of the run as files: which views, in which "
                                    "formats, how they look. Each file contains its run; drop it on the window "
                                    "to run it again.")},
    {"history", "files",
     QT_TRANSLATE_NOOP("PanelHelp", "Every edit of this document by name. Choosing one goes back to it, or forward "
                                    "again.")},
    {"help", "start", QT_TRANSLATE_NOOP("PanelHelp", "The offline help: the window, the metrics, each policy.")},
};

const PanelText* find(const QString& panel) {
    for (const PanelText& each : texts)
        if (panel == QLatin1String(each.panel)) return &each;
    return nullptr;
}

} // namespace panel_help

void explainPanels(const Panels& panels) {
    for (QDockWidget* dock : panels.all())
        if (const auto* text = panel_help::find(dock->objectName()))
            dock->setWhatsThis(QCoreApplication::translate("PanelHelp", text->text));
}

QString helpPageOf(const QString& panel) {
    const auto* text = panel_help::find(panel);
    return text ? QString::fromLatin1(text->page) : QStringLiteral("start");
}

} // namespace trainyard
