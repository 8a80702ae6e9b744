import MotionModel

/// The queries of clients for which workers are queried about their streams before the answer.
///
/// A worker that is slow, or does not support the question, costs the client ``timeout`` and that worker's streams,
/// with a remark; no other client waits.
struct Inspections<Client: Equatable> {
  /// How long workers are waited for: a step's timeout, and half of a client's resend interval.
  static var timeout: Duration { .milliseconds(500) }
  /// The most queries that wait at a time: as many as people look at one daemon, with room to spare.
  static var limit: Int { 64 }

  /// A query, the known part of its answer, and the workers that have not answered.
  struct Question {
    let client: Client
    /// The connection that it came by, if that is known.
    let connection: Int32?
    let request: UInt64
    let target: TargetName?
    let deadline: Duration
    fileprivate(set) var streams: [IntentionIdentity: [StreamDescription]] = [:]
    fileprivate(set) var remarks: [String] = []
    /// The question number, by worker.
    fileprivate var awaited: [WorkerAddress: UInt64]
  }

  private var questions: [Question] = []

  /// When the next query is answered in any case.
  var nextDeadline: Duration? { questions.map(\.deadline).min() }

  /// Whether there is no room for another query.
  var isFull: Bool { questions.count >= Self.limit }

  /// Whether the same request of a client already waits.
  func isAsked(by client: Client, request: UInt64) -> Bool {
    questions.contains { $0.client == client && $0.request == request }
  }

  /// Queues a query for which workers were queried under these numbers.
  mutating func begin(
    _ target: TargetName?, for client: Client, on connection: Int32? = nil, request: UInt64,
    asking workers: [WorkerAddress: UInt64], at now: Duration
  ) {
    questions.append(
      Question(
        client: client, connection: connection, request: request, target: target, deadline: now + Self.timeout,
        awaited: workers))
  }

  /// Handles a worker's answer to the question with this number; an answer to no question is ignored.
  ///
  /// - Parameter isKnown: whether the worker has a plan: its report about plans of others does not count.
  mutating func heard(
    _ report: StreamReport, from worker: WorkerAddress, number: UInt64, isKnown: (IntentionIdentity) -> Bool
  ) {
    for index in questions.indices where questions[index].awaited[worker] == number {
      questions[index].awaited[worker] = nil
      for plan in report.plans where isKnown(plan.identity) {
        questions[index].streams[plan.identity] = plan.streams
      }
      if report.isCut { questions[index].remarks.append("\(worker) has more streams than one description can contain") }
    }
  }

  /// A worker is gone, and its answer will not come.
  mutating func lost(_ worker: WorkerAddress) {
    for index in questions.indices where questions[index].awaited.removeValue(forKey: worker) != nil {
      questions[index].remarks.append("\(worker) ended before it described its streams")
    }
  }

  /// Takes out the queries that wait for no more workers, or have waited long enough, in order.
  mutating func take(at now: Duration) -> [Question] {
    var done: [Question] = []
    questions.removeAll { question in
      guard question.awaited.isEmpty || now >= question.deadline else { return false }
      var question = question
      for worker in question.awaited.keys.sorted() {
        question.remarks.append("\(worker) did not describe its streams within \(Self.timeout)")
      }
      done.append(question)
      return true
    }
    return done
  }
}
