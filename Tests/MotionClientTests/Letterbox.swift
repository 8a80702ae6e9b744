import Glibc
import Synchronization
import ZeroMQ

/// Hands numbers from one thread to another that waits for them.
final class Letterbox: Sendable {
  private let letters = Mutex<[UInt64]>([])
  private let counter: EventCounter

  init() {
    do { counter = try EventCounter() } catch { preconditionFailure("no eventfd: \(error)") }
  }

  func put(_ letter: UInt64) {
    letters.withLock { $0.append(letter) }
    counter.signal()
  }

  /// So long a letter may take: twenty times what it ought to, so that a busy machine is no failure.
  private static let patienceMilliseconds: Int32 = 20_000

  /// The next letter, when it comes; `nil` if it does not.
  func take() -> UInt64? {
    while true {
      let letter = letters.withLock { letters in
        counter.drain()
        return letters.isEmpty ? nil : letters.removeFirst()
      }
      if let letter { return letter }
      var item = pollfd(fd: counter.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&item, 1, Self.patienceMilliseconds) == 0 { return nil }
    }
  }
}
