// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every registered model: its message is the derivative of its loss (central differences), loss and gradient
// agree, and neither the place of a vector in memory nor the split of a batch changes the meaning. A new
// model is checked by being in the list.
#include "learning/Model.h"
#include "support/TestMain.h"
#include "support/WholeBatch.h"

#include <cmath>

using namespace trainyard;
using trainyard::test::wholeBatch;

namespace {

const std::vector<std::shared_ptr<const DataSet>>& smallData() {
    static const std::vector<std::shared_ptr<const DataSet>> sets = [] {
        std::vector<std::shared_ptr<const DataSet>> out;
        const std::vector<Choice> choices{
            {"synthetic-regression", {{"rows", std::int64_t{14}}, {"features", std::int64_t{3}}, {"noise", 0.5}}},
            {"synthetic-classification",
             {{"rows", std::int64_t{14}}, {"features", std::int64_t{3}}, {"classes", std::int64_t{3}}}},
            {"synthetic-ratings",
             {{"rows", std::int64_t{20}},
              {"users", std::int64_t{4}},
              {"items", std::int64_t{5}},
              {"rank", std::int64_t{2}}}},
            {"synthetic-documents",
             {{"documents", std::int64_t{4}},
              {"words", std::int64_t{6}},
              {"topics", std::int64_t{2}},
              {"length", std::int64_t{9}}}},
        };
        for (const auto& c : choices) out.push_back(loadDataSet(c, 11, {}).value());
        return out;
    }();
    return sets;
}

/// A model, with the first small data set that it accepts.
struct Subject {
    std::shared_ptr<const Model> model;
    Batch batch;
    QString name;
};

/// The model with its defaults and with each parameter changed in turn.
std::vector<Subject> subjects() {
    std::vector<Subject> out;
    for (const auto& info : models()) {
        std::vector<ParamValues> variants{{}};
        for (const auto& f : info.schema.fields()) {
            if (f.type == ParamType::boolean) variants.push_back({{f.key, !std::get<bool>(f.defaultValue)}});
            for (const auto& word : f.choices) variants.push_back({{f.key, word}});
            if (f.key == "regularisation") variants.push_back({{f.key, 0.3}});
            if (f.type == ParamType::integer && f.minimum <= 2 && f.maximum >= 2)
                variants.push_back({{f.key, std::int64_t{2}}});
        }
        for (const auto& values : variants)
            for (const auto& data : smallData())
                if (auto model = makeModel({info.id, values}, *data)) {
                    QString name = QString::fromStdString(info.id);
                    for (const auto& [key, value] : values)
                        name += QString::fromStdString(" " + key + "=" + toString(value));
                    out.push_back({*model, wholeBatch(*data), name});
                    break;
                }
    }
    return out;
}

/// The model's own start, shaken so that no kink or symmetry is met exactly.
std::vector<double> someParameters(const Model& model, const Batch& batch) {
    std::vector<double> w(model.parameterCount());
    RandomStream random(5, Purpose::test);
    model.initialise(w, random);
    if (model.isEnsemble()) { // of its own making only
        std::vector<double> message(model.messageSize());
        for (int level = 0; level < 5; ++level) {
            model.gradient(w, batch, message);
            model.grow(w, message, {.rate = 0.5});
        }
        return w;
    }
    for (double& v : w) v += 0.02 + 0.2 * random.unit();
    return w;
}

/// For the Gaussian mixture: weights that sum to 1, variances well above the least.
std::vector<double> someMixture(const Model& model, std::size_t clusters) {
    std::vector<double> w(model.parameterCount());
    RandomStream random(5, Purpose::test);
    const std::size_t moments = (w.size() - clusters) / 2;
    double total = 0;
    for (std::size_t c = 0; c < clusters; ++c) total += w[c] = 0.5 + random.unit();
    for (std::size_t c = 0; c < clusters; ++c) w[c] /= total;
    for (std::size_t j = clusters; j < clusters + moments; ++j) {
        w[j] = random.normal();
        w[j + moments] = w[j] * w[j] + 0.5 + random.unit();
    }
    return w;
}

/// The mixture's message is a gradient seen through the Fisher metric (see ClusterModels.cpp): π_c ∂/∂π_c for
/// weights, and for each (mean, second moment) the covariance of (x, x²) under N(μ, v), [[v, 2μv], [2μv, 4μ²v
/// + 2v²]], times the gradient.
std::vector<double> throughFisherMetric(std::vector<double> gradient, const std::vector<double>& w,
                                        std::size_t clusters) {
    const std::size_t moments = (w.size() - clusters) / 2;
    for (std::size_t c = 0; c < clusters; ++c) gradient[c] *= w[c];
    for (std::size_t j = clusters; j < clusters + moments; ++j) {
        const double m = w[j], v = w[j + moments] - m * m, byMean = gradient[j], bySecond = gradient[j + moments];
        gradient[j] = v * byMean + 2 * m * v * bySecond;
        gradient[j + moments] = 2 * m * v * byMean + (4 * m * m * v + 2 * v * v) * bySecond;
    }
    return gradient;
}

std::vector<double> numericalGradient(const Model& model, std::vector<double> w, const Batch& batch) {
    std::vector<double> out(w.size());
    for (std::size_t i = 0; i < w.size(); ++i) {
        const double at = w[i], h = 1e-5 * std::max(1.0, std::abs(at));
        w[i] = at + h;
        const double above = model.loss(w, batch);
        w[i] = at - h;
        const double below = model.loss(w, batch);
        w[i] = at;
        out[i] = (above - below) / (2 * h);
    }
    return out;
}

} // namespace

