/// A step function as a timing function: CSS's `steps(count, position)`.
public struct StepTiming: Hashable, Sendable {
  /// The positions of the jumps.
  public enum Position: String, Hashable, Sendable, CaseIterable {
    /// A jump at the beginning of each step: the first one at progress 0.
    case start = "jump-start"
    /// A jump at the end of each step: the last one at progress 1.
    case end = "jump-end"
    /// No jump at either end: the first step is at 0, the last at 1.
    case none = "jump-none"
    /// Jumps at both ends.
    case both = "jump-both"
  }

  /// The number of steps.
  public let count: Int

  /// The positions of the jumps.
  public let position: Position

  /// The largest number of steps; more could not be distinguished from `linear`, nor counted without rounding.
  public static let largestCount = 1_000_000

  /// Creates a function of this many steps; throws unless there are 1 (`jump-none`: 2) to ``largestCount``.
  public init(count: Int, position: Position = .end) throws(TimingFunctionError) {
    let least = position == .none ? 2 : 1
    guard (least...Self.largestCount).contains(count) else {
      throw TimingFunctionError(
        "\(count) steps with \(position.rawValue)", remedy: "give a whole number from \(least) to \(Self.largestCount)")
    }
    self.count = count
    self.position = position
  }

  func value(at progress: Double) -> Double {
    let jumps: Int
    switch position {
    case .start, .end: jumps = count
    case .none: jumps = count - 1
    case .both: jumps = count + 1
    }
    let isEarly = position == .start || position == .both
    let step = Int((progress * Double(count)).rounded(.down)) + (isEarly ? 1 : 0)
    return Double(min(step, jumps)) / Double(jumps)
  }
}
