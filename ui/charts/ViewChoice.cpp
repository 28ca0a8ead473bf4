#include "charts/ViewChoice.h"

#include "analysis/RunIndex.h"
#include "base/Format.h"

#include <algorithm>

namespace trainyard {

bool concernsRun(const View& view, const RunIndex* run) {
    if (!run || !view.concerns) return true;
    for (std::size_t j = 0; j < run->jobs().size(); ++j)
        if (view.concerns(*run, JobId(j))) return true;
    return false;
}

std::optional<ParamValue> optionValue(const ParamField& field, const QString& text) {
    ParamValue value = text.toStdString();
    if (field.type == ParamType::boolean) {
        if (text != QLatin1String("true") && text != QLatin1String("false")) return std::nullopt;
        value = text == QLatin1String("true");
    } else if (field.type != ParamType::choice) {
        const auto number = parseNumber(text.toStdString());
        if (!number) return std::nullopt;
        value = *number;
        if (field.type == ParamType::integer) value = static_cast<std::int64_t>(*number);
    }
    const Problems problems = ParamSchema({field}).check({{field.key, value}});
    return hasErrors(problems) ? std::nullopt : std::optional(value);
}

JobId jobOfKey(const Workload& workload, const QString& key) {
    for (std::size_t j = 0; j < workload.jobs.size(); ++j)
        if (QString::fromStdString(workload.jobs[j].key) == key) return JobId(j);
    return {};
}

} // namespace trainyard
