#pragma once
// The explanations of one run so far, in the order of their indices, beside its event log: appended to as the run hands them
// over, read by views. Any thread.
#include "record/Explanation.h"

#include <memory>
#include <mutex>

namespace trainyard {

class ExplanationLog {
public:
    ExplanationLog() = default;
    explicit ExplanationLog(std::vector<Explanation> all) { add(std::move(all)); }

    /// Those that follow the ones already there.
    void add(std::vector<Explanation> further) {
        const std::scoped_lock lock(m_mutex);
        for (Explanation& why : further)
            m_all.push_back(std::make_shared<const Explanation>(std::move(why)));
    }
    std::size_t size() const {
        const std::scoped_lock lock(m_mutex);
        return m_all.size();
    }
    /// Null: it has not been handed over yet, or there is none.
    std::shared_ptr<const Explanation> at(std::size_t index) const {
        const std::scoped_lock lock(m_mutex);
        return index < m_all.size() ? m_all[index] : nullptr;
    }

private:
    mutable std::mutex m_mutex; ///< guards m_all
    std::vector<std::shared_ptr<const Explanation>> m_all;
};

} // namespace trainyard
