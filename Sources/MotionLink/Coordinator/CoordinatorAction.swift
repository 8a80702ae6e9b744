public import MotionModel
public import MotionWire

/// What the coordinator has to do for one worker, in the order given.
public enum CoordinatorAction: Hashable, Sendable {
  /// Send this to the worker on the link.
  case send(Envelope)
  /// Publish this on the worker's topic of commands.
  case publish(Envelope)
  /// Answer with ``CoordinatorLink/provide(_:at:)``, now or soon: the worker needs to know everything.
  case provideSnapshot
  /// Apply this in the next frame, whole: only what is new in it is left.
  case apply(WorkerUpdate)
  /// The worker holds what it has to hold, for the first time or again.
  case provisioned
  /// The worker answers the question of this number (``CoordinatorLink/inspect(_:at:)``).
  case reported(StreamReport, question: UInt64)
  /// The worker says this to people.
  case log(LogLine)
  /// Something is wrong that people should know, though the link goes on.
  case report(String)
  /// The worker is done with: end its process, end its tokens, drop the link. Nothing it says counts any more.
  case fence(FenceReason)
}

/// Why a worker is done with.
public enum FenceReason: Hashable, Sendable, CustomStringConvertible {
  /// It did not say hello in time.
  case neverGreeted(after: Duration)
  /// It said hello, but did not get as far as to ask for a snapshot.
  case neverAsked(after: Duration)
  /// It was not heard for so long.
  case silent(for: Duration)
  /// It said more than a worker has to say: more than anybody could hear without neglecting the others.
  case flooding(String)
  /// It was refused; starting it again would not help.
  case refused(Refusal)

  /// Whether another start of the same program may fare better.
  public var isWorthARestart: Bool {
    if case .refused = self { false } else { true }
  }

  /// The reason, for people.
  public var description: String {
    switch self {
    case .neverGreeted(let limit): "it said no hello within \(limit)"
    case .neverAsked(let limit): "it was not ready for its first snapshot within \(limit)"
    case .silent(let time):
      "nothing was heard of it for \(DurationText.text(of: .milliseconds(Int(time / .milliseconds(1)))))"
    case .flooding(let what): "it flooded motiond: \(what)"
    case .refused(let refusal): "it was refused: \(refusal)"
    }
  }
}
