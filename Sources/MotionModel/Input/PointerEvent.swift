/// An event of one pointer at one time: a finger, a pen or a mouse on a target.
public struct PointerEvent: Hashable, Sendable {
  /// The kind of a pointer event.
  public enum Phase: String, CaseIterable, Hashable, Sendable {
    /// The pointer touches, or its button is pressed.
    case down
    /// The pointer moves while it is down.
    case move
    /// The pointer lifts.
    case up
    /// The contact is void: the device was removed, or another receiver took over the pointer.
    case cancel
  }

  /// The pointer's number, constant from its `down` to its `up`: the number of a contact, 0 for a mouse.
  public var id: UInt64
  /// The kind of the event.
  public var phase: Phase
  /// The pointer's location, in the units of the target's position.
  public var location: SIMD2<Double>
  /// The time of the event, in simulated seconds.
  public var time: Double

  /// Creates an event of pointer `id` at `time`, in simulated seconds.
  public init(id: UInt64, _ phase: Phase, at location: SIMD2<Double>, time: Double) {
    self.id = id
    self.phase = phase
    self.location = location
    self.time = time
  }

  /// Whether its location is within ``Limits/magnitude`` and its time is finite. Other events are refused at the entry
  /// points, and ignored elsewhere.
  public var isWellFormed: Bool {
    abs(location.x) <= Limits.magnitude && abs(location.y) <= Limits.magnitude && time.isFinite
  }
}
