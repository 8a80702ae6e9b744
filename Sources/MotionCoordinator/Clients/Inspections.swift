import MotionModel

/// The questions of clients that workers are asked about before they are answered: what streams they are made of.
///
/// A worker that is slow, or does not know the question, costs the client ``timeout`` and its streams, with a remark;
/// nobody else waits.
struct Inspections<Client: Equatable> {
  /// How long workers are waited for: a step's timeout, and half of what a client waits before it asks again.
  static var timeout: Duration { .milliseconds(500) }
  /// How many questions wait at a time: as many people as look at one daemon, with room to spare.
  static var limit: Int { 64 }

  /// A question, what is known of its answer, and who is still to be heard.
  struct Question {
    let client: Client
    /// The connection that it came by, if that is known.
    let connection: Int32?
    let request: UInt64
    let target: TargetName?
    let deadline: Duration
    fileprivate(set) var streams: [IntentionIdentity: [StreamDescription]] = [:]
    fileprivate(set) var remarks: [String] = []
    /// By worker, under which number it was asked.
    fileprivate var awaited: [WorkerAddress: UInt64]
  }

  private var questions: [Question] = []

  /// When the next question is answered in any case.
  var nextDeadline: Duration? { questions.map(\.deadline).min() }

  /// Whether another question would be one too many.
  var isFull: Bool { questions.count >= Self.limit }

  /// Whether a client has asked this already and waits.
  func isAsked(by client: Client, request: UInt64) -> Bool {
    questions.contains { $0.client == client && $0.request == request }
  }

  /// A client asks, and workers were asked under these numbers.
  mutating func begin(
    _ target: TargetName?, for client: Client, on connection: Int32? = nil, request: UInt64,
    asking workers: [WorkerAddress: UInt64], at now: Duration
  ) {
    questions.append(
      Question(
        client: client, connection: connection, request: request, target: target, deadline: now + Self.timeout,
        awaited: workers))
  }

  /// A worker answers the question that it was asked under this number; what nobody asked is ignored.
  ///
  /// - Parameter isKnown: whether it has a plan: what a worker says of the plans of others does not count.
  mutating func heard(
    _ report: StreamReport, from worker: WorkerAddress, number: UInt64, isKnown: (IntentionIdentity) -> Bool
  ) {
    for index in questions.indices where questions[index].awaited[worker] == number {
      questions[index].awaited[worker] = nil
      for plan in report.plans where isKnown(plan.identity) {
        questions[index].streams[plan.identity] = plan.streams
      }
      if report.isCut { questions[index].remarks.append("\(worker) has more streams than it describes in one go") }
    }
  }

  /// A worker is gone, and with it what it would have said.
  mutating func lost(_ worker: WorkerAddress) {
    for index in questions.indices where questions[index].awaited.removeValue(forKey: worker) != nil {
      questions[index].remarks.append("\(worker) ended before it described its streams")
    }
  }

  /// The questions that nobody has to be heard for any more, or that have waited long enough, in order.
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
