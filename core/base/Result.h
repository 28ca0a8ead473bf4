// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A value, or all the problems that prevented it. A value may carry warnings. Expected failures use this; broken
// invariants throw InvariantError, which only RunSession catches.
#include "base/Problem.h"

#include <optional>
#include <stdexcept>
#include <utility>

namespace trainyard {

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value, Problems warnings = {}) : m_value(std::move(value)), m_problems(std::move(warnings)) {}
    Result(Problems problems) : m_problems(std::move(problems)) {}
    Result(Problem problem) : m_problems{std::move(problem)} {}

    bool ok() const { return m_value.has_value(); }
    explicit operator bool() const { return ok(); }
    /// Only if ok().
    const T& value() const& { return m_value.value(); }
    T& value() & { return m_value.value(); }
    T&& value() && { return std::move(m_value).value(); }
    const T& operator*() const& { return value(); }
    const T* operator->() const { return &m_value.value(); }
    T* operator->() { return &m_value.value(); }
    /// Errors if !ok(); warnings otherwise.
    const Problems& problems() const { return m_problems; }

private:
    std::optional<T> m_value;
    Problems m_problems;
};

/// A broken invariant or a policy that overstepped. The run becomes Failed with this message; the program goes on.
class InvariantError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throws InvariantError unless the condition holds.
inline void require(bool condition, const char* message) {
    if (!condition) throw InvariantError(message);
}

} // namespace trainyard
