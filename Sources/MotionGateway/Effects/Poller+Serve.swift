import ZeroMQ

extension Poller {
  /// Does a turn whenever there is something to do, until a signal comes or the context ends.
  ///
  /// - Parameters:
  ///   - signals: where the signals come.
  ///   - timer: what wakes it when nothing else does.
  ///   - deadline: when that is to be.
  func serve(
    until signals: Registration, waking timer: BootTimer, at deadline: () -> Duration?, turn: (Duration) throws -> Void
  ) throws {
    while true {
      timer.arm(at: deadline())
      switch try poll(timeout: nil) {
      case .ready, .timedOut: break
      case .interrupted: continue
      case .terminated: return
      }
      if isReadable(signals) { return }
      try turn(BootClock.now)
    }
  }
}
