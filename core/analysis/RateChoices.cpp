#include "analysis/RateChoices.h"

#include "analysis/RunIndex.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace rate_choices {

std::optional<double> numberOf(const Candidate& candidate, const char* name) {
    for (const NamedNumber& number : candidate.numbers)
        if (number.name == name) return number.value;
    return std::nullopt;
}

std::optional<RateOption> optionOf(const Candidate& candidate) {
    const auto slope = numberOf(candidate, "slope"), floor = numberOf(candidate, "floor"),
               cost = numberOf(candidate, "cost of an update"), k = numberOf(candidate, "k"),
               load = numberOf(candidate, "load");
    if (!slope || !floor || !cost || !k || !load || !(*slope > 0)) return std::nullopt;
    return RateOption{static_cast<int>(*k), *load, *cost, *floor, {*slope, -*slope * *floor}};
}

} // namespace rate_choices

double RateChoice::errorAfter(std::uint64_t updates) const {
    const RateOption& option = options[chosen];
    return option.floor +
           std::exp(-option.line.slope * option.cost * static_cast<double>(updates)) * (error - option.floor);
}

std::optional<RateChoice> rateChoice(const Explanation& why, std::uint32_t index) {
    using namespace rate_choices;
    if (why.family != PolicyFamily::synchronization || why.criterion != "rate" || why.chosen.size() != 1)
        return std::nullopt;
    RateChoice out{.at = why.time, .job = why.job, .explanation = index};
    std::vector<RateLine> lines;
    bool found = false;
    for (std::size_t i = 0; i < why.candidates.size(); ++i) {
        const auto option = optionOf(why.candidates[i]);
        if (!option) continue; // not one that could be taken
        if (i == why.chosen.front()) {
            found = true;
            out.chosen = out.options.size();
            out.error = option->floor + *numberOf(why.candidates[i], "rate") / option->line.slope;
        }
        out.options.push_back(*option);
        lines.push_back(option->line);
    }
    if (!found) return std::nullopt;
    out.envelope = upperEnvelope(lines);
    return out;
}

void RateChoices::catchUp() const {
    if (!m_explanations) return;
    while (const auto why = m_explanations->at(m_seen))
        if (auto choice = rateChoice(*why, static_cast<std::uint32_t>(m_seen++)))
            m_choices.push_back(std::make_shared<const RateChoice>(std::move(*choice)));
}

std::shared_ptr<const RateChoices> rateChoicesOf(const RunIndex& run) {
    static const std::string name = "all";
    if (auto known = run.memo()->find<RateChoices>(name)) return known;
    return run.memo()->keep(
        name, std::shared_ptr<const RateChoices>(std::make_shared<RateChoices>(run.source().explanations)));
}

std::shared_ptr<const RateChoice> RateChoices::of(std::uint32_t explanation) const {
    const std::scoped_lock lock(m_mutex);
    catchUp();
    const auto it = std::lower_bound(m_choices.begin(), m_choices.end(), explanation,
                                     [](const auto& c, std::uint32_t i) { return c->explanation < i; });
    return it != m_choices.end() && (*it)->explanation == explanation ? *it : nullptr;
}

std::vector<std::shared_ptr<const RateChoice>> RateChoices::ofJob(JobId job) const {
    const std::scoped_lock lock(m_mutex);
    catchUp();
    std::vector<std::shared_ptr<const RateChoice>> out;
    std::copy_if(m_choices.begin(), m_choices.end(), std::back_inserter(out),
                 [&](const auto& c) { return c->job == job; });
    return out;
}

} // namespace trainyard
