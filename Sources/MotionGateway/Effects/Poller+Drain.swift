import Logging
import ZeroMQ

extension Poller {
  /// Receives messages from a readable socket, at most `limit`, so that other sockets get their turn. Messages with too
  /// many parts are dropped.
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
