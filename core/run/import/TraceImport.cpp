// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "run/import/TraceImport.h"

#include "base/CsvTable.h"
#include "base/Format.h"
#include "base/ReadableName.h"
#include "base/Utf8.h"
#include "model/Topologies.h"
#include "run/import/Importer.h"
#include "scenario/Decimal.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

namespace trainyard {

namespace trace_import {

constexpr std::size_t mostProblems = 20;
constexpr double latestSeconds = 9e9, longestSeconds = 9e9; // as scenarios may say
constexpr double shortestSeconds = 1e-9;                    // of which times are whole multiples

struct TraceJob {
    int line = 0;
    std::int64_t submitted = 0; ///< nanoseconds, as the trace counts them
    std::string_view time;      ///< the same as written
    int gpus = 1;
    double seconds = 1;
    std::string name; ///< in the trace; empty: it has none
};

/// A date and a time of day; without a zone it counts as of UTC.
struct Moment {
    std::int64_t ns = 0; ///< since 1970
    bool hasZone = false;
    std::string_view unknownZone; ///< a zone that is none of those known; empty: there is no such
};

/// East of Greenwich, of "Z", "UTC", "GMT", the zones of North America as in RFC 5322, section 4.3, and offsets: "-0700", "+05:30", "+01".
std::optional<int> zoneSeconds(std::string_view zone) {
    constexpr std::array<std::pair<std::string_view, int>, 11> known{{{"Z", 0},
                                                                      {"UTC", 0},
                                                                      {"GMT", 0},
                                                                      {"EST", -5},
                                                                      {"EDT", -4},
                                                                      {"CST", -6},
                                                                      {"CDT", -5},
                                                                      {"MST", -7},
                                                                      {"MDT", -6},
                                                                      {"PST", -8},
                                                                      {"PDT", -7}}};
    for (const auto& [name, hours] : known)
        if (zone == name) return hours * 3600;
    if (zone.front() != '+' && zone.front() != '-') return std::nullopt;
    std::string digits(zone.substr(1));
    if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    if ((digits.size() != 2 && digits.size() != 4) || !std::ranges::all_of(digits, isDigit)) return std::nullopt;
    const auto pair = [&](std::size_t at) { return (digits[at] - '0') * 10 + digits[at + 1] - '0'; };
    const int hours = pair(0), minutes = digits.size() == 4 ? pair(2) : 0;
    if (hours > 14 || minutes > 59) return std::nullopt;
    return (zone.front() == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
}

/// Nanoseconds of a number of seconds from 0 to latestSeconds, exactly as it is written.
std::int64_t nanoseconds(std::string_view text, double seconds) {
    const auto written = Decimal::parse(text);
    return written ? written->shifted(9).toInteger().value_or(0) : std::llround(seconds * 1e9);
}

/// "2017-10-09 07:01:55", with T in place of the space, a fraction of the second and a zone if need be; days and months that do not
/// exist are none.
std::optional<Moment> momentIn(std::string_view text) {
    constexpr std::size_t length = 19;
    if (text.size() < length || text[4] != '-' || text[7] != '-' || (text[10] != ' ' && text[10] != 'T') ||
        text[13] != ':' || text[16] != ':')
        return std::nullopt;
    std::array<int, 6> n{};
    constexpr std::array<std::pair<std::size_t, std::size_t>, 6> parts{
        {{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}, {17, 2}}};
    for (std::size_t p = 0; p < parts.size(); ++p)
        for (std::size_t i = 0; i < parts[p].second; ++i) {
            const char c = text[parts[p].first + i];
            if (c < '0' || c > '9') return std::nullopt;
            n[p] = n[p] * 10 + (c - '0');
        }
    const std::chrono::year_month_day day{std::chrono::year(n[0]), std::chrono::month(static_cast<unsigned>(n[1])),
                                          std::chrono::day(static_cast<unsigned>(n[2]))};
    if (!day.ok() || n[3] > 23 || n[4] > 59 || n[5] > 59) return std::nullopt;
    std::string_view rest = text.substr(length);
    std::int64_t fraction = 0;
    if (rest.starts_with('.')) {
        const std::size_t end = std::min(rest.find_first_not_of("0123456789", 1), rest.size());
        if (end < 2) return std::nullopt;
        fraction = nanoseconds("0" + std::string(rest.substr(0, end)), 0);
        rest.remove_prefix(end);
    }
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const auto days = std::chrono::sys_days(day).time_since_epoch().count();
    Moment out{.hasZone = !rest.empty()};
    std::int64_t seconds = static_cast<std::int64_t>(days) * 86400 + n[3] * 3600 + n[4] * 60 + n[5];
    if (out.hasZone) {
        const auto east = zoneSeconds(rest);
        if (!east) out.unknownZone = rest;
        seconds -= east.value_or(0);
    }
    if (seconds < 0 || static_cast<double>(seconds) > latestSeconds) return std::nullopt;
    out.ns = seconds * 1'000'000'000 + fraction;
    return out;
}

class TraceReader {
public:
    TraceReader(TraceFormat format, const CsvTable& table, const TraceOptions& options)
        : m_isPhilly(format == TraceFormat::philly), m_table(table), m_options(options) {}

    /// In order of submission. Problems are in problems().
    std::vector<TraceJob> read() {
        if (m_table.rows.empty()) {
            report(m_table.lines, TRAINYARD_TEXT("there are no rows in it"), {});
            return {};
        }
        if (!findColumns()) return {};
        for (std::size_t r = 1; r < m_table.rows.size() && m_errors < mostProblems; ++r) row(m_table.rows[r]);
        if (m_jobs.empty() && m_errors == 0)
            report(m_table.lines, TRAINYARD_TEXT("there are no jobs in it{0}"),
                   {m_options.cluster.empty() ? "" : " of cluster \"" + m_options.cluster + "\""});
        if (m_unsorted > 0)
            warn(m_firstUnsorted,
                 TRAINYARD_TEXT("{0} rows come after later ones, this one first: they are sorted by time"),
                 {std::to_string(m_unsorted)});
        if (m_withoutGpus > 0)
            warn(m_firstWithoutGpus, TRAINYARD_TEXT("{0} rows ask for 0 GPUs, this one first: they are left out"),
                 {std::to_string(m_withoutGpus)});
        std::stable_sort(m_jobs.begin(), m_jobs.end(),
                         [](const TraceJob& a, const TraceJob& b) { return a.submitted < b.submitted; });
        return std::move(m_jobs);
    }
    Problems problems() { return std::move(m_problems); }
    bool failed() const { return m_errors > 0; }
    std::size_t withoutGpus() const { return m_withoutGpus; } ///< rows that are left out

private:
    void report(int line, const char* pattern, std::vector<std::string> arguments) {
        ++m_errors;
        m_problems.push_back(m_table.problemAt(line, {pattern, std::move(arguments)}));
    }
    void warn(int line, const char* pattern, std::vector<std::string> arguments) {
        m_problems.push_back(m_table.problemAt(line, {pattern, std::move(arguments)}));
        m_problems.back().severity = Severity::warning;
    }

    bool findColumns() {
        const CsvTable::Row& header = m_table.rows.front();
        m_width = header.cells.size();
        const auto column = [&](const char* name, bool needed) {
            const std::size_t at = m_table.columnNamed(name);
            if (at == m_width && needed)
                report(header.line, TRAINYARD_TEXT("there is no column \"{0}\"; the line has {1}"),
                       {name, joinedCells(header)});
            if (std::ranges::count(header.cells, std::string_view(name)) > 1)
                report(header.line, TRAINYARD_TEXT("the column \"{0}\" is there more than once"), {name});
            return at;
        };
        m_time = column(m_isPhilly ? "timestamp" : "submit_time", true);
        m_duration = column("duration", true);
        m_gpus = column(m_isPhilly ? "num_gpus" : "num_gpu", true);
        m_name = column("job_id", false);
        m_cluster = column("cluster", m_isPhilly && !m_options.cluster.empty());
        return m_errors == 0;
    }

    void row(const CsvTable::Row& row) {
        if (row.cells.size() != m_width)
            return report(row.line, TRAINYARD_TEXT("the line has {0} values, those before it {1}"),
                          {std::to_string(row.cells.size()), std::to_string(m_width)});
        if (m_isPhilly && !m_options.cluster.empty() && row.cells[m_cluster] != m_options.cluster) return;
        TraceJob job{.line = row.line};
        if (!gpus(row, job) || !submission(row, job) || !duration(row, job)) return;
        if (m_name < m_width && !row.cells[m_name].empty()) {
            job.name = std::string(row.cells[m_name]);
            if (firstInvalidUtf8(job.name) < job.name.size())
                return report(
                    row.line,
                    TRAINYARD_TEXT("the name of the job is not UTF-8; iconv -f ENCODING -t UTF-8 converts the file"),
                    {});
            const auto [first, isNew] = m_lineOf.try_emplace(job.name, row.line);
            if (!isNew)
                return report(row.line, TRAINYARD_TEXT("job \"{0}\" is in line {1} already"),
                              {job.name, std::to_string(first->second)});
        }
        if (job.submitted < m_latest && m_unsorted++ == 0) m_firstUnsorted = row.line;
        m_latest = std::max(m_latest, job.submitted);
        m_jobs.push_back(std::move(job));
    }

    bool submission(const CsvTable::Row& row, TraceJob& job) {
        job.time = row.cells[m_time];
        if (m_isPhilly) return moment(row, job);
        const auto seconds = parseNumber(job.time);
        if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > latestSeconds) {
            report(row.line, TRAINYARD_TEXT("\"{0}\" is not a time; seconds from 0 to 9e9 are required"),
                   {std::string(job.time)});
            return false;
        }
        job.submitted = nanoseconds(job.time, *seconds);
        return true;
    }

    bool moment(const CsvTable::Row& row, TraceJob& job) {
        const std::string time(job.time);
        const auto moment = momentIn(job.time);
        if (!moment) {
            report(row.line, TRAINYARD_TEXT("\"{0}\" is not a time; one like 2017-10-09 07:01:55 is needed"), {time});
            return false;
        }
        if (!moment->unknownZone.empty()) {
            report(row.line,
                   TRAINYARD_TEXT("the zone \"{0}\" is not known; known are UTC, GMT, Z, those of North America (PST, "
                                  "PDT …) and offsets such as -07:00"),
                   {std::string(moment->unknownZone)});
            return false;
        }
        if (!m_hasZones) m_hasZones = moment->hasZone;
        if (*m_hasZones != moment->hasZone) {
            report(row.line,
                   *m_hasZones ? TRAINYARD_TEXT("the time \"{0}\" has no zone; those before it have one")
                               : TRAINYARD_TEXT("the time \"{0}\" has a zone; those before it have none"),
                   {time});
            return false;
        }
        job.submitted = moment->ns;
        return true;
    }

    bool duration(const CsvTable::Row& row, TraceJob& job) {
        const std::string duration(row.cells[m_duration]);
        const auto seconds = parseNumber(duration);
        if (!seconds || !std::isfinite(*seconds) || *seconds < 0 || *seconds > longestSeconds) {
            report(row.line, TRAINYARD_TEXT("\"{0}\" is no duration; seconds from 0 to 9e9 are needed"), {duration});
            return false;
        }
        job.seconds = *seconds;
        if (*seconds >= shortestSeconds) return true;
        job.seconds = 1;
        if (m_short++ < mostProblems) warn(row.line, TRAINYARD_TEXT("a duration of {0} s counts as 1 s"), {duration});
        return true;
    }

    bool gpus(const CsvTable::Row& row, TraceJob& job) {
        const std::string text(row.cells[m_gpus]);
        const auto number = parseNumber(text);
        const double all = static_cast<double>(m_options.machines) * m_options.gpus;
        if (number && *number == 0) {
            if (m_withoutGpus++ == 0) m_firstWithoutGpus = row.line;
            return false;
        }
        if (!number || !(*number >= 1) || *number != std::floor(*number)) {
            report(row.line, TRAINYARD_TEXT("\"{0}\" is no number of GPUs; a whole one from 1 on is needed"), {text});
            return false;
        }
        if (*number > all) {
            report(row.line, TRAINYARD_TEXT("the job asks for {0} GPUs; the cluster has {1}"),
                   {text, formatNumber(all)});
            return false;
        }
        job.gpus = static_cast<int>(*number);
        return true;
    }

    bool m_isPhilly;
    const CsvTable& m_table;
    const TraceOptions& m_options;
    std::size_t m_width = 0, m_time = 0, m_duration = 0, m_gpus = 0, m_name = 0, m_cluster = 0;
    std::vector<TraceJob> m_jobs;
    std::map<std::string, int> m_lineOf;
    std::int64_t m_latest = 0;
    std::optional<bool> m_hasZones; ///< as the first time has one
    std::size_t m_unsorted = 0, m_withoutGpus = 0, m_short = 0, m_errors = 0;
    int m_firstUnsorted = 0, m_firstWithoutGpus = 0;
    Problems m_problems;
};

Result<RecordedCurve> curveIn(const std::filesystem::path& file, const std::string& name) {
    const auto table = readCsvTable(file);
    if (!table) return table.problems();
    RecordedCurve out{.key = readableName(name.empty() ? file.stem().string() : name)};
    for (std::size_t r = 0; r < table->rows.size(); ++r) {
        const CsvTable::Row& row = table->rows[r];
        const bool pair = row.cells.size() == 2;
        const auto update = pair ? parseNumber(row.cells[0]) : std::nullopt;
        const auto loss = pair ? parseNumber(row.cells[1]) : std::nullopt;
        if (r == 0 && pair && !update && !loss) continue; // names
        const double least = out.updates.empty() ? 0 : std::nextafter(out.updates.back(), INFINITY);
        if (!update || !loss || !std::isfinite(*update) || !std::isfinite(*loss) ||
            (out.updates.empty() ? *update != 0 : *update < least))
            return table->problemAt(
                row.line,
                {TRAINYARD_TEXT("a point of a loss curve is an update, from 0 on and rising, and a loss"), {}});
        out.updates.push_back(*update);
        out.losses.push_back(*loss);
    }
    if (out.updates.empty()) return table->problemAt(table->lines, {TRAINYARD_TEXT("there are no points in it"), {}});
    return out;
}

/// Its duration in iterations of a second, or so much more that a whole number of them fills it.
Job jobOf(const TraceJob& from, const std::string& key, std::int64_t origin, const RecordedCurve* curve) {
    Job job{.key = key, .name = readableName(from.name), .arrival = SimTime{from.submitted - origin}};
    job.workerDemand = ResourceVector::of({1});
    job.workers = {from.gpus, from.gpus};
    job.servers = {0, 0};
    const double iterations = std::max(1.0, std::floor(from.seconds));
    job.stop.iterations = static_cast<std::int64_t>(iterations);
    AnalyticWork work{.parameterBytes = 0, .batch = 1, .secondsPerSample = from.seconds / iterations};
    work.curve.a = 0; // the trace knows no losses
    work.evaluation.everyIterations = *job.stop.iterations;
    if (curve) {
        work.curve.family = LossCurve::Family::recorded;
        work.curve.name = curve->key;
        work.evaluation.everyIterations = 1;
    }
    job.work = work;
    return job;
}

/// What the notes say of the jobs and of what was left out.
struct Imported {
    std::vector<TraceJob> jobs; ///< at least one, by time
    std::size_t withoutGpus = 0;
};

void describe(Scenario& scenario, TraceFormat format, const std::filesystem::path& file, const TraceOptions& options,
              const Imported& imported) {
    const char* name = format == TraceFormat::philly ? "Philly" : "Tiresias";
    scenario.title = std::string(name) + " trace " + (options.name.empty() ? file.filename().string() : options.name);
    scenario.notes = "Imported by trainyard-cli import: " + std::to_string(scenario.jobs.size()) +
                     " jobs, one worker per GPU on " + std::to_string(options.machines) + " machines of " +
                     std::to_string(options.gpus) +
                     " GPUs, anywhere; a second of the trace is an iteration of one second, parameters have no bytes.";
    const auto isWhole = [](const TraceJob& job) { return job.seconds == std::floor(job.seconds); };
    if (!std::ranges::all_of(imported.jobs, isWhole))
        scenario.notes += " Iterations of durations that are no whole seconds are as much longer.";
    if (imported.jobs.front().submitted != 0)
        scenario.notes += " Time 0 is " + std::string(imported.jobs.front().time) + " in the trace.";
    if (imported.withoutGpus > 0)
        scenario.notes += " Rows that ask for no GPU are left out: " + std::to_string(imported.withoutGpus) + ".";
    if (!options.cluster.empty()) scenario.notes += " Virtual cluster " + options.cluster + " alone.";
    if (options.jobs > 0) scenario.notes += " The first " + std::to_string(options.jobs) + " jobs alone.";
    scenario.notes += options.curve.empty() ? " The trace has no losses, and none was attached."
                                            : " The trace has no losses: the curve \"" + scenario.curves.front().key +
                                                  "\" was attached by choice.";
}

} // namespace trace_import

Result<Scenario> importTrace(TraceFormat format, const std::filesystem::path& file, const TraceOptions& options) {
    using namespace trace_import;
    const auto table = readCsvTable(file);
    if (!table) return table.problems();
    TraceReader reader(format, *table, options);
    Imported imported{.jobs = reader.read(), .withoutGpus = reader.withoutGpus()};
    std::vector<TraceJob>& jobs = imported.jobs;
    if (reader.failed()) return reader.problems();
    if (options.jobs > 0 && jobs.size() > options.jobs) jobs.resize(options.jobs);
    Scenario scenario;
    if (!options.curve.empty()) {
        auto curve = curveIn(options.curve, options.curveName);
        if (!curve) return curve.problems();
        scenario.curves.push_back(std::move(curve).value());
    }
    scenario.network = NetworkModel::rate;
    scenario.explanations = WhyLevel::off;
    TopologyParts parts;
    parts.resourceNames = {"gpu"};
    parts.capacity = ResourceVector::of({static_cast<double>(options.gpus)});
    scenario.cluster = starCluster(options.machines, parts);
    const std::int64_t origin = jobs.front().submitted;
    const std::size_t digits = std::to_string(jobs.size()).size();
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        std::string number = std::to_string(j + 1);
        number.insert(0, digits - number.size(), '0'); // keys order jobs that arrive together
        scenario.jobs.push_back(
            jobOf(jobs[j], "j" + number, origin, scenario.curves.empty() ? nullptr : &scenario.curves.front()));
        if (scenario.jobs.back().arrival.toSeconds() + jobs[j].seconds > scenario.horizonSeconds)
            scenario.horizonSeconds = latestSeconds; // the run ends there
    }
    describe(scenario, format, file, options, imported);
    return {std::move(scenario), reader.problems()};
}

Importer tiresiasImporter() {
    return {.name = "tiresias",
            .what = "a trace of a cluster, comma separated, columns num_gpu, submit_time, duration",
            .required = {"--machines", "--gpus"},
            .options = {"--jobs", "--curve"},
            .scenario = [](const ImportRequest& request) {
                return importTrace(TraceFormat::tiresias, request.file, request.trace);
            }};
}

Importer phillyImporter() {
    return {.name = "philly",
            .what = "a condensed Philly trace, comma separated, columns timestamp, duration, num_gpus, cluster",
            .required = {"--machines", "--gpus"},
            .options = {"--jobs", "--cluster", "--curve"},
            .scenario = [](const ImportRequest& request) {
                return importTrace(TraceFormat::philly, request.file, request.trace);
            }};
}

} // namespace trainyard
