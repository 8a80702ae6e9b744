import Logging
import MotionCoordinator
import ServiceLifecycle
import UnixSignals

/// Serves until a stop is requested, then drains.
struct CoordinatorService: Service, CustomStringConvertible {
  /// The name of the service. Without it the service group would log the whole value.
  let description = "coordinator"

  let coordinator: Coordinator
  let settings: Settings
  let notifier: ServiceNotifier
  let logger: Logger
  /// Yields once when the signal handlers are installed.
  let hearing: AsyncStream<Void>

  func run() async throws {
    await coordinator.start()
    logger.info(
      "serving in \(settings.coordinator.runtimeDirectory) at \(settings.coordinator.ratePerSecond) frames per second",
      metadata: ["epoch": "\(coordinator.epoch)"])
    // A signal may arrive as soon as readiness is reported.
    for await _ in hearing { break }
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

/// Handles the signals that the group does not handle: a second INT, and HUP.
struct SignalService: Service, CustomStringConvertible {
  /// The name of the service; see ``CoordinatorService/description``.
  let description = "signals"

  let coordinator: Coordinator
  let notifier: ServiceNotifier
  let logger: Logger
  /// Notified once when the signal handlers are installed.
  let hearing: AsyncStream<Void>.Continuation

  func run() async throws {
    defer { hearing.finish() }
    // Not the sequence's own `cancelOnGracefulShutdown()`: it starts an unstructured task, which runs in the pool of
    // Swift's concurrency.
    await cancelWhenGracefulShutdown { await hear() }
  }

  private func hear() async {
    // A reload takes time on the coordinator's thread, and signals are handled meanwhile. Its task is a child task, and
    // so runs where this one does.
    await withDiscardingTaskGroup { reloads in
      var interruptions = 0
      let signals = await UnixSignalsSequence(trapping: .sigint, .sighup)
      hearing.yield()
      for await signal in signals {
        switch signal {
        case .sighup:
          reloads.addTask {
            notifier.notifyReloading()
            await coordinator.reload()
            notifier.notify("READY=1")
          }
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
