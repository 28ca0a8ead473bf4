// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ExportProgress.h"

#include "export/ExportJob.h"

namespace trainyard {

namespace export_progress {
constexpr int shortMilliseconds = 400, refreshMilliseconds = 250;
}

ExportProgress::ExportProgress(ExportJob& job, QWidget* parent)
    : ProgressStrip(tr("Progress of the export"), tr("Cancels the export; complete files stay"), parent), m_job(job) {
    connect(&job, &ExportJob::started, this, [this] { m_soon.start(export_progress::shortMilliseconds); });
    connect(&job, &ExportJob::finished, this, [this] {
        m_soon.stop();
        hide();
    });
    connect(&m_soon, &QTimer::timeout, this, &ExportProgress::refresh);
    connect(this, &ProgressStrip::cancelRequested, &job, &ExportJob::cancel);
}

void ExportProgress::refresh() {
    m_soon.start(export_progress::refreshMilliseconds);
    showProgress(m_job.what(), m_job.share(), m_job.seconds(), m_job.share());
}

} // namespace trainyard
