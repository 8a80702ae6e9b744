public import MotionModel

/// What a stream says of a property at a moment.
public struct StreamWrite: Hashable, Sendable {
  /// Where the property is, and how fast it moves.
  public var state: PropertyState
  /// What of this the plan sets by itself, so that taking the property over does not blend it.
  public var imposes: Imposed
  /// The seconds until the movement ends, if known; taking over blends no longer than that.
  public var remaining: Double?

  /// A state that is written.
  public init(_ state: PropertyState, imposing imposes: Imposed = [], remaining: Double? = nil) {
    self.state = state
    self.imposes = imposes
    self.remaining = remaining
  }
}

/// What keeps a runtime awake for a stream that is written to a property.
public enum StreamActivity: Hashable, Sendable {
  /// The stream's states: remote execution runs from `active` to `atRest`, whatever moves the stream.
  case states
  /// The frames that it asks for: for streams that only frames move. Workers send a message less at each end.
  case frames
}
