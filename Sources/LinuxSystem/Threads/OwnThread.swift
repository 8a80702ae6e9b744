import CLinux
import Glibc

/// A thread for one job that may block. The pools of Swift's concurrency are for work that does not.
package enum OwnThread {
  /// Runs `run` on a new thread of this name, which ends when `run` returns. Linux shows the first 15 bytes of the
  /// name.
  ///
  /// For threads that the program cannot do without: if the system refuses the thread, the process ends.
  package static func start(_ name: StaticString, _ run: @escaping @Sendable () -> Void) {
    let status = begin(name, run)
    precondition(status == 0, "no thread \(name): errno \(status)")
  }

  /// Likewise, for threads that a request from outside needs while motiond serves.
  ///
  /// - Returns: 0, or the error number of the refusal: there are too many threads (`TasksMax=` of the unit), or no
  ///   memory.
  package static func begin(_ name: StaticString, _ run: @escaping @Sendable () -> Void) -> Int32 {
    let body = Body {
      name.withUTF8Buffer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { if let text = $0.baseAddress { motion_name_thread(text) } }
      }
      run()
    }
    let handed = Unmanaged.passRetained(body)
    var id = pthread_t()
    let status = pthread_create(
      &id, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, handed.toOpaque())
    guard status == 0 else {
      handed.release()
      return status
    }
    pthread_detach(id)
    return 0
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
