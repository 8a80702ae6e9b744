import Synchronization
import ZeroMQ

/// Bounds the memory of answers that clients have requested and do not read.
///
/// The queue of a client is bounded in messages (``Sockets/controlQueue``), which is enough for short ones: 64 MB. Long
/// answers share a budget of all clients; an answer leaves the budget when libzmq releases it. One client may use a
/// quarter of the budget, so that it alone cannot keep answers from the others.
struct AnswerBudget {
  /// The size in bytes from which an answer is long.
  static let longBytes = 65_536
  /// The most bytes of all waiting long answers: four of the longest possible.
  static let limit = 256 << 20
  /// The most bytes of one client's waiting long answers: one of the longest possible.
  static let limitOfClient = limit / 4
  /// Shares that are kept although none of their bytes wait: they take little memory, and a search through them is
  /// rare.
  static let sharesKept = 1024

  /// A count of bytes that the coordinator, the thread that encodes answers and libzmq's threads change.
  final class Waiting: Sendable {
    let bytes = Atomic<Int>(0)

    /// Adds to the count.
    ///
    /// - Returns: whether the sum is within the limit; otherwise it is not changed.
    func add(_ count: Int, within limit: Int) -> Bool {
      guard bytes.add(count, ordering: .relaxed).newValue > limit else { return true }
      bytes.subtract(count, ordering: .relaxed)
      return false
    }
  }

  /// The share of one client.
  struct Share: Sendable {
    fileprivate let own = Waiting()
    fileprivate let all: Waiting

    /// How many bytes of long answers wait for the client.
    var bytes: Int { own.bytes.load(ordering: .relaxed) }

    /// The message of an answer; `nil` when there is no room for it.
    func message(of answer: [UInt8]) -> Message? {
      let count = answer.count
      guard count >= AnswerBudget.longBytes else { return Message(answer) }
      // An answer that is longer than a share may wait alone.
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

  /// The share of a client.
  mutating func share(of client: RoutingID) -> Share {
    if let share = shares[client] { return share }
    if shares.count >= Self.sharesKept { shares = shares.filter { $0.value.bytes > 0 } }
    let share = Share(all: waiting)
    shares[client] = share
    return share
  }
}
