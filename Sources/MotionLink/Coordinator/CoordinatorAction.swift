public import MotionModel
public import MotionWire

/// The actions that the coordinator must perform for one worker, in the order given.
public enum CoordinatorAction: Hashable, Sendable {
  /// Send this envelope to the worker on the link.
  case send(Envelope)
  /// Publish this envelope on the worker's topic of commands.
  case publish(Envelope)
  /// Answer with ``CoordinatorLink/provide(_:at:)``, now or soon: the worker needs a full snapshot.
  case provideSnapshot
  /// Apply this update in the next frame, as a whole. Anything that was already received has been removed from it.
  case apply(WorkerUpdate)
  /// The worker holds its snapshot, for the first time or again.
  case provisioned
  /// The worker's answer to the question with this number (``CoordinatorLink/inspect(_:at:)``).
  case reported(StreamReport, question: UInt64)
  /// A log line of the worker, for people.
  case log(LogLine)
  /// A problem that people should see, although the link continues.
  case report(String)
  /// The worker is fenced: end its process, end its tokens, drop the link. No later message of it is accepted.
  case fence(FenceReason)
}

/// Why the coordinator fences a worker.
public enum FenceReason: Hashable, Sendable, CustomStringConvertible {
  /// It sent no hello in time.
  case neverGreeted(after: Duration)
  /// It sent hello, but did not reach the request for a snapshot.
  case neverAsked(after: Duration)
  /// The coordinator received nothing from it for this long.
  case silent(for: Duration)
  /// It sent more than a worker has to send: more than the coordinator could receive without neglecting the others.
  case flooding(String)
  /// It was refused; a restart would not help.
  case refused(Refusal)

  /// Whether another start of the same program may succeed.
  public var isWorthARestart: Bool {
    if case .refused = self { false } else { true }
  }

  /// The reason, for people.
  public var description: String {
    switch self {
    case .neverGreeted(let limit): "it sent no hello within \(limit)"
    case .neverAsked(let limit): "it was not ready for its first snapshot within \(limit)"
    case .silent(let time):
      "no message was received from it for \(DurationText.text(of: .milliseconds(Int(time / .milliseconds(1)))))"
    case .flooding(let what): "it flooded motiond: \(what)"
    case .refused(let refusal): "it was refused: \(refusal)"
    }
  }
}
