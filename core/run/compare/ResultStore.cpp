// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/compare/ResultStore.h"

#include "run/files/LossAccountsJson.h"
#include "run/files/RecordJson.h"
#include "scenario/ScenarioFile.h"

#include <boost/crc.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <thread>

namespace trainyard {

namespace {

const char* const schema = "CREATE TABLE IF NOT EXISTS scenarios(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);"
                           "CREATE TABLE IF NOT EXISTS results(scenario INTEGER NOT NULL REFERENCES scenarios(id), "
                           "mode TEXT NOT NULL, seed TEXT NOT NULL, version TEXT NOT NULL, what TEXT NOT NULL, "
                           "value TEXT NOT NULL, PRIMARY KEY(scenario, mode, seed, version, what)) WITHOUT ROWID;";

const char* const findResult = "SELECT value FROM results WHERE scenario = ?1 AND mode = ?2 AND seed = ?3 AND "
                               "version = ?4 AND what = ?5";
const char* const replaceResult = "INSERT OR REPLACE INTO results(scenario, mode, seed, version, what, value) "
                                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6)";

const char* const newScenario = "INSERT OR IGNORE INTO scenarios(text) VALUES(?1)";
const char* const findScenario = "SELECT id, text FROM scenarios WHERE text = ?1";

constexpr std::size_t longestText = 65536;
constexpr std::chrono::milliseconds patience{15'000}, untilSaid{1'000},
    afterThat{100}; // with another process that has locked it

/// Scenarios with recorded curves can have megabytes: of long texts the SHA-1 UUID and the length stand for them.
std::string identityOfText(const std::string& scenarioText) {
    if (scenarioText.size() <= longestText) return scenarioText;
    const auto id = boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(scenarioText);
    return "uuid " + boost::uuids::to_string(id) + ", " + std::to_string(scenarioText.size()) + " bytes";
}

/// Mode, seed, version and what a value is.
using Fields = std::array<std::string, 4>;

Fields fieldsOf(const ResultKey& key) {
    return {key.mode == RunMode::execute ? "execute" : "simulate", std::to_string(key.seed), TRAINYARD_VERSION,
            key.what};
}

/// A value as it is stored: after eight digits, the CRC-32 of what it is of and of itself, so that damage is noticed.
std::string sealed(const std::string& identity, const Fields& fields, const std::string& value) {
    boost::crc_32_type crc;
    const auto add = [&](const std::string& text) { crc.process_bytes(text.c_str(), text.size() + 1); };
    add(identity);
    for (const std::string& field : fields) add(field);
    add(value);
    char digits[10];
    std::snprintf(digits, sizeof digits, "%08x ", static_cast<unsigned>(crc.checksum()));
    return digits + value;
}

std::optional<std::string> unsealed(const std::string& identity, const Fields& fields, const std::string& stored) {
    constexpr std::size_t seal = 9;
    std::string value = stored.substr(std::min(seal, stored.size()));
    if (sealed(identity, fields, value) != stored) return std::nullopt;
    return value;
}

/// A prepared statement; columns and parameters from 0 and 1 on, as in SQLite.
class Statement {
public:
    Statement(sqlite3* database, const char* text) {
        if (sqlite3_prepare_v2(database, text, -1, &m_statement, nullptr) != SQLITE_OK) m_statement = nullptr;
    }
    ~Statement() { sqlite3_finalize(m_statement); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    void bind(int at, std::int64_t value) { sqlite3_bind_int64(m_statement, at, value); }
    void bind(int at, const std::string& value) {
        sqlite3_bind_text(m_statement, at, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
    }
    void bind(std::int64_t scenario, const Fields& fields) { // the first five
        bind(1, scenario);
        for (std::size_t i = 0; i < fields.size(); ++i) bind(static_cast<int>(i) + 2, fields[i]);
    }
    bool isValid() const { return m_statement != nullptr; } ///< for this schema
    /// SQLITE_ROW, SQLITE_DONE or an error.
    int step() { return m_statement ? sqlite3_step(m_statement) : SQLITE_ERROR; }
    std::int64_t number(int column) { return sqlite3_column_int64(m_statement, column); }
    std::string text(int column) {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
        return bytes ? std::string(bytes, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))) : "";
    }

private:
    sqlite3_stmt* m_statement = nullptr;
};

/// A file from a stranger runs nothing: neither triggers, nor views, nor functions that its schema names.
void distrustSchema(sqlite3* database) {
    sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
}

/// The address by which SQLite reads a file and writes nothing. Without a log beside it nobody writes it now.
std::string readOnly(const std::filesystem::path& file) {
    std::string out = "file:";
    for (const char c : file.string()) {
        const bool plain =
            std::isalnum(static_cast<unsigned char>(c)) || std::string_view("/-_.~").find(c) != std::string_view::npos;
        char hex[4];
        std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
        out += plain ? std::string(1, c) : std::string(hex);
    }
    std::error_code ignored;
    return out + (std::filesystem::exists(file.string() + "-wal", ignored) ? "?mode=ro" : "?mode=ro&immutable=1");
}

} // namespace

