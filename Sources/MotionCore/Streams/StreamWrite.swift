public import MotionModel

/// A value that a stream writes to a property.
public struct StreamWrite: Hashable, Sendable {
  /// The property's value and velocity.
  public var state: PropertyState
  /// The parts that the plan sets by itself, so that a take-over does not blend them.
  public var imposes: Imposed
  /// The seconds until the movement ends, if known; a take-over blends no longer than that.
  public var remaining: Double?
  /// The seconds in which a take-over blends out the difference in velocity, if sooner than that in value.
  public var carry: Double?

  /// A write of this state.
  public init(
    _ state: PropertyState, imposing imposes: Imposed = [], remaining: Double? = nil, carry: Double? = nil
  ) {
    self.state = state
    self.imposes = imposes
    self.remaining = remaining
    self.carry = carry
  }
}

/// How a stream that is written to a property keeps the runtime awake.
public enum StreamActivity: Hashable, Sendable {
  /// By the stream's states: remote execution runs from `active` to `atRest`, whatever moves the stream.
  case states
  /// By the frames that it needs: for streams that only frames move. Workers send a message less at each end.
  case frames
}
