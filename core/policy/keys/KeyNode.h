// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// The protocol of one node of a keyed job: serves the keys that it holds, knows the owners of those whose home it is, asks for keys,
// hands them over, and keeps operations on a key that is under way until it has come. Written once for both modes, without locks,
// clock or transport: the engine calls it one call at a time (in execute under the node's lock), and it acts through its KeyOutbox.
// Local reads and additions go to the store directly. Source: Renz-Wieland, Gemulla, Zeuch and Markl, Dynamic parameter allocation
// in parameter servers (Lapse), PVLDB 2020.
//
// Relocation takes three messages: LOCALIZE to the home, which names the requester as the owner at once; HAND_OVER from there to
// the owner before; TRANSFER from that one to the requester. Two where home and owner, or home and requester, are one. There are
// no location caches: what is not here is asked for at its home, and links keep the order of messages between two nodes, so that
// operations on a key take effect in one order that contains the order of each worker.
#include "policy/keys/KeyClocks.h"
#include "policy/keys/ReplicaRounds.h"

#include <span>

namespace trainyard {

class KeyNode {
public:
    KeyNode(std::shared_ptr<const KeyJob> job, std::uint32_t self);
    virtual ~KeyNode() = default;
    virtual std::unique_ptr<KeyNode> clone() const { return std::unique_ptr<KeyNode>(new KeyNode(*this)); }

    KeyStore& store() { return m_store; }
    const KeyStore& store() const { return m_store; }
    ReplicaRounds& replicas() { return m_replicas; }
    const ReplicaRounds& replicas() const { return m_replicas; }
    KeyClocks& clocks() { return m_clocks; }
    const KeyClocks& clocks() const { return m_clocks; }
    const KeyJob& job() const { return *m_job; }

    enum class Addition {
        none,           ///< the key is not here
        done,           ///<
        firstOfReplica, ///< since the replica was last collected
    };
    /// Of a worker, for a key that is here or replicated. Needs no lock, where threads share the store.
    Addition addLocal(std::uint32_t key, const float* delta);
    /// Whether an operation of a worker on a key that is not local waits for it here, since the key is under way; else it is asked for.
    bool isUnderWay(std::uint32_t key) const { return m_store.slot(key).state() == KeySlot::State::underWay; }
    /// Of a worker, for keys that are not local, each once. KeyOutbox::pulled() tells for each key when it is done. What is asked of one
    /// node is one message.
    virtual void pull(std::uint32_t worker, std::span<const std::uint32_t> keys, KeyOutbox& out,
                      std::uint64_t clock = 0);
    /// Whether a worker with this clock may read the copy that is here; of plans with caches.
    virtual bool mayRead(std::uint32_t /*key*/, std::uint64_t /*clock*/) const { return true; }
    /// The least clock of this node's workers, which does not fall; KeyClocks::done: all have done their share.
    virtual void advanceClock(std::uint64_t least, KeyOutbox& out) { m_clocks.advance(least, out); }
    /// The same; pushed() tells. `deltas`: valuesPerKey numbers for each key, which are copied.
    void push(std::uint32_t worker, std::span<const std::uint32_t> keys, const float* deltas, KeyOutbox& out);
    /// Asks for keys to be moved here: those that are neither here nor on their way. Repeated keys are asked for once. `progress`:
    /// iterations that the worker has done which will use them.
    virtual void localize(std::span<const std::uint32_t> keys, KeyOutbox& out, std::uint64_t progress = 0);
    /// A worker has used keys that it asked for, where the plan adapts.
    virtual void release(std::span<const std::uint32_t>) {}
    /// Iterations ahead of which keys are asked for. `declared`: by the job.
    virtual std::uint32_t lookAhead(std::uint32_t declared) const { return declared; }
    virtual void onMessage(KeyMessage& message, KeyOutbox& out);

    /// Whether beginRound() is to be called at times, and how often.
    virtual bool hasRounds() const { return m_replicas.count() > 0; }
    virtual double roundsPerSecond() const {
        return m_job->plan.replication ? m_job->plan.replication->syncsPerSecond : 1;
    }
    /// `all`: this node's workers are done, and small changes are not kept back.
    virtual void beginRound(bool all, KeyOutbox& out) { m_replicas.begin(all, m_store, out); }
    /// Nothing has been added here that other nodes do not see.
    virtual bool isQuiet() const { return !m_replicas.active() && m_replicas.isClean(); }
    /// No round is needed until a further stretch begins.
    virtual bool isIdle() const { return m_replicas.idle(); }
    /// A further stretch begins, at a quiet point.
    virtual void beginStretch() { m_clocks.restart(); }

