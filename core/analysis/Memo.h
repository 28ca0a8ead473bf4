// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Results that took long to compute, by name, kept for whoever asks again: views have no state of their own.
// Any thread.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>

namespace trainyard {

class Memo {
public:
    /// Null: not known.
    template <class T>
    std::shared_ptr<const T> find(const std::string& name) const {
        const std::scoped_lock lock(m_mutex);
        const auto it = m_values.find({std::type_index(typeid(T)), name});
        return it == m_values.end() ? nullptr : std::static_pointer_cast<const T>(it->second);
    }
    /// As many as are worth keeping; then all of before are forgotten.
    template <class T>
    std::shared_ptr<const T> keep(const std::string& name, T value) {
        return keep(name, std::make_shared<const T>(std::move(value)));
    }
    template <class T>
    std::shared_ptr<const T> keep(const std::string& name, std::shared_ptr<const T> made) {
        const std::scoped_lock lock(m_mutex);
        if (m_values.size() >= most) m_values.clear();
        m_values[{std::type_index(typeid(T)), name}] = made;
        return made;
    }

private:
    static constexpr std::size_t most = 256;
    mutable std::mutex m_mutex;
    std::map<std::pair<std::type_index, std::string>, std::shared_ptr<const void>> m_values;
};

} // namespace trainyard
