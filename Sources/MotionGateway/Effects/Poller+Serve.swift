import LinuxSystem
import ZeroMQ

extension Poller {
  /// Calls `turn` whenever a descriptor is ready, until it returns false or the context terminates.
  ///
  /// - Parameters:
  ///   - timer: wakes the poll at the deadline.
  ///   - deadline: the time of the next deadline.
  ///   - turn: handles the events; returns whether to continue.
  func serve(
    waking timer: BootTimer, at deadline: () -> Duration?, turn: (Duration) throws -> Bool
  ) throws {
    while true {
      timer.arm(at: deadline())
      switch try poll(timeout: nil) {
      case .ready, .timedOut: break
      case .interrupted: continue
      case .terminated: return
      }
      guard try turn(BootClock.now) else { return }
    }
  }
}