Problem ResultStore::problem(const char* pattern) const {
    return {.code = "result-store",
            .message = {pattern, {m_file.string(), m_database ? sqlite3_errmsg(m_database) : "out of memory"}}};
}

bool ResultStore::run(const char* statement) const {
    return sqlite3_exec(m_database, statement, nullptr, nullptr, nullptr) == SQLITE_OK;
}

bool ResultStore::waitForLock() {
    constexpr std::chrono::milliseconds pause(5);
    if (m_waited >= patience) return false;
    std::this_thread::sleep_for(pause);
    m_waited += pause;
    if (m_waited == untilSaid && m_waiting)
        std::exchange(m_waiting, nullptr)(
            {.code = "locked",
             .message = {TRAINYARD_TEXT("{0} is locked by another process: it is waited for up to {1} s"),
                         {m_file.string(), std::to_string(patience / std::chrono::seconds(1))}}});
    return true;
}

bool ResultStore::hasWritten(bool done) {
    m_waited = done ? std::chrono::milliseconds(0) : std::min(m_waited, patience - afterThat);
    return done;
}

bool ResultStore::runPatiently(const char* statement) {
    int code = SQLITE_OK;
    do code = sqlite3_exec(m_database, statement, nullptr, nullptr, nullptr);
    while (code == SQLITE_BUSY && waitForLock());
    return hasWritten(code == SQLITE_OK);
}

Result<std::shared_ptr<ResultStore>> ResultStore::open(const std::filesystem::path& file,
                                                       std::function<void(const Problem&)> waiting) {
    const std::shared_ptr<ResultStore> store(new ResultStore(file, std::move(waiting)));
    // Links lead to directories, but a store is none: it might be somebody else's file.
    constexpr int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_URI;
    const auto real = std::filesystem::weakly_canonical(std::filesystem::absolute(file).parent_path());
    if (sqlite3_open_v2((real / file.filename()).c_str(), &store->m_database, flags, nullptr) != SQLITE_OK)
        return store->problem(TRAINYARD_TEXT("{0} cannot be opened: {1}"));
    distrustSchema(store->m_database);
    sqlite3_busy_handler(
        store->m_database,
        [](void* self, int) { return static_cast<int>(static_cast<ResultStore*>(self)->waitForLock()); }, store.get());
    if (!store->runPatiently("PRAGMA journal_mode=WAL") || !store->runPatiently("PRAGMA synchronous=NORMAL") ||
        !store->runPatiently(schema))
        return store->problem(TRAINYARD_TEXT("{0} cannot keep results: {1}"));
    for (const char* used : {newScenario, findScenario, findResult, replaceResult}) // before anything is computed
        if (!Statement(store->m_database, used).isValid())
            return store->problem(TRAINYARD_TEXT("{0} is no store of results: {1}"));
    return store;
}

ResultStore::~ResultStore() { sqlite3_close_v2(m_database); }

std::int64_t ResultStore::numberOfIdentity(const std::string& identity) {
    const auto known = [&]() -> std::int64_t {
        Statement find(m_database, findScenario);
        find.bind(1, identity);
        return find.step() == SQLITE_ROW ? find.number(0) : 0;
    };
    if (const std::int64_t number = known()) return number; // also while another process has locked it
    Statement insert(m_database, newScenario);
    insert.bind(1, identity);
    return hasWritten(insert.step() == SQLITE_DONE) ? known() : 0;
}

const std::string& ResultStore::identityOf(std::int64_t number) const {
    std::string& identity = m_identities[number];
    if (identity.empty()) {
        Statement find(m_database, "SELECT text FROM scenarios WHERE id = ?1");
        find.bind(1, number);
        if (find.step() == SQLITE_ROW) identity = find.text(0);
    }
    return identity;
}

Result<std::int64_t> ResultStore::numberOf(const std::string& scenarioText) {
    const std::string identity = identityOfText(scenarioText);
    const std::scoped_lock lock(m_mutex);
    const std::int64_t number = numberOfIdentity(identity);
    if (number == 0) return problem(TRAINYARD_TEXT("{0} cannot keep results: {1}"));
    m_identities[number] = identity;
    return number;
}

std::optional<std::string> ResultStore::find(const ResultKey& key) const {
    const std::scoped_lock lock(m_mutex);
    Statement find(m_database, findResult);
    find.bind(key.scenario, fieldsOf(key));
    if (find.step() != SQLITE_ROW) return std::nullopt;
    return unsealed(identityOf(key.scenario), fieldsOf(key), find.text(0));
}

Problems ResultStore::add(const ResultKey& key, const std::string& value) {
    const std::scoped_lock lock(m_mutex);
    Statement insert(m_database, replaceResult);
    insert.bind(key.scenario, fieldsOf(key));
    insert.bind(6, sealed(identityOf(key.scenario), fieldsOf(key), value));
    if (hasWritten(insert.step() == SQLITE_DONE)) return {};
    return {problem(TRAINYARD_TEXT("a result could not be kept in {0}: {1}"))};
}

