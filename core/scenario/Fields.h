// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#pragma once
// Every object of the format is described once, by a function that names its fields to a Fields: key, help,
// range, default and the member that holds the value. Visitors use the same description: FieldReader fills the
// members from a file, FieldWriter writes them, FieldLister lists them for forms and tables, SchemaWriter publishes
// scenarios/schema.json and the tables of docs/format/scenario.md. Internal to scenario/.
#include "base/Distribution.h"
#include "base/Result.h"
#include "model/Job.h"
#include "model/Resources.h"

#include <functional>
#include <span>

namespace trainyard {

struct Member {
    const char* name;
    const char* help;
    bool required = false;
    bool lines = false; ///< a text of several lines; others have no control characters
    bool optional =
        false; ///< an object that may be missing: it is written even if it is empty, since that is another thing
};

struct NumberRule {
    double minimum = 0, maximum = 1e18;
    double fallback = 0;
    const char* unit = "";
    bool aboveMinimum = false; ///< the minimum itself is not allowed
};

struct IntegerRule {
    std::int64_t minimum = 0, maximum = 1'000'000'000'000;
    std::int64_t fallback = 0;
};

/// A whole number in the model, a decimal in the file: model = file × 10^power.
struct ScaledRule {
    int power = 0;
    double minimum = 0, maximum = 0; ///< in the file's unit
    std::int64_t fallback = 0;       ///< in the model's unit
    const char* unit = "";
};

struct WordList {
    std::span<const char* const> words;
    int fallback = 0;
};

class Fields {
public:
    virtual ~Fields() = default;
    /// True for SchemaWriter: every alternative is to be described, and the value does not matter.
    virtual bool describing() const { return false; }
    /// True for FieldReader: members are filled rather than written.
    virtual bool reading() const { return false; }

    virtual void flag(Member key, bool& value, bool fallback) = 0;
    virtual void text(Member key, std::string& value) = 0;
    virtual void wholeSeed(Member key, std::uint64_t& value, std::uint64_t fallback) = 0;
    virtual void integer(Member key, std::int64_t& value, IntegerRule rule) = 0;
    virtual void optionalInteger(Member key, std::optional<std::int64_t>& value, IntegerRule rule) = 0;
    virtual void number(Member key, double& value, NumberRule rule) = 0;
    virtual void optionalNumber(Member key, std::optional<double>& value, NumberRule rule) = 0;
    virtual void scaled(Member key, std::int64_t& value, ScaledRule rule) = 0;
    /// Bytes per second, in the file as Gbit/s.
    virtual void bandwidth(Member key, double& bytesPerSecond, NumberRule rule) = 0;
    virtual void word(Member key, int& index, WordList list) = 0;
    virtual void numbers(Member key, std::vector<double>& values, NumberRule rule) = 0;
    virtual void texts(Member key, std::vector<std::string>& values) = 0;
    /// A pair [x, y].
    virtual void pair(Member key, std::optional<std::pair<double, double>>& value, NumberRule rule) = 0;
    /// {name: amount}; names are resources of the cluster.
    virtual void amounts(Member key, ResourceVector& value, const std::vector<std::string>& resources) = 0;
    /// {name: [least, greatest]} in the order given.
    virtual void ranges(Member key, std::vector<std::tuple<std::string, double, double>>& values) = 0;
    /// {name: true, 3, 0.5 or "word"}.
    virtual void parameters(Member key, ParamValues& values) = 0;
    /// [[from, to], …]: positions, or names where all names differ.
    virtual void dependencies(Member key, std::vector<Dependency>& values,
                              const std::vector<Operation>& operations) = 0;

    /// Shorthands for objects: read, the member may be a bare value and true says that it was; written, it is
    /// if `use`.
    virtual bool bareText(Member key, std::string& value) = 0;
    virtual bool bareNumber(Member key, double& value, NumberRule rule, bool use) = 0;
    virtual bool bareInteger(Member key, std::int64_t& value, IntegerRule rule, bool use) = 0;

    /// False: there is none (or it is unusable, which has been reported); otherwise endObject() must follow.
    virtual bool beginObject(Member key, const char* type, bool present) = 0;
    virtual void endObject() = 0;
    /// How many elements there are to visit; endList() must follow.
    virtual std::size_t beginList(Member key, const char* type, std::size_t size) = 0;
    virtual bool beginElement(std::size_t index) = 0;
    virtual void endElement() = 0;
    virtual void endList() = 0;
    /// So much is wrong that further elements of lists are not worth visiting.
    virtual bool full() const { return false; }

    /// Members described by `body` belong to the object only if the member `discriminator` is `word`.
    virtual void alternative(const char* /*discriminator*/, const char* /*word*/, bool active,
                             const std::function<void()>& body) {
        if (active) body();
    }
    /// Reports that members of the object do not go together, unless one of them has been reported; only the
    /// reader listens.
    virtual void complain(const char* /*member*/, const char* /*code*/, Text /*message*/) {}

    // --- conveniences
    // -------------------------------------------------------------------------------------------------
    void count(Member key, int& value, IntegerRule rule);
    template <class E>
    void word(Member key, E& value, std::span<const char* const> words, E fallback) {
        int index = static_cast<int>(value);
        word(key, index, WordList{words, static_cast<int>(fallback)});
        value = static_cast<E>(index);
    }
    template <class T, class F>
    void list(Member key, const char* type, std::vector<T>& items, F&& body) {
        const std::size_t size = beginList(key, type, items.size());
        if (items.size() > size) items.resize(size);
        for (std::size_t i = 0; i < size && !full(); ++i) {
            if (items.size() == i) items.emplace_back();
            if (!beginElement(i)) continue;
            body(items[i]);
            endElement();
        }
        endList();
    }
    template <class F>
    void object(Member key, const char* type, F&& body) {
        if (!beginObject(key, type, true)) return;
        body();
        endObject();
    }
    template <class T, class F>
    void optionalObject(Member key, const char* type, std::optional<T>& value, F&& body) {
        key.optional = true;
        if (!beginObject(key, type, value.has_value())) return;
        if (!value) value.emplace();
        body(*value);
        endObject();
    }

    /// Written where it is not empty, or where none stands for another than the empty one.
    void choice(Member key, Choice& value, bool hasDefault = false);
    void bounds(Member key, Bounds& value, Bounds fallback, int minimum);
    /// True if there was one to visit; `present` matters only to the writer.
    bool distribution(Member key, Distribution& value, bool present);
};

} // namespace trainyard
