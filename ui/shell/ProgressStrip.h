// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A bar, what is done and what is left, and a button that ends it: one long piece of work in the status bar.
// Base of RunProgress and ExportProgress.
#include <QWidget>

class QProgressBar;
class QToolButton;

namespace trainyard {

class ElidedLabel;

class ProgressStrip : public QWidget {
    Q_OBJECT
public:
    /// `name`: for screen readers; `cancelHelp`: what Cancel leaves behind.
    ProgressStrip(const QString& name, const QString& cancelHelp, QWidget* parent = nullptr);

    QToolButton& cancel() { return *m_cancel; }
    QString text() const;

Q_SIGNALS:
    void cancelRequested();

protected:
    /// Shows how far it is, `what` before it (may be empty). `share`: 0 … 1; `since`, `doneSince`: seconds
    /// that have been measured and the share done in them, for the time left.
    void showProgress(const QString& what, double share, double since, double doneSince);

private:
    QProgressBar* m_bar;
    ElidedLabel* m_text;
    QToolButton* m_cancel;
};

} // namespace trainyard
