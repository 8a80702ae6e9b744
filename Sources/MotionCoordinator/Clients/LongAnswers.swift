import MotionModel
import MotionWire
import ZeroMQ

/// The answers that are too long to be made at once: their rows are made on the loop, between frames, and their bytes on a thread
/// beside it.
final class LongAnswers {
  /// Whose turn it is.
  var queue = AnswerQueue<RoutingID>()
  let encoder: AnswerEncoder

  /// Starts the thread.
  init(on machine: any Machine) throws { encoder = try AnswerEncoder(on: machine) }

  /// A client asks for one.
  ///
  /// - Throws: the refusal, when too many wait already.
  func ask(_ question: AnswerQueue<RoutingID>.Question) throws(Refusal) { try queue.ask(question) }
}
