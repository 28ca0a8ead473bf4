// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// A node of a keyed job whose keys are managed by what workers say that they will need soon, their intents. A key that one node intends
// to use moves there; one that several do is owned by one of them, and the others hold copies until their intents end. Nothing is
// tuned: the look-ahead follows how long answers take, in iterations, and copies are refreshed as often as the owners' answers allow.
// The idea, and that workers signal intent, is AdaPM's (Renz-Wieland, Kieslinger, Gericke, Gemulla, Kaoudi and Markl, Good intentions:
// Adaptive parameter management via intent signaling, 2022); here the home of a key decides, which knows all intents, so that a
// relocation is Lapse's and keeps its order.
//
// Intent and its end go to the home. The home lets the key move if no other node intends to use it, else it has the owner send a copy.
// When the intents of all nodes but one have ended, the key moves to that one. A node without intent that owns a key keeps it, and says
// so only when another asks. A holder adds what its workers have added to its copy to the owner's values, by one message per
// home and round, which is answered with the values as they are then; what is added to a copy in between is kept. So no addition is
// lost, and own additions are read.
#include "policy/keys/KeyNode.h"

#include <map>

namespace trainyard {

class AdaptiveNode final : public KeyNode {
public:
    /// Rounds at which copies are refreshed, if the last refresh has ended, and intents end.
    static constexpr double ticksPerSecond = 10000;
    static constexpr std::uint32_t ticksUnwanted =
        40; ///< a copy that nobody here wants is kept for one to two times as long
    static constexpr std::uint32_t mostLookAhead = 4096; ///< iterations

    AdaptiveNode(std::shared_ptr<const KeyJob> job, std::uint32_t self);
    std::unique_ptr<KeyNode> clone() const override { return std::unique_ptr<KeyNode>(new AdaptiveNode(*this)); }

    /// Workers of this node will read these keys, each as often as it is named.
    void localize(std::span<const std::uint32_t> keys, KeyOutbox& out, std::uint64_t progress) override;
    /// They have done so.
    void release(std::span<const std::uint32_t> keys) override;
    std::uint32_t lookAhead(std::uint32_t) const override;
    void onMessage(KeyMessage& message, KeyOutbox& out) override;
    void beginRound(bool all, KeyOutbox& out) override;
    void beginStretch() override;
    bool hasRounds() const override { return m_job->nodes > 1; }
    double roundsPerSecond() const override { return ticksPerSecond; }
    bool isQuiet() const override { return m_copies.empty() && keysUnderWay() == 0; }
    bool isIdle() const override { return m_idle; }
    std::size_t copies() const override { return m_copies.size(); }

protected:
    void replay(Transfer& transfer, std::uint32_t place, KeyOutbox& out) override;

private:
    struct Copy {
        std::vector<float> base;       ///< the owner's values, with what this node has added and sent
        SimTime sent;                  ///< when the owner's values left it
        std::uint32_t number = 0;      ///< of the intent that it was given for
        std::uint32_t transfer = none; ///< operations of others, and where it goes next, once this node owns it
        bool asked = false;            ///< a refresh is under way
    };
    AdaptiveNode(const AdaptiveNode&) = default;

    // As a home
    void onIntent(std::uint32_t node, std::uint32_t number, std::uint32_t key, KeyOutbox& out);
    void onIntentEnd(std::uint32_t node, std::uint32_t key, KeyOutbox& out);
    void relocate(std::uint32_t key, std::uint32_t to, KeyOutbox& out);
    // As an owner
    using KeyNode::release;
    void carryOutHere(const Operation& operation, std::uint32_t key, std::uint32_t place, const float* delta,
                      KeyOutbox& out, Messages* answers = nullptr);
    void defer(std::uint32_t key, const Operation& operation, const float* delta, std::uint32_t length);
    void giveCopy(std::uint32_t key, std::uint32_t node, std::uint32_t number, KeyOutbox& out);
    void access(const KeyMessage& request, KeyOutbox& out);
    void handOver(std::uint32_t key, std::uint32_t to, KeyOutbox& out);
    // As a holder, or one to be
    void announce(std::uint32_t key, KeyOutbox& out);
    void endIntent(std::uint32_t key, KeyOutbox& out);
    void onCopy(const KeyMessage& message, KeyOutbox& out);
    void onTransfer(const KeyMessage& message, KeyOutbox& out);
    void onRefreshed(const KeyMessage& message, KeyOutbox& out);
    void mergeInto(float* place, const float* values, std::vector<float>& base) const;
    void sendChange(std::uint32_t key, Copy& copy, std::uint32_t number, KeyOutbox& out);
    /// Those of these copies that nobody here wants.
    void giveUp(std::span<const std::uint32_t> keys, KeyOutbox& out);
    void drop(std::uint32_t key, KeyOutbox& out);
    std::vector<std::uint32_t> keysOfCopies() const;
    void refresh(KeyOutbox& out);
    void arrived(std::uint32_t key);

    std::uint32_t expect(std::uint32_t key); ///< the key is under way; its transfer
    Transfer& deferred(std::uint32_t key, Copy& copy);
    KeyMessage& gathered(KeyMessageType type, std::uint32_t to, KeyOutbox& out);
    void flush(KeyOutbox& out);

    std::vector<std::uint32_t> m_wanted; ///< by key: how often workers will read it, as far as they have said
    std::vector<std::uint8_t> m_announced;
    std::map<std::uint32_t, Copy> m_copies;
    std::map<std::uint32_t, std::vector<std::uint32_t>> m_intents; ///< by key whose home is here: nodes, ascending
    std::map<std::uint32_t, std::pair<std::uint32_t, std::uint64_t>>
        m_asked;                                           ///< by key: number, and progress, of the intent
    std::vector<std::uint32_t> m_unwanted, m_longUnwanted; ///< keys that perhaps nobody here wants any more
    std::vector<std::uint32_t> m_ended;                    ///< of one call: keys whose copies have been dropped
    std::vector<std::uint32_t> m_unowned; ///< of one call: keys that are owned here, and wanted elsewhere alone
    std::vector<KeyMessage*> m_gathered;  ///< of one call
    std::uint32_t m_number = 0;           ///< of the last intent
    std::uint64_t m_progress = 0;         ///< iterations of the farthest worker
    double m_needed = 16;                 ///< iterations that an answer takes, decaying
    std::uint32_t m_refreshing = 0;       ///< answers that are missing
    std::uint32_t m_tick = 0;
    bool m_idle = false, m_awaits = false; ///< the latter: a refresh is under way
};

} // namespace trainyard
