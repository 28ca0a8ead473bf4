#include "session/ScenarioModel.h"

#include "session/ScenarioEdit.h"
#include "theme/CoreText.h"

#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace trainyard {

namespace {

template <class T>
void pushEdit(ScenarioModel& model, const QString& text, typename ScenarioEdit<T>::Part part, T after,
              ScenarioModel::Changes changes, ScenarioModel::Gesture gesture = 0) {
    auto edit =
        std::make_unique<ScenarioEdit<T>>(model, text, std::move(part), std::move(after), changes, gesture);
    if (edit->changesNothing() && gesture == 0) return;
    model.undoStack().push(edit.release());
}

template <class Entities>
auto* entityByKey(Entities& entities, const std::string& key) {
    const auto it =
        std::find_if(entities.begin(), entities.end(), [&](const auto& e) { return e.key == key; });
    return it == entities.end() ? nullptr : &*it;
}

std::optional<Position>* placeOf(Cluster& cluster, const std::string& key) {
    if (auto* m = entityByKey(cluster.machines, key)) return &m->position;
    if (auto* s = entityByKey(cluster.switches, key)) return &s->position;
    return nullptr;
}

std::string* nameOf(Cluster& cluster, const std::string& key) {
    if (auto* m = entityByKey(cluster.machines, key)) return &m->name;
    if (auto* r = entityByKey(cluster.racks, key)) return &r->name;
    if (auto* s = entityByKey(cluster.switches, key)) return &s->name;
    return nullptr;
}

} // namespace

ScenarioModel::ScenarioModel(std::shared_ptr<const Registry> registry, QObject* parent)
    : QObject(parent), m_registry(std::move(registry)) {
    connect(&m_undo, &QUndoStack::cleanChanged, this, &ScenarioModel::fileChanged);
}

std::shared_ptr<const Scenario> ScenarioModel::share() const {
    return std::make_shared<const Scenario>(m_scenario);
}

QString ScenarioModel::displayName() const {
    if (!m_path.isEmpty()) return QFileInfo(m_path).fileName();
    return m_scenario.title.empty() ? tr("Untitled") : QString::fromStdString(m_scenario.title);
}

bool ScenarioModel::open(const QString& path) {
    auto loaded = readScenario(QFileInfo(path).filesystemAbsoluteFilePath(), *m_registry);
    if (!loaded.ok()) {
        setProblems(loaded.problems());
        return false;
    }
    m_canonical = loaded->canonical && loaded->version == Scenario::formatVersion;
    const bool canonical = m_canonical;
    auto lines = std::move(loaded->lines);
    replace(std::move(loaded->scenario), QFileInfo(path).absoluteFilePath(), false);
    m_canonical = canonical;
    m_lines = std::move(lines);
    setProblems(loaded.problems());
    return true;
}

void ScenarioModel::replace(Scenario scenario, const QString& path, bool modified) {
    m_undo.clear();
    if (modified) m_undo.resetClean();
    m_scenario = std::move(scenario);
    m_path = path;
    m_canonical = true;
    m_lines.clear();
    setProblems({});
    Q_EMIT documentReplaced();
    Q_EMIT fileChanged();
}

bool ScenarioModel::saveAs(const QString& path) {
    const auto failed = [&](const QString& why) {
        setProblems({{.code = "cannot-write",
                      .message = {TRAINYARD_TEXT("the file could not be written: {0}"), {why.toStdString()}},
                      .file = path.toStdString()}});
        return false;
    };
    if (path.isEmpty()) return failed(tr("it has no name yet"));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return failed(file.errorString());
    const std::string text = writeScenario(m_scenario);
    file.write(text.data(), static_cast<qint64>(text.size()));
    if (!file.commit()) return failed(file.errorString());
    m_path = QFileInfo(path).absoluteFilePath();
    m_canonical = true;
    m_lines.clear();
    m_undo.setClean();
    Q_EMIT fileChanged();
    return true;
}

bool ScenarioModel::validate() {
    Problems problems = validateScenario(m_scenario, *m_registry);
    for (auto& p : problems) {
        p.file = m_path.toStdString();
        if (const auto it = m_lines.find(p.pointer); it != m_lines.end() && p.line == 0) p.line = it->second;
    }
    const bool runs = !hasErrors(problems);
    setProblems(std::move(problems));
    return runs;
}

void ScenarioModel::choosePolicy(PolicyFamily family, const Choice& choice) {
    const PolicyInfo* info = m_registry->find(family, choice.id);
    const QString label = info ? coreText(info->label) : QString::fromStdString(choice.id);
    pushEdit<Choice>(*this, tr("Choose %1").arg(label),
                     {.target = {},
                      .get = [family](const Scenario& s) { return s.policies.of(family); },
                      .set = [family](Scenario& s, const Choice& c) { s.policies.of(family) = c; }},
                     choice, policies);
}

