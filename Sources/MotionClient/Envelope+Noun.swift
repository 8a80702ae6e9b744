import MotionWire

extension Envelope.Body {
  /// The kind of message, with its article, for errors.
  var noun: String {
    switch self {
    case .service: "a greeting's answer"
    case .receipt: "a receipt"
    case .refusal: "a refusal"
    case .answer: "an answer to a query"
    case .done: "a confirmation"
    case .history: "an answer about the history"
    case .values, .names, .ended, .drivers: "a message for subscribers"
    case .greeting, .commit, .query, .clock, .stop, .alive, .restart, .input, .inputValues, .cancel, .record,
      .historyRequest:
      "a request"
    case .claim, .assignment, .hello, .welcome, .resync, .snapshot, .inspect, .streamReport, .command,
      .coordinatorHeartbeat,
      .tick, .update, .workerHeartbeat, .log:
      "a message for workers"
    }
  }
}
