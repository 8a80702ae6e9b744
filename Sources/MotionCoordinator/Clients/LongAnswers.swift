import MotionModel
import MotionWire
import ZeroMQ

/// The answers that are too long to be made at once: their rows are made on the loop, between frames, and their bytes
/// on a separate thread.
final class LongAnswers {
  /// The order of turns.
  var queue = AnswerQueue<RoutingID>()
  let encoder: AnswerEncoder

  /// Starts the thread.
  init(on machine: any Machine) throws { encoder = try AnswerEncoder(on: machine) }

  /// Queues a client's query.
  ///
  /// - Throws: the refusal, when too many wait already.
  func ask(_ question: AnswerQueue<RoutingID>.Question) throws(Refusal) { try queue.ask(question) }
}
