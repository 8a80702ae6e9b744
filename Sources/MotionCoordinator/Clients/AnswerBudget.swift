import Synchronization
import ZeroMQ

/// Bounds the memory of answers that clients have asked for and do not read.
///
/// The queue of a client is bounded in messages (``Sockets/controlQueue``), which is enough for short ones: 64 MB. A long
/// answer takes part in a budget of all clients, from which it goes when libzmq lets go of it.
struct AnswerBudget {
  /// From how many bytes on an answer is long.
  static let longBytes = 65_536
  /// What all long answers that wait may take: four of the longest there are.
  static let limit = 256 << 20

  /// Counted by the coordinator and by libzmq's threads.
  private final class Waiting: Sendable {
    let bytes = Atomic<Int>(0)
  }

  private let waiting = Waiting()

  /// How many bytes of long answers wait now.
  var bytes: Int { waiting.bytes.load(ordering: .relaxed) }

  /// The message of an answer; `nil` when there is no room for it.
  func message(of answer: [UInt8]) -> Message? {
    let count = answer.count
    guard count >= Self.longBytes else { return Message(answer) }
    guard bytes + count <= Self.limit else { return nil }
    waiting.bytes.add(count, ordering: .relaxed)
    return Message(answer) { [waiting] in waiting.bytes.subtract(count, ordering: .relaxed) }
  }
}
