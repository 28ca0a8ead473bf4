// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "theme/CoreText.h"

#include <QCoreApplication>

namespace trainyard {

QString coreText(const std::string& english) {
    return english.empty() ? QString() : QCoreApplication::translate("core", english.c_str());
}

QString coreText(const Text& text) {
    if (text.pattern.empty()) return {};
    return QString::fromStdString(
        Text{.pattern = coreText(text.pattern).toStdString(), .arguments = text.arguments}.english());
}

} // namespace trainyard
