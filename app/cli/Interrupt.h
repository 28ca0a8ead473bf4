#pragma once
// Ctrl-C and SIGTERM as a stop token: signals are blocked in every thread and waited for in one, so that no
// handler runs and no state is shared with one. A second signal ends the program at once. One object per
// long-running command, made before any other thread.
#include <stop_token>
#include <thread>

namespace trainyard::cli {

class Interrupt {
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }
    bool requested() const { return m_source.stop_requested(); }

private:
    std::stop_source m_source;
    std::jthread m_waiter;
};

} // namespace trainyard::cli
