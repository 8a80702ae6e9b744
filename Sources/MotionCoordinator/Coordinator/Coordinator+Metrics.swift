import LinuxSystem
import MotionCore
import MotionModel
import ZeroMQ

extension Coordinator {
  /// Answers requests for metrics: at most ten times in a second (``MetricsServer/freshness``), and after the frames of
  /// this turn.
  func answerMetrics(at now: Duration) {
    guard let metrics, let registration = watched.metrics, poller.isReadable(registration) else { return }
    _ = metrics.questions.take()
    metrics.answer(snapshot(at: now))
  }

  private func snapshot(at now: Duration) -> MetricsSnapshot {
    var snapshot = MetricsSnapshot()
    snapshot.status = numbers(at: now)
    snapshot.lateness = frames.lateness.sinceStart
    if let journal = commits.journal { snapshot.journalWrites = journal.writes }
    snapshot.workers = workers.metricsRows
    snapshot.plugins = workers.library.plugins.map { ($0.name, !$0.problem.isEmpty) }
    return snapshot
  }
}
