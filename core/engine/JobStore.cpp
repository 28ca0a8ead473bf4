// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/JobStore.h"

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace {

/// Beginning and length of what belongs to the key in each vector of the parameters' length, and in what is left of the message.
template <class Use>
void forPartsOf(const StoreLayout& layout, Key key, std::size_t message, Use use) {
    const std::size_t whole = layout.keyStart.back();
    for (std::size_t at = 0; at < message; at += whole) {
        const std::size_t size = std::min(whole, message - at), begin = layout.startIn(size, key);
        use(at + begin, layout.startIn(size, key + 1) - begin);
    }
}

} // namespace

JobStore::JobStore(SharedLayout layout, JobSnapshot snapshot)
    : m_layout(std::move(layout)), m_keys(m_layout->keys()), m_home(m_layout->keys(), nowhere),
      m_parameters(std::move(snapshot.parameters)), m_state(std::move(snapshot.optimizerState)),
      m_version(snapshot.updates) {
    std::iota(m_keys.begin(), m_keys.end(), Key{0});
}

std::span<const double> JobStore::parameters(Key key) const {
    if (m_parameters.empty()) return {};
    return std::span(m_parameters).subspan(m_layout->keyStart[key], m_layout->length(key));
}

std::vector<double> JobStore::take(Key key) {
    m_home[key] = nowhere;
    const auto own = parameters(key);
    std::vector<double> value(own.begin(), own.end());
    if (m_parameters.empty()) return value;
    const std::size_t perParameter = m_state.size() / m_parameters.size();
    const auto state =
        std::span(m_state).subspan(m_layout->keyStart[key] * perParameter, m_layout->length(key) * perParameter);
    value.insert(value.end(), state.begin(), state.end());
    return value;
}

void JobStore::apply(std::span<const double> message, const Optimizer& optimizer, std::uint64_t update,
                     const Model* model) {
    m_version = update;
    if (optimizer.needsWhole()) {
        require(model, "an optimizer of the whole vector was given no model");
        return optimizer.wholeStep(*model, m_parameters, message, m_state, update);
    }
    const std::size_t total = m_parameters.size(), perParameter = total > 0 ? m_state.size() / total : 0;
    for (const Key key : m_keys) {
        const std::size_t begin = m_layout->keyStart[key], length = m_layout->length(key);
        const auto curvature =
            message.size() == 2 * total ? message.subspan(total + begin, length) : std::span<const double>{};
        optimizer.step(std::span(m_parameters).subspan(begin, length), message.subspan(begin, length), curvature,
                       std::span(m_state).subspan(begin * perParameter, length * perParameter), update);
    }
}

double parameterBytes(const StoreLayout& layout) { return layout.keyStart.back() * layout.bytesPerParameter; }

double gradientBytes(const StoreLayout& layout, const TrainingProblem* problem) {
    if (!problem) return parameterBytes(layout);
    return static_cast<double>(problem->messageSize()) * layout.bytesPerParameter;
}

ParameterSize parameterSize(const Job& spec, const TrainingProblem* problem) {
    if (problem) return {problem->parameterCount(), std::get<TrainedWork>(spec.work).bytesPerParameter};
    if (const KeyedAccess* access = spec.keyedAccess())
        return {static_cast<std::uint64_t>(access->keys) * static_cast<std::uint64_t>(access->storedPerKey()), 4};
    const double bytes = std::get<AnalyticWork>(spec.work).parameterBytes;
    const auto count = static_cast<std::uint64_t>(std::clamp(bytes / 8, 1.0, 1e9));
    return {count, bytes / static_cast<double>(count)};
}

double checkpointBytes(const Job& spec, const TrainingProblem* problem) {
    const ParameterSize size = parameterSize(spec, problem);
    return static_cast<double>(size.count) * size.bytes *
           (problem ? 1 + static_cast<double>(problem->optimizer().stateSize()) : 1);
}

std::vector<ParameterTransfer> checkpointTransfers(const Placement& placement, std::optional<std::uint32_t> storage,
                                                   double bytes) {
    std::vector<ParameterTransfer> out;
    const auto& owners = ownersOf(placement);
    for (const MachineId owner : owners)
        if (storage) out.push_back({owner.value, *storage, bytes / static_cast<double>(owners.size())});
    return out;
}

StoreLayout makeLayout(std::uint64_t parameters, std::uint32_t keys, std::uint32_t workers, std::uint32_t servers,
                       double bytesPerParameter, std::uint64_t message) {
    StoreLayout layout{.workers = workers,
                       .servers = servers,
                       .bytesPerParameter = bytesPerParameter,
                       .messageSize = static_cast<std::uint32_t>(message)};
    const std::uint64_t count = std::clamp<std::uint64_t>(keys, 1, std::max<std::uint64_t>(1, parameters));
    for (std::uint64_t k = 0; k <= count; ++k)
        layout.keyStart.push_back(static_cast<std::uint32_t>(parameters * k / count));
    return layout;
}

void appendKeyMessage(const StoreLayout& layout, Key key, std::span<const double> message, std::vector<double>& out) {
    forPartsOf(layout, key, message.size(), [&](std::size_t begin, std::size_t length) {
        const auto part = message.subspan(begin, length);
        out.insert(out.end(), part.begin(), part.end());
    });
}

void placeParameters(const StoreLayout& layout, std::span<const Key> keys, std::span<const double> values,
                     std::span<double> parameters) {
    auto from = values.begin();
    for (const Key key : keys) {
        std::copy_n(from, layout.length(key), parameters.begin() + layout.keyStart[key]);
        from += layout.length(key);
    }
}

std::size_t placeKeyMessage(const StoreLayout& layout, Key key, std::span<const double> part,
                            std::span<double> message) {
    std::size_t used = 0;
    forPartsOf(layout, key, message.size(), [&](std::size_t begin, std::size_t length) {
        std::copy_n(part.begin() + static_cast<std::ptrdiff_t>(used), length,
                    message.begin() + static_cast<std::ptrdiff_t>(begin));
        used += length;
    });
    return used;
}

} // namespace trainyard
