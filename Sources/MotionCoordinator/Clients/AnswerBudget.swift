import Synchronization
import ZeroMQ

/// Bounds the memory of answers that clients have asked for and do not read.
///
/// The queue of a client is bounded in messages (``Sockets/controlQueue``), which is enough for short ones: 64 MB. A long
/// answer takes part in a budget of all clients, from which it goes when libzmq lets go of it. One client has a quarter of
/// that, so that it alone cannot keep answers from the others.
struct AnswerBudget {
  /// From how many bytes on an answer is long.
  static let longBytes = 65_536
  /// What all long answers that wait may take: four of the longest there are.
  static let limit = 256 << 20
  /// What those of one client may take: one of the longest there are.
  static let limitOfClient = limit / 4
  /// Shares that are kept although nothing waits of them: what they hold is little, and looking through them is rare.
  static let sharesKept = 1024

  /// Counted by the coordinator, by the thread that encodes answers, and by libzmq's threads.
  final class Waiting: Sendable {
    let bytes = Atomic<Int>(0)

    /// Counts so many more.
    ///
    /// - Returns: whether they were within the limit; otherwise they are not counted.
    func add(_ count: Int, within limit: Int) -> Bool {
      guard bytes.add(count, ordering: .relaxed).newValue > limit else { return true }
      bytes.subtract(count, ordering: .relaxed)
      return false
    }
  }

  /// The part of one client.
  struct Share: Sendable {
    fileprivate let own = Waiting()
    fileprivate let all: Waiting

    /// How many bytes of long answers wait for the client.
    var bytes: Int { own.bytes.load(ordering: .relaxed) }

    /// The message of an answer; `nil` when there is no room for it.
    func message(of answer: [UInt8]) -> Message? {
      let count = answer.count
      guard count >= AnswerBudget.longBytes else { return Message(answer) }
      // One that is longer than a share may wait alone.
      guard own.add(count, within: max(count, AnswerBudget.limitOfClient)) else { return nil }
      guard all.add(count, within: AnswerBudget.limit) else {
        own.bytes.subtract(count, ordering: .relaxed)
        return nil
      }
      return Message(answer) { [own, all] in
        own.bytes.subtract(count, ordering: .relaxed)
        all.bytes.subtract(count, ordering: .relaxed)
      }
    }
  }

  private let waiting = Waiting()
  private var shares: [RoutingID: Share] = [:]

  /// How many bytes of long answers wait now.
  var bytes: Int { waiting.bytes.load(ordering: .relaxed) }

  /// The part of a client.
  mutating func share(of client: RoutingID) -> Share {
    if let share = shares[client] { return share }
    if shares.count >= Self.sharesKept { shares = shares.filter { $0.value.bytes > 0 } }
    let share = Share(all: waiting)
    shares[client] = share
    return share
  }
}
