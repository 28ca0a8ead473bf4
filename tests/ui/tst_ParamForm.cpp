// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Forms from declared fields: every field has a control that shows its value, keeps its range and says what
// was changed.
#include "forms/FieldRow.h"
#include "forms/FieldSlider.h"
#include "forms/ParamForm.h"
#include "policy/Registry.h"
#include "support/TestMain.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>

using namespace trainyard;

class tst_ParamForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void controlsFitTheirTypes();
    void showingIsNotEditing();
    void editsComeOutTyped();
    void outOfRangeIsRefused();
    void defaultsComeBack();
    void sliderAndFieldAgree();
    void slidersEndAtWhatIsUsual();
    void logarithmicSlidersGoBothWays();
    void dragIsAnnounced();
    void helpSaysRangeDefaultAndEffect();
    void sameFieldsKeepTheirControls();
    void everyPolicyRoundTrips();
};

namespace {

ParamSchema schema() {
    return ParamSchema({
        {.key = "k",
         .label = "Wait for",
         .type = ParamType::integer,
         .unit = "workers",
         .minimum = 1,
         .maximum = 8,
         .defaultValue = std::int64_t{4},
         .help = "How many.",
         .effect = "More means slower and less noise."},
        {.key = "rate",
         .label = "Rate",
         .type = ParamType::real,
         .unit = "1/s",
         .minimum = 1e-4,
         .maximum = 10,
         .defaultValue = 0.1,
         .help = "A rate.",
         .logarithmic = true},
        {.key = "on", .label = "Enabled", .type = ParamType::boolean, .defaultValue = true, .help = "Whether."},
        {.key = "how",
         .label = "How",
         .type = ParamType::choice,
         .defaultValue = std::string("b"),
         .choices = {"a", "b"},
         .help = "Which."},
    });
}

QLineEdit* lineOf(const ParamForm& form, const char* key) {
    return qobject_cast<QLineEdit*>(form.control(QLatin1String(key)));
}

FieldSlider* sliderOf(const ParamForm& form, const char* key) {
    return qobject_cast<FieldSlider*>(form.slider(QLatin1String(key)));
}

void type(QLineEdit* line, const char* text) {
    line->selectAll();
    QTest::keyClick(line, Qt::Key_Delete);
    QTest::keyClicks(line, QLatin1String(text));
    QTest::keyClick(line, Qt::Key_Return);
}

FieldInfo fieldOf(std::size_t index) {
    const ParamField field = schema().fields()[index];
    return trainyard::fieldOf(field, field.defaultValue);
}

struct Recorder {
    std::vector<std::pair<std::string, ParamValue>> edits;
    explicit Recorder(ParamForm& form) {
        QObject::connect(&form, &ParamForm::edited, &form,
                         [this](const std::string& key, const ParamValue& value) { edits.emplace_back(key, value); });
    }
};

} // namespace

void tst_ParamForm::controlsFitTheirTypes() {
    ParamForm form;
    form.show(schema(), {});
    const QLineEdit* k = lineOf(form, "k");
    QVERIFY(k);
    QCOMPARE(k->text(), QStringLiteral("4"));
    QCOMPARE(k->accessibleName(), QStringLiteral("Wait for"));
    QVERIFY(k->accessibleDescription().contains(QStringLiteral("workers")));
    QVERIFY(lineOf(form, "rate"));
    QVERIFY(qobject_cast<QCheckBox*>(form.control(QStringLiteral("on")))->isChecked());
    QCOMPARE(qobject_cast<QComboBox*>(form.control(QStringLiteral("how")))->currentText(), QStringLiteral("b"));
    QVERIFY(sliderOf(form, "k"));
    QVERIFY(!sliderOf(form, "on"));
    for (const char* key : {"k", "rate", "on", "how"})
        QVERIFY(form.control(QLatin1String(key))->focusPolicy() & Qt::TabFocus);
}

void tst_ParamForm::showingIsNotEditing() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {});
    form.show(schema(), {{"k", std::int64_t{7}}, {"rate", 2.5}, {"on", false}, {"how", std::string("a")}});
    QVERIFY(recorder.edits.empty());
    QCOMPARE(lineOf(form, "k")->text(), QStringLiteral("7"));
    QCOMPARE(lineOf(form, "rate")->text(), QStringLiteral("2.5"));
    QVERIFY(!qobject_cast<QCheckBox*>(form.control(QStringLiteral("on")))->isChecked());
    QCOMPARE(sliderOf(form, "k")->value(), 7);
}

void tst_ParamForm::editsComeOutTyped() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {});
    type(lineOf(form, "k"), "5");
    type(lineOf(form, "rate"), "0.25");
    qobject_cast<QCheckBox*>(form.control(QStringLiteral("on")))->click();
    QCOMPARE(recorder.edits.size(), std::size_t{3});
    QVERIFY(recorder.edits[0] == std::make_pair(std::string("k"), ParamValue(std::int64_t{5})));
    QVERIFY(recorder.edits[1] == std::make_pair(std::string("rate"), ParamValue(0.25)));
    QVERIFY(recorder.edits[2] == std::make_pair(std::string("on"), ParamValue(false)));
}

