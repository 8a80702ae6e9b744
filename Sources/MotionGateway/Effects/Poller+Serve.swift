import LinuxSystem
import ZeroMQ

extension Poller {
  /// Does a turn whenever there is something to do, until one says that it was the last, or the context ends.
  ///
  /// - Parameters:
  ///   - timer: what wakes it when nothing else does.
  ///   - deadline: when that is to be.
  ///   - turn: says whether to go on.
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
