// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The one seam through which the core runs loops in parallel: TBB normally, std::jthread under ThreadSanitizer (Debian's
// TBB is not instrumented). A body must write only to its own index: the result is then the same for any thread count.
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>

namespace trainyard {

/// How many threads parallel loops may use; 0 = all but one (the window's). One object per run; no global state.
class Parallel {
public:
    explicit Parallel(int threads = 0, std::stop_token stop = {});
    int threads() const { return m_threads; }
    /// Throws Stopped once `stop` is requested; loops do so before each call of their body.
    void throwIfStopped() const;
    /// Calls body(0) … body(count−1), each once, in any order, and returns when all are done. Rethrows the first error.
    void forEach(std::size_t count, const std::function<void(std::size_t)>& body) const;

private:
    int m_threads;
    std::stop_token m_stop;
    std::shared_ptr<void> m_arena; ///< a tbb::task_arena, made once; copies share it
};

} // namespace trainyard