void ScenarioModel::setPolicyParameter(PolicyFamily family, const std::string& key, const ParamValue& value,
                                       Gesture gesture) {
    Choice after = m_scenario.policies.of(family);
    const PolicyInfo* info = m_registry->find(family, after.id);
    const ParamField* field = info ? info->schema.find(key) : nullptr;
    if (field && field->defaultValue == value)
        after.parameters.erase(key); // files name only what differs
    else
        after.parameters.insert_or_assign(key, value);
    const QString label = field ? coreText(field->label) : QString::fromStdString(key);
    pushEdit<Choice>(
        *this, tr("Change %1").arg(label),
        {.target =
             QStringLiteral("policy/%1/%2").arg(static_cast<int>(family)).arg(QString::fromStdString(key)),
         .get = [family](const Scenario& s) { return s.policies.of(family); },
         .set = [family](Scenario& s, const Choice& c) { s.policies.of(family) = c; }},
        after, policies, gesture);
}

void ScenarioModel::setSeed(std::uint64_t seed, Gesture gesture) {
    pushEdit<std::uint64_t>(*this, tr("Change seed"),
                            {.target = QStringLiteral("seed"),
                             .get = [](const Scenario& s) { return s.seed; },
                             .set = [](Scenario& s, const std::uint64_t& v) { s.seed = v; }},
                            seed, settings, gesture);
}

void ScenarioModel::setMode(RunMode mode) {
    pushEdit<RunMode>(*this, mode == RunMode::execute ? tr("Execute for real") : tr("Simulate"),
                      {.target = {},
                       .get = [](const Scenario& s) { return s.mode; },
                       .set = [](Scenario& s, const RunMode& v) { s.mode = v; }},
                      mode, settings);
}

void ScenarioModel::setNetworkModel(NetworkModel network) {
    pushEdit<NetworkModel>(*this, tr("Change network model"),
                           {.target = {},
                            .get = [](const Scenario& s) { return s.network; },
                            .set = [](Scenario& s, const NetworkModel& v) { s.network = v; }},
                           network, settings);
}

void ScenarioModel::setTitle(const QString& title) {
    pushEdit<std::string>(*this, tr("Change title"),
                          {.target = {},
                           .get = [](const Scenario& s) { return s.title; },
                           .set = [](Scenario& s, const std::string& v) { s.title = v; }},
                          title.toStdString(), texts);
}

void ScenarioModel::setNotes(const QString& notes) {
    pushEdit<std::string>(*this, tr("Change notes"),
                          {.target = {},
                           .get = [](const Scenario& s) { return s.notes; },
                           .set = [](Scenario& s, const std::string& v) { s.notes = v; }},
                          notes.toStdString(), texts);
}

void ScenarioModel::moveEntities(const QHash<QString, Position>& places, Gesture gesture) {
    using Places = std::map<std::string, std::optional<Position>>;
    Places after;
    for (auto it = places.begin(); it != places.end(); ++it)
        after.emplace(it.key().toStdString(), it.value());
    QStringList keys;
    for (const auto& [key, place] : after) keys << QString::fromStdString(key);
    const auto get = [names = after](const Scenario& s) {
        Places now;
        Cluster& cluster = const_cast<Scenario&>(s).cluster; // read only; placeOf serves both directions
        for (const auto& [key, unused] : names)
            if (const auto* place = placeOf(cluster, key)) now.emplace(key, *place);
        return now;
    };
    const auto set = [](Scenario& s, const Places& v) {
        for (const auto& [key, place] : v)
            if (auto* to = placeOf(s.cluster, key)) *to = place;
    };
    const auto count = static_cast<int>(places.size());
    pushEdit<Places>(
        *this, count == 1 ? tr("Move %1").arg(keys.first()) : tr("Move %1 things").arg(count),
        {.target = QStringLiteral("move/") + keys.join(QLatin1Char(' ')), .get = get, .set = set},
        std::move(after), layout, gesture);
}

void ScenarioModel::renameEntity(const QString& key, const QString& name) {
    pushEdit<std::string>(*this, tr("Rename %1").arg(key),
                          {.target = {},
                           .get =
                               [k = key.toStdString()](const Scenario& s) {
                                   const std::string* n = nameOf(const_cast<Scenario&>(s).cluster, k);
                                   return n ? *n : std::string();
                               },
                           .set =
                               [k = key.toStdString()](Scenario& s, const std::string& v) {
                                   if (std::string* n = nameOf(s.cluster, k)) *n = v;
                               }},
                          name.toStdString(), Changes(texts) | layout);
}

bool ScenarioModel::hasChanged(Gesture gesture) const {
    const QUndoCommand* last = m_undo.command(m_undo.index() - 1);
    return last && gesture != 0 && last->id() == gesture;
}

void ScenarioModel::applied(Changes changes, Gesture gesture) {
    Q_EMIT edited(changes, gesture);
}

void ScenarioModel::setProblems(Problems problems) {
    if (m_problems == problems) return;
    m_problems = std::move(problems);
    Q_EMIT problemsChanged();
}

} // namespace trainyard
