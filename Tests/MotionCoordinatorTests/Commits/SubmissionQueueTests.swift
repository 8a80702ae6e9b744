import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator
@testable import MotionCore

struct SubmissionQueueTests {
  private let runtime = Runtime(ratePerSecond: 10)
  private let requester = Requester(client: RoutingID([1]), request: 1)
  private var queue = SubmissionQueue()

  private func commit(_ id: UInt64, bytes: Int = 100) throws -> PendingCommit {
    var transaction = Transaction()
    transaction.add(.anchoredSpring("x", 1), to: "ball")
    let commit = Commit(transaction, id: TransactionID(high: 1, low: id))
    let request = CommitRequest(
      commit: commit, decoded: DecodedCommit(of: commit, bytes: bytes), client: 1,
      requester: requester, wallTime: 0)
    return PendingCommit(try runtime.accept(transaction), request)
  }

  @Test mutating func `submissions leave in order of arrival, and their commits are found meanwhile`() throws {
    for id in 1...100 { queue.append(.commit(try commit(UInt64(id)))) }
    for id in 1...100 as ClosedRange<UInt64> {
      #expect(queue.commit(TransactionID(high: 1, low: id)) != nil)
      guard case .commit(let commit) = queue.takeOldest() else { return #expect(Bool(false)) }
      #expect(commit.id == TransactionID(high: 1, low: id) && queue.commit(commit.id) == nil)
      // New ones come while old ones leave.
      queue.append(.time)
    }
    for _ in 1...100 { guard case .time = queue.takeOldest() else { return #expect(Bool(false)) } }
    #expect(queue.takeOldest() == nil)
  }

  @Test mutating func `the queue accepts a limited number of bytes, and more when these have left`() throws {
    let large = try commit(1, bytes: SubmissionQueue.mostBytes)
    let transaction = Transaction()
    #expect(queue.hasRoom(for: transaction, of: SubmissionQueue.mostBytes))
    queue.append(.commit(large))
    #expect(queue.hasRoom(for: transaction, of: 0) && !queue.hasRoom(for: transaction, of: 1))
    _ = queue.takeOldest()
    #expect(queue.hasRoom(for: transaction, of: SubmissionQueue.mostBytes))
    for _ in 0..<SubmissionQueue.mostItems { queue.append(.time) }
    #expect(!queue.hasRoom(for: transaction, of: 0))
  }

  @Test mutating func `stops behind a commit in the queue apply to it, those before it do not`() throws {
    queue.append(.stop(["lamp"], requester))
    queue.append(.commit(try commit(1)))
    queue.append(.stop([], requester))
    #expect(queue.stops == [["lamp"], []])
    _ = queue.takeOldest()
    _ = queue.takeOldest()
    #expect(queue.stops == [[]])
    _ = queue.takeOldest()
    #expect(queue.stops.isEmpty)
  }
}
