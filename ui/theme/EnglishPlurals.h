// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// English as the language that the window's texts are written in: "%n job(s)" reads "1 job" and "2 jobs". Installed
// before any other language, which says by its own rules what a number asks for.
#include <QTranslator>

namespace trainyard {

class EnglishPlurals final : public QTranslator {
public:
    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;
    bool isEmpty() const override { return false; }
};

} // namespace trainyard
