// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "shell/ProgressStrip.h"

#include "theme/ElidedLabel.h"
#include "theme/Theme.h"
#include "theme/TimeText.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QToolButton>

#include <cmath>

namespace trainyard {

namespace progress_strip {
constexpr double leastDone = 0.01; // a guess from less would jump about
}

ProgressStrip::ProgressStrip(const QString& name, const QString& cancelHelp, QWidget* parent)
    : QWidget(parent), m_bar(new QProgressBar), m_text(new ElidedLabel(Qt::ElideMiddle)), m_cancel(new QToolButton) {
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 0, 8, 0);
    line->setSpacing(8);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(static_cast<int>(120 * Theme::scale()));
    m_bar->setAccessibleName(name);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(cancelHelp);
    line->addWidget(m_bar);
    line->addWidget(m_text);
    line->addWidget(m_cancel);
    connect(m_cancel, &QToolButton::clicked, this, &ProgressStrip::cancelRequested);
    hide();
}

QString ProgressStrip::text() const { return m_text->wholeText(); }

void ProgressStrip::showProgress(const QString& what, double share, double since, double doneSince) {
    QString text = tr("%1 %").arg(std::floor(share * 100));
    if (doneSince > progress_strip::leastDone)
        text = tr("%1, %2 left").arg(text, timeLeftText(since * (1 - share) / doneSince));
    m_bar->setValue(static_cast<int>(share * 1000));
    m_text->setWholeText(what.isEmpty() ? text : tr("%1: %2").arg(what, text));
    show();
}

} // namespace trainyard
