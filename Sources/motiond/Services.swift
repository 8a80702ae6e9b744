import Logging
import MotionCoordinator
import ServiceLifecycle
import UnixSignals

/// Serves until it is asked to stop, then drains.
struct CoordinatorService: Service, CustomStringConvertible {
  /// Its name: the service group logs services, and by themselves they would show all that they hold.
  let description = "coordinator"

  let coordinator: Coordinator
  let settings: Settings
  let notifier: ServiceNotifier
  let logger: Logger
  /// Tells once that signals are heard.
  let hearing: AsyncStream<Void>

  func run() async throws {
    await coordinator.start()
    logger.info(
      "serving in \(settings.coordinator.runtimeDirectory) at \(settings.coordinator.ratePerSecond) frames per second",
      metadata: ["epoch": "\(coordinator.epoch)"])
    // Whoever hears that we are ready may send a signal at once.
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

/// Hears the signals that are not the group's: a second INT, and HUP.
struct SignalService: Service, CustomStringConvertible {
  /// Its name; see ``CoordinatorService/description``.
  let description = "signals"

  let coordinator: Coordinator
  let notifier: ServiceNotifier
  let logger: Logger
  /// Is told once that signals are heard.
  let hearing: AsyncStream<Void>.Continuation

  func run() async throws {
    defer { hearing.finish() }
    // Not the sequence's own `cancelOnGracefulShutdown()`, which starts a task that is nobody's child, and so in the pool
    // of Swift's concurrency.
    await cancelWhenGracefulShutdown { await hear() }
  }

  private func hear() async {
    // A reload takes its time on the coordinator's thread; signals are heard meanwhile. Its task is a child, and so runs
    // where this one does.
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