class tst_ModelGradients : public QObject {
    Q_OBJECT
private slots:
    void everyModelIsCovered();
    void messageIsTheDerivative();
    void lossAndGradientAgree();
    void placeInMemoryChangesNothing();
    void batchMeansAdd();
};

void tst_ModelGradients::everyModelIsCovered() {
    const auto all = subjects();
    for (const auto& info : models()) {
        const QString id = QString::fromStdString(info.id);
        QVERIFY2(std::any_of(all.begin(), all.end(), [&](const Subject& s) { return s.name == id; }), qPrintable(id));
    }
}

void tst_ModelGradients::messageIsTheDerivative() {
    for (const auto& s : subjects()) {
        if (s.model->isEnsemble()) continue; // tst_BoostedTrees
        const bool mixture = s.name.startsWith("gaussian-mixture");
        const std::size_t clusters = s.model->parameterCount() / (1 + 2 * s.batch.features);
        const auto w = mixture ? someMixture(*s.model, clusters) : someParameters(*s.model, s.batch);
        std::vector<double> message(s.model->messageSize());
        s.model->gradient(w, s.batch, message);
        auto expected = numericalGradient(*s.model, w, s.batch);
        if (mixture) expected = throughFisherMetric(expected, w, clusters);
        if (s.name.startsWith("plsa")) // of probabilities p: p (∂L/∂p + h), as EM moves them
            for (std::size_t i = 0; i < w.size(); ++i) expected[i] = w[i] * (expected[i] + message[w.size() + i]);
        bool any = false;
        for (std::size_t i = 0; i < w.size(); ++i) {
            any = any || std::abs(message[i]) > 1e-3;
            QVERIFY2(std::abs(message[i] - expected[i]) < 1e-7 * std::max(1.0, std::abs(expected[i])),
                     qPrintable(QStringLiteral("%1[%2]: %3, by differences %4")
                                    .arg(s.name)
                                    .arg(i)
                                    .arg(message[i])
                                    .arg(expected[i])));
        }
        QVERIFY2(any, qPrintable(s.name));
    }
}

void tst_ModelGradients::lossAndGradientAgree() {
    for (const auto& s : subjects()) {
        const auto w = someParameters(*s.model, s.batch);
        std::vector<double> message(s.model->messageSize());
        const double together = s.model->gradient(w, s.batch, message);
        QVERIFY2(together == s.model->loss(w, s.batch), qPrintable(s.name));
    }
}

void tst_ModelGradients::placeInMemoryChangesNothing() {
    for (const auto& s : subjects()) {
        const auto w = someParameters(*s.model, s.batch);
        std::vector<double> message(s.model->messageSize());
        const double loss = s.model->gradient(w, s.batch, message);
        for (std::size_t shift : {1u, 2u, 3u}) {
            std::vector<double> moved(w.size() + shift), target(message.size() + shift, 1e300);
            std::copy(w.begin(), w.end(), moved.begin() + static_cast<std::ptrdiff_t>(shift));
            const double again =
                s.model->gradient(std::span(moved).subspan(shift), s.batch, std::span(target).subspan(shift));
            QVERIFY2(again == loss, qPrintable(s.name));
            QVERIFY2(std::equal(message.begin(), message.end(), target.begin() + static_cast<std::ptrdiff_t>(shift)),
                     qPrintable(s.name));
        }
    }
}

// Messages of equal batches must average to the message of all their rows: what every server relies on.
void tst_ModelGradients::batchMeansAdd() {
    for (const auto& s : subjects()) {
        const auto w = someParameters(*s.model, s.batch);
        const std::size_t half = s.batch.rows / 2, width = s.batch.features;
        Batch parts[2];
        for (std::size_t i = 0; i < 2 * half; ++i) {
            Batch& part = parts[i / half];
            part.features = width;
            ++part.rows;
            for (std::size_t j = 0; j < width; ++j) part.x.push_back(s.batch.x[i * width + j]);
            part.y.push_back(s.batch.y[i]);
        }
        std::vector<double> whole(s.model->messageSize()), one(whole), two(whole);
        const double loss = s.model->gradient(w, s.batch, whole);
        const double mean = 0.5 * (s.model->gradient(w, parts[0], one) + s.model->gradient(w, parts[1], two));
        QVERIFY2(std::abs(loss - mean) < 1e-12 * std::max(1.0, std::abs(loss)), qPrintable(s.name));
        for (std::size_t i = 0; i < whole.size(); ++i)
            QVERIFY2(std::abs(whole[i] - 0.5 * (one[i] + two[i])) < 1e-12 * std::max(1.0, std::abs(whole[i])),
                     qPrintable(s.name));
    }
}

TRAINYARD_TEST(tst_ModelGradients)
#include "tst_ModelGradients.moc"
