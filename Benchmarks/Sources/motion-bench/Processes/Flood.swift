import Foundation
import MotionClient
import MotionModel
import Synchronization

/// Clients that commit one intention after the other, each on a thread of its own, until they are told to end.
final class Flood {
  private let isOver: OneWayFlag
  private let threads: Threads<Int>

  /// Starts them; each has been answered once when this returns.
  init(clients: Int, of server: Daemon) throws {
    let isOver = OneWayFlag()
    self.isOver = isOver
    _ = try server.connect()
    let directory = server.runtimeDirectory
    let begun = Counter()
    threads = Threads(clients) { index in
      let client = try MotionClient(connectingTo: directory, name: "flood \(index)", timeout: Daemon.timeout)
      var commits = 0
      while !isOver.isSet {
        try client.commit(try Self.transaction(of: index, number: commits))
        commits += 1
        if commits == 1 { begun.add() }
      }
      return commits
    }
    let limit = Date().addingTimeInterval(10)
    while begun.value < clients {
      guard Date() < limit else { throw BenchFailure("\(clients) clients could not all commit") }
      usleep(2_000)
    }
  }

  deinit { isOver.set() }

  /// What a client commits: one thing, and each time another.
  static func transaction(of client: Int, number: Int) throws -> Transaction {
    var transaction = Transaction()
    transaction.add(.springTo("opacity", [Double(number % 2)]), named: "flood", to: try TargetName("f\(client)"))
    return transaction
  }

  /// Ends them, and returns how many commits each made, without those whose client failed.
  @discardableResult
  func end() -> [Int] {
    isOver.set()
    return threads.join().compactMap { try? $0.get() }
  }
}

/// Threads that do the same thing, each with its number.
final class Threads<Value: Sendable>: Sendable {
  private let results: Mutex<[Int: Result<Value, any Error>]>
  private let count: Int
  /// Signalled once by each thread at its end.
  private let ends = DispatchSemaphore(value: 0)

  init(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Value) {
    self.count = count
    results = Mutex([:])
    for index in 0..<count {
      Thread.detachNewThread {
        let result = Result { try body(index) }
        self.results.withLock { $0[index] = result }
        self.ends.signal()
      }
    }
  }

  /// Waits for all of them, and returns what came of it, in their order. Once.
  func join() -> [Result<Value, any Error>] {
    for _ in 0..<count { ends.wait() }
    return results.withLock { results in (0..<count).compactMap { results[$0] } }
  }
}

/// Something that happened or did not.
final class OneWayFlag: Sendable {
  private let state = Atomic(false)
  var isSet: Bool { state.load(ordering: .relaxed) }
  func set() { state.store(true, ordering: .relaxed) }
}

/// How often something happened.
final class Counter: Sendable {
  private let count = Atomic(0)
  var value: Int { count.load(ordering: .relaxed) }
  func add() { count.add(1, ordering: .relaxed) }
}
