// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A pointer that is copied with what it points to, by clone() where there is one: members of it let a class that is copied as a
// whole leave its copy constructor to the compiler.
#include <memory>

namespace trainyard {

template <class T>
class Cloned {
public:
    Cloned(std::shared_ptr<T> value = nullptr) : m_value(std::move(value)) {}
    template <class U>
    Cloned(std::unique_ptr<U> value) : m_value(std::move(value)) {}
    Cloned(const Cloned& other) : m_value(other.copy()) {}
    Cloned(Cloned&&) noexcept = default;
    Cloned& operator=(Cloned&&) noexcept = default;

    T* get() const { return m_value.get(); }
    T& operator*() const { return *m_value; }
    T* operator->() const { return m_value.get(); }
    explicit operator bool() const { return m_value != nullptr; }
    /// The same object, which may outlive this one.
    const std::shared_ptr<T>& shared() const { return m_value; }

private:
    std::shared_ptr<T> copy() const {
        if (!m_value) return nullptr;
        if constexpr (requires { m_value->clone(); })
            return m_value->clone();
        else
            return std::make_shared<T>(*m_value);
    }

    std::shared_ptr<T> m_value;
};

} // namespace trainyard
