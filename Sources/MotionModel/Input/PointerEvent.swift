/// What one pointer did at one moment: a finger, a pen or a mouse on a target.
public struct PointerEvent: Hashable, Sendable {
  /// What a pointer can do.
  public enum Phase: String, CaseIterable, Hashable, Sendable {
    /// It touches, or its button goes down.
    case down
    /// It moves while it is down.
    case move
    /// It lifts.
    case up
    /// Whatever it was doing does not count: the device is gone, or somebody else took the pointer over.
    case cancel
  }

  /// Which pointer, from its `down` to its `up`: the number of a contact, 0 for a mouse.
  public var id: UInt64
  /// What it did.
  public var phase: Phase
  /// Where it is, in the units of the target's position.
  public var location: SIMD2<Double>
  /// When, in simulated seconds.
  public var time: Double

  /// What the pointer `id` did at `time`, in simulated seconds.
  public init(id: UInt64, _ phase: Phase, at location: SIMD2<Double>, time: Double) {
    self.id = id
    self.phase = phase
    self.location = location
    self.time = time
  }

  /// Whether its location is within ``Limits/magnitude`` and its time is finite. Other events are refused where they come in,
  /// and ignored elsewhere.
  public var isWellFormed: Bool {
    abs(location.x) <= Limits.magnitude && abs(location.y) <= Limits.magnitude && time.isFinite
  }
}
