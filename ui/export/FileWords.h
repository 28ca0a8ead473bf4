// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Names of files whose bytes are no UTF-8, as text that gives them back: such a byte is a lone surrogate, U+DC80 to U+DCFF, which no other
// text has. Words of the command line of --render become such texts; paths are made of them, and messages of the readable form.
#include <QString>

#include <string>

namespace trainyard {

QString wordOf(const std::string& bytes);
/// What the word was made of; UTF-8 of any other text.
std::string bytesOf(const QString& word);
/// For people: "\xe9" for such a byte.
QString readableWord(const QString& word);

} // namespace trainyard
