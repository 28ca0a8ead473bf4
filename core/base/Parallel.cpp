// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "base/Parallel.h"

#include "base/Stopped.h"

#include <algorithm>
#include <thread>

#ifdef TRAINYARD_PARALLEL_JTHREAD
#include <atomic>
#include <exception>
#include <mutex>
#include <vector>
#else
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

namespace trainyard {

void Parallel::throwIfStopped() const { trainyard::throwIfStopped(m_stop); }

Parallel::Parallel(int threads, std::stop_token stop)
    : m_threads(threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()) - 1)),
      m_stop(std::move(stop)) {
#ifndef TRAINYARD_PARALLEL_JTHREAD
    // More threads than cores gain nothing, and TBB would warn of them.
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    if (m_threads > 1) m_arena = std::make_shared<tbb::task_arena>(std::min(m_threads, cores));
#endif
}

#ifdef TRAINYARD_PARALLEL_JTHREAD

void Parallel::forEach(std::size_t count, const std::function<void(std::size_t)>& body) const {
    std::atomic<std::size_t> next{0};
    std::exception_ptr error;
    std::mutex errorMutex;
    const auto work = [&] {
        for (std::size_t i; (i = next.fetch_add(1)) < count;) {
            try {
                throwIfStopped();
                body(i);
            } catch (...) {
                const std::scoped_lock lock(errorMutex);
                if (!error) error = std::current_exception();
            }
        }
    };
    std::vector<std::jthread> helpers;
    const auto wanted = std::min<std::size_t>(static_cast<std::size_t>(m_threads), count);
    for (std::size_t t = 1; t < wanted; ++t) helpers.emplace_back(work);
    work();
    helpers.clear();
    if (error) std::rethrow_exception(error);
}

#else

void Parallel::forEach(std::size_t count, const std::function<void(std::size_t)>& body) const {
    if (m_threads == 1 || count < 2) {
        for (std::size_t i = 0; i < count; ++i) {
            throwIfStopped();
            body(i);
        }
        return;
    }
    static_cast<tbb::task_arena*>(m_arena.get())->execute([&] {
        tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
            throwIfStopped();
            body(i);
        });
    });
}

#endif

} // namespace trainyard
