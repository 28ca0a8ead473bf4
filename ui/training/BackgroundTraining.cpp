// SPDX-FileCopyrightText: 2026 The Trainyard authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "training/BackgroundTraining.h"

namespace trainyard {

struct BackgroundTraining::Kept {
    std::unique_ptr<KeptTraining> training; ///< null: not opened yet
    std::unique_ptr<TrainingWatch> watch;
};

/// Written by the training's thread, read by the window's.
struct BackgroundTraining::Latest {
    std::mutex mutex;
    std::shared_ptr<const WatchedTraining> watched;
};

namespace background_training {

Result<std::unique_ptr<KeptTraining>> opened(const TrainingRequest& request) {
    auto inputs = trainingInputs(request.plan, request.resources, request.profiles);
    if (!inputs) return inputs.problems();
    return KeptTraining::open(request.plan, std::move(*inputs), request.directory, request.begin);
}

} // namespace background_training

using namespace background_training;

void BackgroundTraining::start(TrainingRequest request) {
    if (isRunning()) return;
    m_request = std::move(request);
    m_kept = std::make_shared<Kept>();
    m_watched = nullptr;
    m_done = false;
    go();
}

void BackgroundTraining::goOn() {
    if (isPaused()) go();
}

void BackgroundTraining::go() {
    m_problems.clear();
    m_ending = false;
    m_doneBefore = -1;
    auto latest = m_latest = std::make_shared<Latest>();
    latest->watched = m_watched;
    begin(0,
          [this, latest, kept = m_kept, request = m_request](const std::stop_token& stop,
                                                             const Progress& progress) -> Finish {
              Problems problems;
              if (!kept->training) {
                  auto training = opened(request);
                  if (!training)
                      return [this, why = training.problems()] {
                          m_problems = why;
                          m_kept = nullptr;
                      };
                  kept->training = std::move(training).value();
                  kept->watch = std::make_unique<TrainingWatch>(kept->training->training());
              }
              const AgentTraining& training = kept->training->training();
              const Parallel parallel;
              const auto publish = [&] {
                  auto copy = std::make_shared<const WatchedTraining>(kept->watch->now());
                  progress(static_cast<std::size_t>(copy->progress.iterationsDone),
                           static_cast<std::size_t>(copy->progress.iterationsAll));
                  const std::scoped_lock lock(latest->mutex);
                  latest->watched = std::move(copy);
              };
              const auto measured = [&] { return kept->watch->measure(training, parallel, stop); };
              publish();
              problems = kept->training->train(parallel, stop, [&] {
                  kept->watch->update(training);
                  publish();
                  if (measured()) publish();
              });
              kept->watch->update(training);
              publish();
              while (problems.empty() && training.done() && measured()) publish();
              return [this, problems = std::move(problems), done = training.done()] {
                  m_problems = problems;
                  m_done = done && problems.empty();
                  if (problems.empty() && (m_done || m_ending)) m_kept = nullptr; // else it is nowhere but here
              };
          });
}

void BackgroundTraining::end() {
    if (isPaused() && !m_problems.empty()) go(); // to write what could not be written
    m_ending = true;
    stop();
    if (isRunning()) return; // its thread hands it back
    m_kept = nullptr;
    Q_EMIT changed();
    Q_EMIT ended();
}

void BackgroundTraining::take() {
    {
        const std::scoped_lock lock(m_latest->mutex);
        m_watched = m_latest->watched;
    }
    if (m_watched && m_doneBefore < 0) m_doneBefore = m_watched->progress.iterationsDone;
}

void BackgroundTraining::clear() {
    m_watched = nullptr;
    m_kept = nullptr;
    m_done = false;
}

double BackgroundTraining::secondsLeft() const {
    constexpr int least = 3; // iterations; earlier it is a guess
    const int here = static_cast<int>(done()) - std::max(0, m_doneBefore);
    if (!isRunning() || m_doneBefore < 0 || here < least) return -1;
    return secondsTaken() * static_cast<double>(all() - done()) / here;
}

} // namespace trainyard