    /// Of a key whose home is here.
    std::uint32_t ownerOf(std::uint32_t key) const { return m_owners.empty() ? m_self : m_owners[ownerIndex(key)]; }
    /// Copies and replicas that are here now.
    virtual std::size_t copies() const { return m_replicas.count(); }
    std::size_t keysUnderWay() const { return m_transfers.size() - m_freeTransfers.size(); }
    /// Of store, owners, replicas.
    std::size_t bytes() const;

protected:
    KeyNode(const KeyNode&) = default;

    static constexpr std::uint32_t none = ~std::uint32_t{0};
    struct Operation {
        enum class Kind : std::uint8_t { access, copy, refresh };
        bool isPush = false; ///< it adds
        std::uint32_t node = 0, worker = 0;
        std::uint32_t delta = 0;  ///< where its numbers begin
        Kind kind = Kind::access; ///< the others: of AdaptiveNode
        std::uint32_t number = 0; ///< of those: of the intent
    };
    /// A key on its way here.
    struct Transfer {
        std::uint32_t key = 0, onward = none; ///< the node that it goes to as soon as it has come
        std::vector<Operation> operations;    ///< in order of arrival
        std::vector<float> deltas;
    };
    // Steps that tests replace by wrong ones (and onMessage()), to see that they are found out.
    virtual void replay(Transfer& transfer, std::uint32_t place, KeyOutbox& out);
    virtual std::uint32_t destination(std::uint32_t key) const;
    /// At the home: the requester owns the key from now on; who did.
    virtual std::uint32_t changeOwner(std::uint32_t key, std::uint32_t requester);

    using Messages = std::vector<KeyMessage*>;
    /// Answers to other nodes are sent, or added to one of `answers` where there are some.
    void carryOut(const Operation& operation, std::uint32_t key, std::uint32_t place, const float* delta,
                  KeyOutbox& out, Messages* answers = nullptr);

    /// The one of these of that kind to that node, or a new one.
    static KeyMessage& messageTo(Messages& messages, KeyMessageType type, std::uint32_t to, std::uint32_t requester,
                                 KeyOutbox& out);
    /// Takes the key out of the store, into a message.
    void release(std::uint32_t key, KeyMessage& into);
    std::uint32_t newTransfer(std::uint32_t key);
    void freeTransfer(std::uint32_t number);
    static void add(Transfer& transfer, Operation operation, const float* delta, std::uint32_t length);

    /// Of m_touched, which workers set without the node's lock, under the key's latch.
    bool isTouched(std::uint32_t key) const {
        return std::atomic_ref(const_cast<std::uint8_t&>(m_touched[key])).load(std::memory_order_relaxed) != 0;
    }
    void setTouched(std::uint32_t key, bool touched) {
        std::atomic_ref(m_touched[key]).store(touched ? 1 : 0, std::memory_order_relaxed);
    }

    std::shared_ptr<const KeyJob> m_job;
    std::uint32_t m_self;
    std::vector<std::uint8_t>
        m_touched;                     ///< by key, where the plan adapts or caches: something has been added to a copy
    std::vector<Transfer> m_transfers; ///< by number
    KeyStore m_store;
    ReplicaRounds m_replicas;
    KeyClocks m_clocks;

private:
    std::size_t ownerIndex(std::uint32_t key) const { return key - m_firstOwned; }
    void access(const KeyMessage& request, KeyOutbox& out);
    void request(KeyMessageType type, std::uint32_t worker, std::span<const std::uint32_t> keys, const float* deltas,
                 KeyOutbox& out);
    void onLocalize(const KeyMessage& message, KeyOutbox& out);
    void onHandOver(const KeyMessage& message, KeyOutbox& out);
    void onTransfer(const KeyMessage& message, KeyOutbox& out);
    void queue(std::uint32_t transfer, Operation operation, const float* delta);

    std::vector<std::uint32_t> m_owners; ///< of keys whose home is here, by ownerIndex(); empty: nothing relocates
    std::uint32_t m_firstOwned = 0;
    std::vector<std::uint32_t> m_freeTransfers;
    Messages m_messages, m_forwarded; ///< working memory of one call
    std::vector<std::uint32_t> m_sorted;
};

} // namespace trainyard
