#pragma once
// Values that a chart needs and that take too long for the window's thread: asked for while painting,
// computed beside it, there at a later painting. The window's thread only.
#include "session/BackgroundWork.h"

#include <map>
#include <memory>
#include <set>

namespace trainyard {

template <class Key, class Value>
class ComputedElsewhere {
public:
    /// Null while `work(stop token)` goes on elsewhere; with `wait` it is done here.
    template <class Work>
    const Value* get(const Key& key, bool wait, Work work) {
        if (const Value* there = known(key)) return there;
        if (m_store->done.size() >= mostKept) m_store->done.clear();
        if (wait) return &(m_store->done[key] = work(std::stop_token{}));
        if (m_store->underWay.insert(key).second)
            BackgroundWork::shared().start(
                [work = std::move(work), key,
                 store = std::weak_ptr<Store>(m_store)](const std::stop_token& stop) {
                    return BackgroundWork::Result([key, store, value = work(stop)] {
                        if (const auto there = store.lock()) {
                            there->underWay.erase(key);
                            there->done[key] = value;
                        }
                    });
                });
        return nullptr;
    }
    const Value* known(const Key& key) const {
        const auto it = m_store->done.find(key);
        return it == m_store->done.end() ? nullptr : &it->second;
    }
    /// All that there are, by key.
    const std::map<Key, Value>& all() const { return m_store->done; }
    bool busy() const { return !m_store->underWay.empty(); }
    /// Forgets what there is, and what is still to come.
    void clear() { m_store = std::make_shared<Store>(); }

private:
    static constexpr std::size_t mostKept = 64;
    struct Store {
        std::map<Key, Value> done;
        std::set<Key> underWay;
    };
    std::shared_ptr<Store> m_store = std::make_shared<Store>();
};

} // namespace trainyard
