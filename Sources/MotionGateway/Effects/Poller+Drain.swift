import Logging
import ZeroMQ

extension Poller {
  /// Takes what has come by a socket, at most `limit` messages, so that other sockets come between. What has too many parts
  /// is thrown away.
  func drain<Received>(
    _ source: Registration, upTo limit: Int, logger: Logger, _ receive: () throws -> ReceiveOutcome<Received>,
    _ handle: (Received) -> Void
  ) {
    guard isReadable(source) else { return }
    for _ in 0..<limit {
      do {
        guard case .message(let message) = try receive() else { return }
        handle(message)
      } catch is TooManyParts {
        continue
      } catch {
        return logger.error("receiving failed: \(error)")
      }
    }
  }
}
