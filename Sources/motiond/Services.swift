import Logging
import MotionCoordinator
import ServiceLifecycle
import UnixSignals

/// Serves until it is asked to stop, then drains.
struct CoordinatorService: Service {
  let coordinator: Coordinator
  let settings: Settings
  let logger: Logger

  func run() async throws {
    let notifier = ServiceNotifier(environment: settings.coordinator.environment)
    await coordinator.start()
    logger.info(
      "serving in \(settings.coordinator.runtimeDirectory) at \(settings.coordinator.ratePerSecond) frames per second",
      metadata: ["epoch": "\(coordinator.epoch)"])
    notifier.notify("READY=1\nSTATUS=Serving in \(settings.coordinator.runtimeDirectory)")
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        // Cancelled when the coordinator has ended by itself; stopping it then changes nothing.
        try? await gracefulShutdown()
        notifier.notify("STOPPING=1\nSTATUS=Draining")
        await coordinator.stop()
      }
      defer { group.cancelAll() }
      try await coordinator.untilEnded()
    }
    logger.info("stopped")
  }
}

/// Hears the signals that are not the group's: a second INT, and HUP.
struct SignalService: Service {
  let coordinator: Coordinator
  let logger: Logger

  func run() async throws {
    // Not the sequence's own `cancelOnGracefulShutdown()`, which starts a task that is nobody's child, and so in the pool
    // of Swift's concurrency.
    await cancelWhenGracefulShutdown { await hear() }
  }

  private func hear() async {
    // A reload takes its time on the coordinator's thread; signals are heard meanwhile. Its task is a child, and so runs
    // where this one does.
    await withDiscardingTaskGroup { reloads in
      var interruptions = 0
      for await signal in await UnixSignalsSequence(trapping: .sigint, .sighup) {
        switch signal {
        case .sighup: reloads.addTask { await coordinator.reload() }
        default:
          interruptions += 1
          guard interruptions > 1 else { continue }
          logger.warning("interrupted again: stopping now")
          coordinator.stopNow()
        }
      }
    }
  }
}