// What is out of range never comes out, and says so; the text stays to be mended.
void tst_ParamForm::outOfRangeIsRefused() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {});
    type(lineOf(form, "k"), "9");
    QVERIFY(recorder.edits.empty());
    QVERIFY(form.row(QStringLiteral("k"))->problem().text.contains(QStringLiteral("at most 8 workers")));
    form.show(schema(), {});
    QCOMPARE(lineOf(form, "k")->text(), QStringLiteral("9"));
    type(lineOf(form, "k"), "8");
    QCOMPARE(recorder.edits.size(), std::size_t{1});
    QVERIFY(form.row(QStringLiteral("k"))->problem().text.isEmpty());
}

void tst_ParamForm::defaultsComeBack() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {{"k", std::int64_t{7}}});
    type(lineOf(form, "k"), "");
    QVERIFY(recorder.edits.back() == std::make_pair(std::string("k"), ParamValue(std::int64_t{4})));
}

void tst_ParamForm::sliderAndFieldAgree() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {});
    FieldSlider* slider = sliderOf(form, "k");
    QCOMPARE(slider->maximum(), 8); // a stop for each
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(recorder.edits.size(), std::size_t{1});
    form.show(schema(), {recorder.edits[0]});
    QCOMPARE(lineOf(form, "k")->text(), QStringLiteral("5"));
}

void tst_ParamForm::slidersEndAtWhatIsUsual() {
    std::vector<ParamField> fields = schema().fields();
    fields[0].maximum = 100000;
    fields[0].usual = 6;
    ParamForm form;
    form.show(ParamSchema(fields), {});
    Recorder recorder(form);
    QCOMPARE(sliderOf(form, "k")->maximum(), 6);
    type(lineOf(form, "k"), "500"); // more may be typed, and stands
    QVERIFY(recorder.edits.back() == std::make_pair(std::string("k"), ParamValue(std::int64_t{500})));
    form.show(ParamSchema(fields), {{"k", std::int64_t{500}}});
    QCOMPARE(lineOf(form, "k")->text(), QStringLiteral("500"));
    QCOMPARE(sliderOf(form, "k")->value(), 6);
}

void tst_ParamForm::logarithmicSlidersGoBothWays() {
    const FieldInfo rate = fieldOf(1);
    QCOMPARE(FieldSlider::positionOf(rate, 1e-4), 0);
    QCOMPARE(FieldSlider::positionOf(rate, 10), FieldSlider::steps);
    // The middle of 1e-4 … 10 on a log scale is 10^-1.5 = 0.0316.
    QCOMPARE(FieldSlider::valueAt(rate, FieldSlider::steps / 2), 0.0316);
    for (int p = 0; p <= FieldSlider::steps; p += 50) {
        const double v = FieldSlider::valueAt(rate, p);
        QVERIFY(v >= rate.minimum && v <= rate.maximum);
        QVERIFY(std::abs(FieldSlider::positionOf(rate, v) - p) <= 1);
    }
}

void tst_ParamForm::dragIsAnnounced() {
    ParamForm form;
    form.show(schema(), {});
    QSignalSpy began(&form, &ParamForm::dragBegan), ended(&form, &ParamForm::dragEnded);
    FieldSlider* slider = sliderOf(form, "rate");
    Q_EMIT slider->sliderPressed();
    Q_EMIT slider->sliderReleased();
    QCOMPARE(began.count(), 1);
    QCOMPARE(ended.count(), 1);
}

void tst_ParamForm::helpSaysRangeDefaultAndEffect() {
    const QString help = fieldHelp(fieldOf(0));
    for (const char* part : {"Wait for", "How many.", "More means slower", "From 1 to 8", "Default: 4"})
        QVERIFY2(help.contains(QLatin1String(part)), part);
}

void tst_ParamForm::sameFieldsKeepTheirControls() {
    ParamForm form;
    form.show(schema(), {});
    const QPointer<QWidget> k = form.control(QStringLiteral("k"));
    form.show(schema(), {{"k", std::int64_t{2}}});
    QCOMPARE(form.control(QStringLiteral("k")), k.data());
    form.show(ParamSchema(), {});
    QVERIFY(!form.control(QStringLiteral("k")));
    QTRY_VERIFY(k.isNull()); // once whoever is talking has ended
}

// Whatever a policy declares can be shown, and what is shown is what was given.
void tst_ParamForm::everyPolicyRoundTrips() {
    const Registry registry = Registry::builtin();
    for (const auto family :
         {PolicyFamily::scheduler, PolicyFamily::synchronization, PolicyFamily::parameters, PolicyFamily::partitioner})
        for (const PolicyInfo* info : registry.list(family)) {
            ParamForm form;
            Recorder recorder(form);
            form.show(info->schema, info->schema.complete({}));
            QVERIFY2(recorder.edits.empty(), info->id.c_str());
            for (const ParamField& field : info->schema.fields()) {
                QVERIFY2(!field.label.empty() && !field.help.empty(), info->id.c_str());
                const QLineEdit* line = lineOf(form, field.key.c_str());
                QVERIFY(form.control(QString::fromStdString(field.key)));
                if (line) QVERIFY(paramFrom(line->text().toStdString(), &field) == field.defaultValue);
            }
        }
}

TRAINYARD_TEST(tst_ParamForm)
#include "tst_ParamForm.moc"
