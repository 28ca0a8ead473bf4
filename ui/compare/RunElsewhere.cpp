// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The menu by which a comparison goes to another machine, and its results come back.
#include "compare/ComparisonForm.h"
#include "compare/ElsewhereBundle.h"
#include "compare/PoliciesTab.h"
#include "run/compare/ComparedFiles.h"
#include "theme/CoreText.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

#include <algorithm>

namespace trainyard {

void PoliciesTab::listElsewhere(QMenu* menu) {
    menu->clear();
    menu->addAction(tr("Write a Folder to Run Elsewhere…"), this, &PoliciesTab::saveBundle);
    QAction* open = menu->addAction(tr("Open Results…"), this, [this] {
        const QString directory = QFileDialog::getExistingDirectory(this, tr("Open Results: Folder with results.db"));
        if (!directory.isEmpty()) openResults(directory);
    });
    open->setEnabled(!m_comparison.isRunning() && !m_isOpening);
}

/// What the form says, not what is shown.
void PoliciesTab::saveBundle() {
    const auto request = m_form->request();
    if (!request) return say(coreText(request.problems().front().message));
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Folder to Run Elsewhere"),
                                     QFileInfo(scenarioName()).completeBaseName() + QStringLiteral("-elsewhere"));
    if (path.isEmpty()) return;
    const Problems problems = writeBundle(path, *request, scenarioName());
    if (!problems.empty()) return say(coreText(problems.front().message));
    const auto files =
        std::ranges::count_if(filesOf(*request), [](const std::string& file) { return file.starts_with('/'); });
    say(tr("%1 is written: copy it to the other machine, run run.sh there, and open its folder results here.")
            .arg(path) +
        (files > 0 ? QLatin1Char(' ') + tr("%n file(s) of the scenario must be there, too; run.sh names them.", nullptr,
                                           static_cast<int>(files))
                   : QString()));
}

void PoliciesTab::openResults(const QString& directory) {
    if (m_comparison.isRunning() || m_isOpening) return;
    m_isOpening = true;
    say(tr("Opening the results in %1…").arg(directory));
    m_opening.start([this, directory, folder = folder()](const std::stop_token&) -> BackgroundWork::Result {
        return [this, folder, taken = takeResults(directory, folder)] { takeOpened(taken, folder); };
    });
}

/// `folder`: of the scenario that they were opened for; another is open by now, perhaps.
void PoliciesTab::takeOpened(Result<ComparisonRequest> request, const QString& folder) {
    m_isOpening = false;
    bool isShown = false;
    say({});
    if (folder == this->folder() && !m_comparison.isRunning()) {
        if (request) request->registry = std::make_shared<const Registry>(m_workspace.registry());
        const auto kept =
            request ? keepComparison(folder, *request, scenarioName()) : Result<KeptComparison>(request.problems());
        if (kept)
            isShown = reopen(kept->name);
        else
            say(coreText(kept.problems().front().message));
    }
    Q_EMIT resultsOpened(isShown);
}

} // namespace trainyard
