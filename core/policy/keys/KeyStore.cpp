// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "policy/keys/KeyStore.h"

#include <array>
#include <cstring>
#include <new>
#include <thread>

namespace trainyard {

namespace {

constexpr std::size_t cacheLine = 64;
constexpr std::size_t slabBytes = 1 << 16; ///< about: what a write to a shared slab copies

} // namespace

struct KeyStore::Slab {
    explicit Slab(std::size_t count)
        : floats(count),
          data(static_cast<float*>(::operator new (count * sizeof(float), std::align_val_t{cacheLine}))) {}
    ~Slab() { ::operator delete (data, std::align_val_t{cacheLine}); }
    Slab(const Slab&) = delete;
    Slab& operator=(const Slab&) = delete;
    const std::size_t floats;
    float* const data;
};

/// Keys that lie near each other have others.
struct KeyStore::Latches {
    struct alignas(cacheLine) Latch {
        std::atomic_flag held;
    };
    std::array<Latch, 1024> all;
};

KeyStore::KeyStore(std::uint32_t keys, std::uint32_t valuesPerKey)
    : m_length(valuesPerKey), m_stride((valuesPerKey + 3) / 4 * 4), m_slots(keys, KeySlot{}.bits) {
    while ((std::size_t{2} << m_shift) * m_stride * sizeof(float) <= slabBytes) ++m_shift;
    m_mask = (std::uint32_t{1} << m_shift) - 1;
    const std::size_t mostSlabs = (keys >> m_shift) + 1;
    m_read.resize(mostSlabs);
    m_write.resize(mostSlabs);
}

KeyStore::~KeyStore() = default;

void KeyStore::share() { m_latches = std::make_unique<Latches>(); }

std::atomic_flag& KeyStore::latch(std::uint32_t key) const { return m_latches->all[key % m_latches->all.size()].held; }

void KeyStore::Guard::acquire(std::atomic_flag& latch) {
    for (int tries = 0; latch.test_and_set(std::memory_order_acquire); ++tries)
        if (tries >= 64) std::this_thread::yield(); // who holds it may not be running
}

KeyStore::KeyStore(const KeyStore& other)
    : m_length(other.m_length), m_stride(other.m_stride), m_shift(other.m_shift), m_mask(other.m_mask),
      m_slots(other.m_slots), m_slabs(other.m_slabs), m_read(other.m_read), m_write(other.m_write.size(), nullptr),
      m_free(other.m_free), m_used(other.m_used) {
    std::fill(other.m_write.begin(), other.m_write.end(), nullptr);
}

float* KeyStore::unshare(std::uint32_t slab) {
    auto& held = m_slabs[slab];
    if (held.use_count() > 1) {
        auto copy = std::make_shared<Slab>(held->floats);
        std::memcpy(copy->data, held->data, held->floats * sizeof(float));
        held = std::move(copy);
    } else {
        std::atomic_thread_fence(std::memory_order_acquire); // after the last read of the copy that is gone
    }
    m_read[slab] = held->data;
    return m_write[slab] = held->data;
}

void KeyStore::addSlab() {
    auto slab = std::make_shared<Slab>((std::size_t{m_mask} + 1) * m_stride);
    std::fill_n(slab->data, slab->floats, 0.0f);
    m_read[m_slabs.size()] = m_write[m_slabs.size()] = slab->data;
    m_slabs.push_back(std::move(slab));
}

std::uint32_t KeyStore::allocate() {
    if (!m_free.empty()) {
        const std::uint32_t place = m_free.back();
        m_free.pop_back();
        return place;
    }
    if (m_used == m_slabs.size() << m_shift) addSlab();
    return m_used++;
}

void KeyStore::prefetch(std::uint32_t place) const {
    const auto* at = reinterpret_cast<const char*>(values(place));
    for (std::size_t b = 0; b < std::min<std::size_t>(m_length * sizeof(float), 8 * cacheLine); b += cacheLine)
        __builtin_prefetch(at + b, 1);
}

std::size_t KeyStore::bytes() const {
    std::size_t bytes = sizeof(*this) + m_slots.capacity() * sizeof(std::uint32_t) +
                        m_free.capacity() * sizeof(std::uint32_t) + 2 * m_read.capacity() * sizeof(void*) +
                        (m_latches ? sizeof(Latches) : 0);
    for (const auto& slab : m_slabs) bytes += sizeof(Slab) + slab->floats * sizeof(float) + 4 * sizeof(void*);
    return bytes;
}

} // namespace trainyard
