// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Forms from declared fields: every field has a control that shows its value, keeps its range and says what
// was changed.
#include "forms/ParamForm.h"
#include "policy/Registry.h"
#include "support/TestMain.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSlider>
#include <QSpinBox>

using namespace trainyard;

class tst_ParamForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void controlsFitTheirTypes();
    void showingIsNotEditing();
    void editsComeOutTyped();
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
    const auto* k = qobject_cast<QSpinBox*>(form.control(QStringLiteral("k")));
    QVERIFY(k);
    QCOMPARE(k->value(), 4);
    QCOMPARE(k->minimum(), 1);
    QCOMPARE(k->maximum(), 8);
    QCOMPARE(k->suffix(), QStringLiteral(" workers"));
    QCOMPARE(k->accessibleName(), QStringLiteral("Wait for"));
    QVERIFY(qobject_cast<QDoubleSpinBox*>(form.control(QStringLiteral("rate"))));
    QVERIFY(qobject_cast<QCheckBox*>(form.control(QStringLiteral("on")))->isChecked());
    QCOMPARE(qobject_cast<QComboBox*>(form.control(QStringLiteral("how")))->currentText(), QStringLiteral("b"));
    QVERIFY(form.slider(QStringLiteral("k")));
    QVERIFY(!form.slider(QStringLiteral("on")));
    for (const char* key : {"k", "rate", "on", "how"})
        QVERIFY(form.control(QLatin1String(key))->focusPolicy() & Qt::TabFocus);
}

void tst_ParamForm::showingIsNotEditing() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {});
    form.show(schema(), {{"k", std::int64_t{7}}, {"rate", 2.5}, {"on", false}, {"how", std::string("a")}});
    QVERIFY(recorder.edits.empty());
    QCOMPARE(qobject_cast<QSpinBox*>(form.control(QStringLiteral("k")))->value(), 7);
    QCOMPARE(qobject_cast<QDoubleSpinBox*>(form.control(QStringLiteral("rate")))->value(), 2.5);
    QVERIFY(!qobject_cast<QCheckBox*>(form.control(QStringLiteral("on")))->isChecked());
    QCOMPARE(qobject_cast<QSlider*>(form.slider(QStringLiteral("k")))->value(), 7);
}

void tst_ParamForm::editsComeOutTyped() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {});
    qobject_cast<QSpinBox*>(form.control(QStringLiteral("k")))->setValue(5);
    auto* rate = form.control(QStringLiteral("rate"));
    rate->setFocus();
    qobject_cast<QDoubleSpinBox*>(rate)->selectAll();
    QTest::keyClicks(rate, QStringLiteral("0.25"));
    QTest::keyClick(rate, Qt::Key_Return);
    qobject_cast<QCheckBox*>(form.control(QStringLiteral("on")))->click();
    QCOMPARE(recorder.edits.size(), std::size_t{3});
    QVERIFY(recorder.edits[0] == std::make_pair(std::string("k"), ParamValue(std::int64_t{5})));
    QVERIFY(recorder.edits[1] == std::make_pair(std::string("rate"), ParamValue(0.25)));
    QVERIFY(recorder.edits[2] == std::make_pair(std::string("on"), ParamValue(false)));
}

void tst_ParamForm::sliderAndFieldAgree() {
    ParamForm form;
    Recorder recorder(form);
    form.show(schema(), {});
    auto* slider = qobject_cast<QSlider*>(form.slider(QStringLiteral("k")));
    QCOMPARE(slider->maximum(), 8); // a stop for each
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(qobject_cast<QSpinBox*>(form.control(QStringLiteral("k")))->value(), 5);
    QCOMPARE(recorder.edits.size(), std::size_t{1});
}

void tst_ParamForm::slidersEndAtWhatIsUsual() {
    std::vector<ParamField> fields = schema().fields();
    fields[0].maximum = 100000;
    fields[0].usual = 6;
    ParamForm form;
    form.show(ParamSchema(fields), {});
    auto* slider = qobject_cast<QSlider*>(form.slider(QStringLiteral("k")));
    auto* spin = qobject_cast<QSpinBox*>(form.control(QStringLiteral("k")));
    QCOMPARE(slider->maximum(), 6);
    spin->setValue(500); // more may be typed, and stands
    QCOMPARE(spin->value(), 500);
    form.show(ParamSchema(fields), {{"k", std::int64_t{500}}});
    QCOMPARE(spin->value(), 500);
    QCOMPARE(slider->value(), 6);
}

void tst_ParamForm::logarithmicSlidersGoBothWays() {
    const auto fields = schema().fields();
    const ParamField& rate = fields[1];
    QCOMPARE(ParamForm::sliderPosition(rate, 1e-4), 0);
    QCOMPARE(ParamForm::sliderPosition(rate, 10), ParamForm::sliderSteps);
    // The middle of 1e-4 … 10 on a log scale is 10^-1.5 = 0.0316.
    QCOMPARE(ParamForm::sliderValue(rate, ParamForm::sliderSteps / 2), 0.0316);
    for (int p = 0; p <= ParamForm::sliderSteps; p += 50) {
        const double v = ParamForm::sliderValue(rate, p);
        QVERIFY(v >= rate.minimum && v <= rate.maximum);
        QVERIFY(std::abs(ParamForm::sliderPosition(rate, v) - p) <= 1);
    }
}

void tst_ParamForm::dragIsAnnounced() {
    ParamForm form;
    form.show(schema(), {});
    QSignalSpy began(&form, &ParamForm::dragBegan), ended(&form, &ParamForm::dragEnded);
    auto* slider = qobject_cast<QSlider*>(form.slider(QStringLiteral("rate")));
    Q_EMIT slider->sliderPressed();
    Q_EMIT slider->sliderReleased();
    QCOMPARE(began.count(), 1);
    QCOMPARE(ended.count(), 1);
}

void tst_ParamForm::helpSaysRangeDefaultAndEffect() {
    const auto fields = schema().fields();
    const QString help = ParamForm::helpText(fields[0]);
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
                const QWidget* control = form.control(QString::fromStdString(field.key));
                QVERIFY(control);
                if (const auto* d = std::get_if<double>(&field.defaultValue))
                    QCOMPARE(qobject_cast<const QDoubleSpinBox*>(control)->value(), *d);
                if (const auto* i = std::get_if<std::int64_t>(&field.defaultValue))
                    QCOMPARE(qobject_cast<const QSpinBox*>(control)->value(), static_cast<int>(*i));
            }
        }
}

TRAINYARD_TEST(tst_ParamForm)
#include "tst_ParamForm.moc"
