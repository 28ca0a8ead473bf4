// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Another program that has a store of results to itself, until it is released.
#include <memory>
#include <stdexcept>
#include <string>

#include <sqlite3.h>

namespace trainyard::test {

class StoreLock {
public:
    explicit StoreLock(const std::string& file) {
        sqlite3* opened = nullptr;
        const int status = sqlite3_open(file.c_str(), &opened);
        m_holder.reset(opened);
        if (status != SQLITE_OK || sqlite3_exec(opened, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) != SQLITE_OK)
            throw std::runtime_error("cannot lock " + file);
    }
    void release() { m_holder.reset(); }

private:
    std::unique_ptr<sqlite3, decltype(&sqlite3_close)> m_holder{nullptr, sqlite3_close};
};

} // namespace trainyard::test
