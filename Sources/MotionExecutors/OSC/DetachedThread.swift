import Glibc

/// A thread for what may wait, which nobody waits for.
enum DetachedThread {
  /// Runs `run` on a new thread; returns 0, or an `errno` if there is none.
  static func start(_ run: @escaping @Sendable () -> Void) -> Int32 {
    let body = Unmanaged.passRetained(Body(run))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { passed in
        guard let passed else { return nil }
        Unmanaged<Body>.fromOpaque(passed).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    if status == 0 { pthread_detach(thread) } else { body.release() }
    return status
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
