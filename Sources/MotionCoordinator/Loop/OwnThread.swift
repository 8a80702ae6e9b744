import CLinux
import Glibc

/// A thread that belongs to one job, for what may wait: the pools of Swift's concurrency are for what does not.
enum OwnThread {
  /// Runs `run` on a new thread of this name, which ends with it. Linux shows the first 15 bytes of the name.
  static func start(_ name: StaticString, _ run: @escaping @Sendable () -> Void) {
    let body = Body {
      name.withUTF8Buffer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { if let text = $0.baseAddress { motion_name_thread(text) } }
      }
      run()
    }
    var id = pthread_t()
    let status = pthread_create(
      &id, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(body).toOpaque())
    precondition(status == 0, "no thread \(name): errno \(status)")
    pthread_detach(id)
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
