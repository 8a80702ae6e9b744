import LinuxSystem
import ZeroMQ

/// Waits for sockets, signals and deadlines.
struct GatewayLoop {
  let poller = Poller()
  private let timer: BootTimer
  private let signals: GatewaySignals

  /// Block the signals in all threads first.
  init() throws {
    (timer, signals) = (try BootTimer(), try GatewaySignals())
    _ = poller.add(descriptor: timer.descriptor)
    _ = poller.add(descriptor: signals.descriptor)
  }

  /// Calls `turn` whenever a descriptor is ready, until it returns false, a signal stops the process, or the context
  /// terminates.
  ///
  /// - Parameters:
  ///   - deadline: when to call `turn` at the latest; evaluated before each wait.
  ///   - reload: called for each HUP.
  ///   - turn: handles the events of the sockets.
  func serve(
    until deadline: () -> Duration?, reload: () -> Void, turn: (Duration) throws -> Void
  ) throws {
    while true {
      timer.arm(at: deadline())
      switch try poller.poll(timeout: nil) {
      case .ready, .timedOut: break
      case .interrupted: continue
      case .terminated: return
      }
      timer.acknowledge()
      while let request = signals.next() {
        guard case .reload = request else { return }
        reload()
      }
      try turn(BootClock.now)
    }
  }
}
