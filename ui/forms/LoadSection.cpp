// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "forms/LoadSection.h"

#include "base/Format.h"
#include "forms/ParamForm.h"

#include <QLabel>
#include <QVBoxLayout>

#include <cmath>

namespace trainyard {

namespace load_section {

constexpr std::size_t mostSliders = 4;
constexpr const char* prefix = "gap-";
constexpr const char* exponent = "exponent";

} // namespace load_section

LoadSection::LoadSection(ScenarioModel& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_form(new ParamForm), m_more(new QLabel) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto* heading = new QLabel(tr("Load"));
    heading->setProperty("heading", true);
    heading->setToolTip(tr("How fast do jobs arrive, and how unevenly do they use their keys?"));
    column->addWidget(heading);
    column->addWidget(m_form);
    m_more->setProperty("muted", true);
    m_more->setWordWrap(true);
    column->addWidget(m_more);
    column->addSpacing(12);
    connect(m_form, &ParamForm::edited, this, &LoadSection::edit);
    connect(m_form, &ParamForm::dragBegan, this, [this] { m_gesture = m_document.beginGesture(); });
    connect(m_form, &ParamForm::dragEnded, this, [this] { m_gesture = 0; });
    connect(&document, &ScenarioModel::documentReplaced, this, [this] { m_spans.clear(); });
}

/// From a tenth to ten times of the gap, rounded to its first digit.
LoadSection::Span LoadSection::around(double gap) {
    const double unit = std::pow(10.0, std::floor(std::log10(gap))), rounded = std::round(gap / unit) * unit;
    return {rounded / 10, rounded * 10, gap};
}

ParamField LoadSection::fieldOf(const std::string& key, const JobGenerator& generator, const Span& span) const {
    const bool isFixed = generator.arrivals == JobGenerator::Arrivals::fixed;
    const QString label = isFixed ? tr("Gap between arrivals") : tr("Mean gap between arrivals");
    return {.key = key,
            .label = label.toStdString(),
            .type = ParamType::real,
            .unit = "s",
            .minimum = span.least,
            .maximum = 1e9,
            .defaultValue = span.first,
            .help =
                tr("Of the jobs that the generator %1 makes.").arg(QString::fromStdString(generator.key)).toStdString(),
            .effect = tr("Fewer jobs at a time: a lower load.").toStdString(),
            .logarithmic = true,
            .usual = span.most};
}

std::vector<EntityRef> LoadSection::keyedJobs() const {
    std::vector<EntityRef> out;
    const auto& jobs = m_document.scenario().jobs;
    for (std::size_t j = 0; j < jobs.size(); ++j)
        if (jobs[j].keyedAccess() && !jobs[j].keyedAccess()->task) out.push_back({EntityRef::Kind::job, j});
    return out;
}

ParamField LoadSection::exponentField(std::size_t jobs) const {
    return {.key = load_section::exponent,
            .label = tr("Skew of the keys (exponent)").toStdString(),
            .type = ParamType::real,
            .maximum = 20,
            .defaultValue = KeyedAccess{}.exponent,
            .help =
                tr("The key of rank r is drawn in proportion to 1/r to this power, by %n keyed job(s); 0: all alike.",
                   nullptr, static_cast<int>(jobs))
                    .toStdString(),
            .effect = tr("A few keys are drawn more and more often.").toStdString(),
            .usual = 2};
}

void LoadSection::refresh() {
    using namespace load_section;
    std::vector<ParamField> fields;
    ParamValues values;
    std::map<std::string, Span> spans;
    const auto& generators = m_document.scenario().generators;
    int more = 0;
    for (std::size_t g = 0; g < generators.size(); ++g) {
        const double gap = generators[g].meanInterarrivalSeconds;
        if (generators[g].arrivals == JobGenerator::Arrivals::trace || !(gap > 0) || !std::isfinite(gap)) continue;
        if (fields.size() == mostSliders) {
            ++more;
            continue;
        }
        const std::string key = prefix + std::to_string(g);
        const auto kept = m_spans.find(key);
        const bool isKept = kept != m_spans.end() && (m_gesture != 0 || kept->second.holds(gap));
        spans[key] = isKept ? kept->second : around(gap);
        fields.push_back(fieldOf(key, generators[g], spans[key]));
        values[key] = gap;
    }
    if (const auto jobs = keyedJobs(); !jobs.empty()) {
        fields.push_back(exponentField(jobs.size()));
        values[exponent] = m_document.scenario().jobs[jobs.front().index].keyedAccess()->exponent;
    }
    m_spans = std::move(spans);
    setVisible(!fields.empty());
    m_more->setVisible(more > 0);
    m_more->setText(tr("%n more generators: select them to change how fast their jobs arrive.", nullptr, more));
    m_form->show(ParamSchema(std::move(fields)), values);
}

void LoadSection::edit(const std::string& key, const ParamValue& value) {
    if (key == load_section::exponent) {
        if (const auto* number = std::get_if<double>(&value))
            m_document.setField(keyedJobs(), "/keyed/exponent", formatNumber(*number), m_gesture);
        return;
    }
    const std::size_t g = std::stoul(key.substr(std::string(load_section::prefix).size()));
    const auto* gap = std::get_if<double>(&value);
    if (!gap || g >= m_document.scenario().generators.size()) return;
    const bool isFixed = m_document.scenario().generators[g].arrivals == JobGenerator::Arrivals::fixed;
    m_document.setField({{EntityRef::Kind::generator, g}}, isFixed ? "/gap_s" : "/mean_gap_s", formatNumber(*gap),
                        m_gesture);
}

} // namespace trainyard
