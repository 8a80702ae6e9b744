import MotionCore
import MotionModel
import Testing

@testable import MotionCoordinator

/// Which long answer is made, and how much of it in a turn: counted in rows, not in time.
struct AnswerQueueTests {
  private typealias Queue = AnswerQueue<String>

  private func runtime(_ count: Int) throws -> Runtime {
    let runtime = Runtime(ratePerSecond: 100)
    var transaction = Transaction()
    for number in 0..<count { transaction.add(.anchoredSpring("x", [1]), to: try TargetName("t\(number)")) }
    try runtime.commit(transaction)
    runtime.advance()
    return runtime
  }

  private func question(_ client: String, _ request: UInt64 = 1, _ query: Query = .targets, on connection: Int32? = nil)
    -> Queue.Question
  {
    Queue.Question(client: client, request: request, query: query, connection: connection)
  }

  /// The content of a slice: its rows, and which answers were finished or refused with it.
  private func slice(
    _ queue: inout Queue, _ runtime: Runtime, gone: Set<Int32> = [], goesOn: Bool = true
  ) -> (rows: Int, done: [String]) {
    var (rows, done) = (0, [String]())
    for action in queue.advance(runtime, at: 0, isConnected: { !gone.contains($0) }, goesOn: { goesOn }) {
      switch action {
      case .encode(let piece, _, _): rows += piece.count
      case .finish(let number, let question, _):
        done.append("\(question.client) \(question.request)")
        #expect(queue.finish(number)?.request == question.request && queue.finish(number) == nil)
      case .forget: done.append("forgotten")
      case .refuse(let question, _): done.append("refused \(question.client)")
      }
    }
    queue.encoded(rows)
    return (rows, done)
  }

  // Clauses: S11.20
  @Test(arguments: [Query.targets, .properties(nil), .executors(nil), .intentions(nil), .graph(nil)])
  func `a turn builds at most 512 rows, and 64 when a frame is due`(query: Query) throws {
    for count in [1_000, 4_000] {
      let runtime = try runtime(count)
      var (queue, made) = (Queue(), 0)
      try queue.ask(question("me", 1, query))
      #expect(slice(&queue, runtime, goesOn: false).rows <= Queue.rowsAtATime + 3)
      while queue.deadline != nil {
        let rows = slice(&queue, runtime).rows
        #expect(rows <= Queue.rowsPerSlice + Queue.rowsAtATime)
        made += rows
      }
      #expect(made >= count - Queue.rowsAtATime && queue.count == 0)
    }
  }

  // Clauses: S11.20
  @Test func `a slice ends when a frame becomes due, and is made whole if one was due before`() {
    let (begin, later) = (Duration.milliseconds(10), Duration.milliseconds(11))
    #expect(Queue.hasTime(since: begin, at: later, until: nil))
    #expect(Queue.hasTime(since: begin, at: later, until: .milliseconds(12)))
    #expect(!Queue.hasTime(since: begin, at: later, until: later))
    #expect(Queue.hasTime(since: begin, at: later, until: begin))
    #expect(Queue.hasTime(since: begin, at: later, until: .milliseconds(3)))
  }

  @Test func `one answer is built at a time, and clients take turns`() throws {
    let runtime = try runtime(600)
    var queue = Queue()
    for request in 1...3 { try queue.ask(question("greedy", UInt64(request))) }
    try queue.ask(question("modest", 7))
    var done: [String] = []
    while queue.deadline != nil { done += slice(&queue, runtime).done }
    #expect(done == ["greedy 1", "modest 7", "greedy 2", "greedy 3"])
  }

  @Test func `the waiting answers are limited, in all and for each client; a resent query keeps its place`() throws {
    var queue = Queue()
    for request in 1...Queue.limitOfClient { try queue.ask(question("a", UInt64(request))) }
    #expect(throws: Refusal.self) { try queue.ask(question("a", 99)) }
    try queue.ask(question("a", 1))
    #expect(queue.count == Queue.limitOfClient)
    for number in queue.count..<Queue.limit { try queue.ask(question("c\(number)")) }
    #expect(throws: Refusal.self) { try queue.ask(question("another")) }
  }

  // Clauses: S11.22
  @Test func `the answer for a disconnected client is cancelled, also when it is half built`() throws {
    let runtime = try runtime(1_500)
    var queue = Queue()
    try queue.ask(question("leaver", 1, on: 5))
    try queue.ask(question("leaver", 2, on: 5))
    try queue.ask(question("stayer", 3, on: 6))
    #expect(slice(&queue, runtime) == (Queue.rowsPerSlice, []))
    var done = slice(&queue, runtime, gone: [5]).done
    while queue.deadline != nil { done += slice(&queue, runtime, gone: [5]).done }
    #expect(done == ["forgotten", "stayer 3"])
  }

  @Test func `no rows are built while the encoder has enough`() throws {
    let runtime = try runtime(5_000)
    var queue = Queue()
    try queue.ask(question("me"))
    var rows = 0
    while queue.deadline != nil {
      for case .encode(let piece, _, _) in queue.advance(runtime, at: 0, isConnected: { _ in true }, goesOn: { true }) {
        rows += piece.count
      }
    }
    #expect(rows >= Queue.rowsUnencoded && rows < Queue.rowsUnencoded + Queue.rowsPerSlice)
    queue.encoded(rows)
    #expect(queue.deadline != nil)
  }

  @Test func `the pause between two slices is as long as the slice took`() throws {
    let runtime = try runtime(5_000)
    var queue = Queue()
    try queue.ask(question("me"))
    _ = slice(&queue, runtime)
    queue.rest(after: .milliseconds(10), at: .milliseconds(12))
    #expect(queue.deadline == .milliseconds(14))
  }

  @Test func `a query about a target forgotten meanwhile is refused, and the next answer is built`() throws {
    let runtime = try runtime(300)
    var queue = Queue()
    try queue.ask(question("a", 1, .graph("t7")))
    try queue.ask(question("b", 2, .graph("t8")))
    var transaction = Transaction()
    transaction.forget("t7")
    try runtime.commit(transaction)
    runtime.advance()
    var done: [String] = []
    while queue.deadline != nil { done += slice(&queue, runtime).done }
    #expect(done == ["refused a", "b 2"])
  }
}