Problems ResultStore::merge(const std::filesystem::path& other) {
    std::error_code missing;
    if (!std::filesystem::is_regular_file(other, missing))
        return {{.code = "result-store", .message = {TRAINYARD_TEXT("there is no {0}"), {other.string()}}}};
    const std::scoped_lock lock(m_mutex);
    Statement attach(m_database, "ATTACH DATABASE ?1 AS other");
    attach.bind(1, readOnly(std::filesystem::canonical(other, missing))); // wherever it is
    const bool attached = attach.step() == SQLITE_DONE;
    // All of it is read before anything is written, so that what is damaged is named.
    if (!attached || !run("SELECT sum(length(text)) FROM other.scenarios") ||
        !run("SELECT sum(length(mode || seed || version || what || value)) FROM other.results")) {
        Problem damaged{.code = "result-store",
                        .message = {TRAINYARD_TEXT("the results in {0} cannot be read: {1}"),
                                    {other.string(), sqlite3_errmsg(m_database)}}};
        if (attached) run("DETACH DATABASE other");
        return {std::move(damaged)};
    }
    std::size_t damaged = 0;
    const bool merged = run("BEGIN IMMEDIATE") && takeOver(damaged) && run("COMMIT");
    Problems problems;
    if (damaged > 0)
        problems.push_back({.code = "result-store",
                            .message = {TRAINYARD_TEXT("results in {0} are damaged, and left out: {1}"),
                                        {other.string(), std::to_string(damaged)}}});
    if (!merged) {
        problems.push_back(problem(TRAINYARD_TEXT("results cannot be merged into {0}: {1}")));
        problems.back().code = "cannot-write";
        run("ROLLBACK");
    }
    run("DETACH DATABASE other");
    return problems;
}

bool ResultStore::takeOver(std::size_t& damaged) {
    Statement theirs(m_database, "SELECT was.text, r.mode, r.seed, r.version, r.what, r.value FROM other.results AS r "
                                 "JOIN other.scenarios AS was ON was.id = r.scenario ORDER BY r.scenario");
    std::string identity;
    std::int64_t number = 0;
    int step = SQLITE_ROW;
    while ((step = theirs.step()) == SQLITE_ROW) {
        const Fields fields{theirs.text(1), theirs.text(2), theirs.text(3), theirs.text(4)};
        const std::string of = theirs.text(0), value = theirs.text(5);
        if (!unsealed(of, fields, value)) {
            ++damaged;
            continue;
        }
        if (number == 0 || of != identity) number = numberOfIdentity(of);
        identity = of;
        if (number == 0) return false;
        Statement mine(m_database, findResult);
        mine.bind(number, fields);
        if (mine.step() == SQLITE_ROW && unsealed(of, fields, mine.text(0))) continue;
        Statement replace(m_database, replaceResult);
        replace.bind(number, fields);
        replace.bind(6, value);
        if (replace.step() != SQLITE_DONE) return false;
    }
    return step == SQLITE_DONE;
}

std::size_t ResultStore::size() const {
    const std::scoped_lock lock(m_mutex);
    Statement count(m_database, "SELECT count(*) FROM results");
    return count.step() == SQLITE_ROW ? static_cast<std::size_t>(count.number(0)) : 0;
}

std::int64_t KeptResults::numberOf(const Scenario& scenario, Problems& problems) const {
    if (!m_store) return 0;
    Scenario withoutLimits = scenario; // they change no run that ends
    withoutLimits.limits = {};
    const auto number = m_store->numberOf(writeScenario(withoutLimits));
    if (number) return *number;
    problems.insert(problems.end(), number.problems().begin(), number.problems().end());
    return 0;
}

std::optional<std::string> KeptResults::found(const ResultKey& key) const {
    return m_store && m_resume && key.scenario > 0 ? m_store->find(key) : std::nullopt;
}

Problems KeptResults::keep(const ResultKey& key, const std::string& value) const {
    return m_store && key.scenario > 0 ? m_store->add(key, value) : Problems{};
}

std::string metricsText(const KeptMetrics& kept) {
    nlohmann::ordered_json json{{"metrics", numbersJson(kept.metrics)}};
    if (!kept.digest.empty()) json["digest"] = kept.digest;
    for (const Problem& warning : kept.warnings) json["doubts"].push_back(problemJson(warning));
    if (kept.losses) json["losses"] = lossesJson(*kept.losses);
    return json.dump();
}

std::optional<KeptMetrics> metricsFrom(const std::string& text) try {
    const auto json = readJson(text);
    if (!json.is_object() || !json.contains("metrics") || !json["metrics"].is_object()) return std::nullopt;
    KeptMetrics out{.metrics = numbersFrom(json["metrics"])};
    if (json.contains("digest") && json["digest"].is_string()) out.digest = json["digest"].get<std::string>();
    if (json.contains("doubts") && json["doubts"].is_array())
        for (const auto& warning : json["doubts"]) out.warnings.push_back(problemFrom(warning));
    if (json.contains("losses")) {
        auto losses = lossesFrom(json["losses"]);
        if (!losses) return std::nullopt;
        out.losses = std::make_shared<const LossAccounts>(std::move(*losses));
    }
    return out;
} catch (const std::exception&) { return std::nullopt; }

} // namespace trainyard
