// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "session/ViewSubject.h"

namespace trainyard {

SubjectView viewOf(const HistorySubject& subject) {
    const std::string id = subject.view().toStdString();
    SubjectView out{.view = findView(id), .options = {}, .job = {}, .problem = {}};
    if (!out.view) {
        out.problem = {TRAINYARD_TEXT("There is no view \"{0}\" in this version."), {id}};
        return out;
    }
    std::vector<std::string> words;
    for (const auto& [name, value] : subject.options())
        if (name == QLatin1String("job"))
            out.job = value;
        else
            words.push_back((name + u'=' + value).toStdString());
    if (auto options = optionsFrom(*out.view, words))
        out.options = std::move(options).value();
    else
        out.problem = options.problems().front().message;
    return out;
}

HistorySubject viewSubject(const View& view, const ParamValues& options, const QString& job) {
    HistorySubject::Options words;
    if (!job.isEmpty()) words.emplace_back(QStringLiteral("job"), job);
    for (const auto& [name, value] : options) {
        const ParamField* field = view.options.find(name);
        if (!field || field->defaultValue != value)
            words.emplace_back(QString::fromStdString(name), QString::fromStdString(toString(value)));
    }
    return HistorySubject::of(QString::fromStdString(view.id), words);
}

} // namespace trainyard
