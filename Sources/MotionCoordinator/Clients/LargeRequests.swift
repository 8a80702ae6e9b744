import MotionCore

/// The queue of requests that were decoded on a thread of their own, in order, the steps that lists of cues take by
/// themselves, and the progress of the first.
struct LargeRequests {
  var requests: [RequestDecoder.Decoded] = []
  /// Each is carried out before the next request.
  private var cues: [CueDriver.Step] = []
  /// The search for the targets of the first request so far, if that request is a commit.
  var resolution: TargetResolution?
  /// The check of the first request so far, likewise.
  var check: TransactionCheck?
  /// Finished checks, kept until nothing is left of what was staged for a refused transaction.
  var checked: [TransactionCheck] = []

  var isEmpty: Bool { requests.isEmpty && checked.isEmpty && cues.isEmpty }

  /// Whether a request is in progress.
  private var isBusy: Bool { resolution != nil || check != nil }
  /// Whether the step in front is in progress.
  private var isAtCue = false

  /// A list of cues takes a step.
  mutating func append(_ step: CueDriver.Step) { cues.append(step) }

  /// The step to work at next: the one in front, unless a request is in progress.
  mutating func nextCue() -> CueDriver.Step? {
    guard let first = cues.first, isAtCue || !isBusy else { return nil }
    isAtCue = true
    return first
  }

  /// The step in front is done.
  mutating func finishCue() {
    cues.removeFirst()
    isAtCue = false
    finish()
  }

  /// What was in progress is done.
  mutating func finish() {
    resolution = nil
    if let check = check.take() { checked.append(check) }
  }
}
