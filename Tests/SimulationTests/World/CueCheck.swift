import MotionModel

@testable import MotionCoordinator
@testable import MotionCore

/// Checks after each turn that lists of cues go on by themselves: each step once, none earlier than its time, and none
/// much later while transactions are accepted. No timeline passes over a cue that waits.
struct CueCheck {
  /// How much later than it is due a list may go on: a frame, the disk, and another attempt.
  private static let timeout = Duration.seconds(4)

  private var positions: [CueListName: CuePosition] = [:]
  /// Since when each list is due and could go on.
  private var due: [CueListName: Duration] = [:]
  private(set) var paths: Set<Census.Path> = []

  /// The violations in the last turn.
  mutating func problems(in coordinator: isolated Coordinator, at now: Duration) -> [String] {
    let runtime = coordinator.runtime
    var problems: [String] = []
    let isHindered =
      coordinator.clock.stands || coordinator.isStopping || coordinator.commits.journal?.problem != nil
    var present: [CueListName: CuePosition] = [:]
    for name in runtime.cues.names {
      guard let (list, position) = runtime.cues[name] else { continue }
      present[name] = position
      if let before = positions[name], position.step > before.step, let problem = note(before, position, list) {
        problems.append("\(name): \(problem)")
      }
      guard !isHindered, let time = position.due, time <= runtime.frame.time else {
        due[name] = nil
        continue
      }
      let since = due[name] ?? now
      due[name] = since
      if now - since > Self.timeout {
        problems.append("\(name) is due since \(since) and does not go on: \(position)")
      }
    }
    positions = present
    return problems
  }

  /// Notes what a step was; returns the violation, if it is one.
  private mutating func note(_ before: CuePosition, _ after: CuePosition, _ list: CueList) -> String? {
    guard after.step == before.step + 1 else { return nil }
    if before.waits, !after.waits, after.current == before.current, after.went == before.went {
      paths.insert(.cueBegan)
    }
    if let due = before.due, !before.waits, after.went == due { paths.insert(.cueFollowed) }
    if after.passed != before.passed, let passed = after.passed {
      let isFired = after.current.map { list.cues.indices.contains($0) && list.cues[$0].at == passed } ?? false
      paths.insert(isFired ? .cueFired : .timelineJumped)
      if isFired, before.waits { return "cue \(before.current ?? -1) waited, and its timeline fired another: \(after)" }
    }
    return nil
  }
}
