import MotionCore
import MotionHistory
import MotionModel

/// The differences between two recordings: of their properties in each frame, and of the plans that were added.
///
/// Both are replayed side by side, frame by frame with the same number. Where one is longer, the other counts as standing
/// still in its last state.
struct RecordingComparison {
  /// How far values, and velocities, may differ and count as equal.
  struct Tolerance {
    var value = 0.0
    var velocity = 0.0
  }

  /// One of the two recordings.
  enum Side: Int, CaseIterable {
    case first, second
  }

  /// Where a difference is largest.
  struct Largest {
    var difference = 0.0
    var lane = 0
    var frame: UInt64 = 0
    var time = 0.0

    mutating func take(_ other: Largest) { if other.difference > difference { self = other } }
  }

  /// A property that differs.
  struct Property {
    let reference: PropertyReference
    /// The first frame in which it differs.
    let frame: UInt64
    let time: Double
    var value = Largest()
    var velocity = Largest()
    /// Whether only one recording has it, or has it with these lanes, in some frame.
    var isMissing = false
  }

  /// A plan, as its transaction states it, that one recording has more often.
  struct Plan: Hashable {
    let target: TargetName
    let name: IntentionName?
    let intention: Intention
  }

  let tolerance: Tolerance
  /// The number of frames that both have.
  private(set) var frames = 0
  /// The number of frames that only one has.
  private(set) var extraFrames = [0, 0]
  private var hasCompared = false
  private var properties: [PropertyReference: Property] = [:]
  /// By how many more the first recording has each plan, and when it was met first.
  private var plans: [Plan: (surplus: Int, order: Int)] = [:]

  init(_ tolerance: Tolerance) { self.tolerance = tolerance }

  /// Whether something differs.
  var isDifferent: Bool { !properties.isEmpty || plans.contains { $0.value.surplus != 0 } }

  /// The properties that differ: those that do so first, come first.
  var differing: [Property] {
    properties.values.sorted { ($0.frame, $0.reference) < ($1.frame, $1.reference) }
  }

  /// The plans that one recording has more often than the other, in the order in which they were met.
  func surplus(of side: Side) -> [(plan: Plan, count: Int)] {
    plans.map { (plan: $0.key, count: side == .first ? $0.value.surplus : -$0.value.surplus, order: $0.value.order) }
      .filter { $0.count > 0 }.sorted { $0.order < $1.order }.map { ($0.plan, $0.count) }
  }

  // MARK: Frames

  /// Compares two recordings from their first common frame to their ends.
  static func compare(
    _ first: RecordingCursor, _ second: RecordingCursor, _ tolerance: Tolerance
  ) throws(Failure) -> RecordingComparison {
    let rates = [first, second].map(\.header.ratePerSecond)
    guard rates[0] == rates[1] else {
      throw Failure(
        .failure,
        "\(first.file) has \(JSONText.number(rates[0])) frames per second, and \(second.file) \(JSONText.number(rates[1]))",
        remedy: "record both with the same --rate")
    }
    var comparison = RecordingComparison(tolerance)
    comparison.take(first.header, .first)
    comparison.take(second.header, .second)
    func next(_ cursor: RecordingCursor) throws(Failure) -> RecordingCursor.Played? {
      try readingHistory { () throws(HistoryError) in try cursor.next() }
    }
    var ahead = (try next(first), try next(second))
    while ahead.0 != nil || ahead.1 != nil {
      let numbers = (ahead.0?.recorded.frame.number ?? .max, ahead.1?.recorded.frame.number ?? .max)
      let number = min(numbers.0, numbers.1)
      let (isInFirst, isInSecond) = (numbers.0 == number, numbers.1 == number)
      if isInFirst, let played = ahead.0 { comparison.take(played.recorded, .first) }
      if isInSecond, let played = ahead.1 { comparison.take(played.recorded, .second) }
      // Of a frame from before the other recording's first one, the other has no state to compare.
      if isInFirst && isInSecond || ahead.0 == nil || ahead.1 == nil {
        comparison.compare(first.runtime, second.runtime, changed: (isInFirst, isInSecond))
      }
      comparison.count(isInFirst, isInSecond)
      if isInFirst { ahead.0 = try next(first) }
      if isInSecond { ahead.1 = try next(second) }
    }
    guard comparison.frames > 0 || comparison.extraFrames.contains(0) else {
      throw Failure(
        .failure, "\(first.file) and \(second.file) have no frame in common",
        remedy: "record both from a start of motiond without a journal, which begins with frame 1")
    }
    return comparison
  }

  private mutating func count(_ isInFirst: Bool, _ isInSecond: Bool) {
    if isInFirst && isInSecond {
      frames += 1
    } else {
      extraFrames[isInFirst ? 0 : 1] += 1
    }
  }

  /// Compares the properties that the frame changed in these recordings; at first, all.
  mutating func compare(_ first: Runtime, _ second: Runtime, changed: (Bool, Bool)) {
    var references: Set<PropertyReference> = []
    for (runtime, isChanged) in [(first, changed.0), (second, changed.1)] where isChanged || !hasCompared {
      if hasCompared {
        for change in runtime.changes { references.insert(change.reference) }
        references.formUnion(runtime.forgotten.map(\.reference))
      } else if case .properties(let rows)? = try? runtime.answer(.properties(nil), at: runtime.frame.time) {
        references.formUnion(rows.map(\.reference))
      }
    }
    hasCompared = true
    let frame = changed.0 ? first.frame : second.frame
    for reference in references { compare(reference, first.state(of: reference), second.state(of: reference), frame) }
  }

  private mutating func compare(
    _ reference: PropertyReference, _ first: PropertyState?, _ second: PropertyState?, _ frame: Frame
  ) {
    var (value, velocity, isMissing) = (Largest(), Largest(), false)
    if let first, let second, first.value.count == second.value.count {
      value = Largest(first.value, second.value, frame)
      velocity = Largest(first.velocity, second.velocity, frame)
    } else {
      isMissing = (first == nil) != (second == nil) || first != nil
    }
    guard isMissing || value.difference > tolerance.value || velocity.difference > tolerance.velocity else { return }
    var property =
      properties[reference] ?? Property(reference: reference, frame: frame.number, time: frame.time)
    property.value.take(value)
    property.velocity.take(velocity)
    if isMissing { property.isMissing = true }
    properties[reference] = property
  }

  // MARK: Plans

  private mutating func take(_ header: RecordingHeader, _ side: Side) {
    for plan in header.checkpoint?.plans ?? [] where plan.identity.parent == nil {
      add(Plan(target: plan.target, name: plan.name, intention: plan.intention), side)
    }
  }

  private mutating func take(_ recorded: RecordedFrame, _ side: Side) {
    for case .commit(_, let transaction) in recorded.betweenFrames + recorded.events {
      for case .add(let intention, let name, let target) in transaction.log {
        add(Plan(target: target, name: name, intention: intention), side)
      }
    }
  }

  private mutating func add(_ plan: Plan, _ side: Side) {
    let known = plans[plan] ?? (0, plans.count)
    plans[plan] = (known.surplus + (side == .first ? 1 : -1), known.order)
  }
}

extension RecordingComparison.Largest {
  /// The largest difference of two states of lanes.
  fileprivate init(_ first: Lanes, _ second: Lanes, _ frame: Frame) {
    (self.frame, time) = (frame.number, frame.time)
    for lane in 0..<first.count where abs(first[lane] - second[lane]) > difference {
      (difference, self.lane) = (abs(first[lane] - second[lane]), lane)
    }
  }
}
