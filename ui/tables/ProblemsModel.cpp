// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tables/ProblemsModel.h"

#include "theme/CoreText.h"
#include "theme/Icons.h"
#include "theme/Theme.h"

#include <QFileInfo>

namespace trainyard {

void ProblemsModel::setProblems(Problems problems) {
    if (problems == m_problems) return;
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}
int ProblemsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : columns; }

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || static_cast<std::size_t>(index.row()) >= m_problems.size()) return {};
    const Problem& p = at(index.row());
    if (role == Qt::DisplayRole) {
        switch (index.column()) {
        case message: return coreText(p.message);
        case place: return QString::fromStdString(p.pointer);
        case file:
            if (p.file.empty()) return {};
            return p.line > 0
                       ? QStringLiteral("%1:%2").arg(QFileInfo(QString::fromStdString(p.file)).fileName()).arg(p.line)
                       : QFileInfo(QString::fromStdString(p.file)).fileName();
        default: return {};
        }
    }
    if (role == Qt::ToolTipRole) return QString::fromStdString(p.text());
    if (role == Qt::ForegroundRole && index.column() != message) return Theme::current().muted;
    if (role == Qt::DecorationRole && index.column() == message) {
        const Theme theme = Theme::current();
        switch (p.severity) {
        case Severity::error: return icon("problem", theme.problem);
        case Severity::warning: return icon("warning", theme.warning);
        case Severity::note: return icon("warning", theme.muted);
        }
    }
    return {};
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case message: return tr("Problem");
    case place: return tr("Place");
    case file: return tr("File and line");
    default: return {};
    }
}

} // namespace trainyard
