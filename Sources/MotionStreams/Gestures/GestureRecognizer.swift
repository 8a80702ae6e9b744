public import MotionModel

/// Recognises one kind of gesture in pointer events: a state machine without a clock.
///
/// Each event leads to at most one state that is reported to observers. Several recognisers may be given the same
/// events; they are independent of each other. Any sequence of events is accepted: see ``PointerSet``.
public protocol GestureRecognizer: Sendable {
  /// The name of such a gesture's stream in descriptions: `drag(: pan)`.
  static var sourceName: String { get }
  /// The state of the gesture after the last event. Never ``GestureState/ended`` or ``GestureState/recognized``, which
  /// last only during their event.
  var state: GestureState { get }
  /// The pointers that are down.
  var pointers: PointerSet { get }
  /// The centre of the pointers, or of those that were down last; zero before the first.
  var centroid: SIMD2<Double> { get }

  /// Handles an event.
  ///
  /// - Returns: the state that the event led to, if observers are to be notified; the return to `possible` is not
  ///   reported.
  @discardableResult
  mutating func handle(_ event: PointerEvent) -> GestureState?

  /// Removes all pointers, as when their device is gone or the gesture is no longer needed.
  ///
  /// - Returns: `cancelled` if the gesture was under way, `failed` if it was possible and pointers were down.
  @discardableResult
  mutating func cancel() -> GestureState?
}

extension GestureRecognizer {
  /// The default name, that of ``gestureSource(_:)``, for a recogniser that defines no name.
  public static var sourceName: String { "gestureSource(_:)" }
}

/// A recogniser of a continuous gesture, which has a velocity.
public protocol ContinuousGestureRecognizer: GestureRecognizer {
  /// The type of measurement: a displacement, a factor, an angle.
  associatedtype Movement

  /// The velocity of the gesture at `time`, in simulated seconds, per second; zero after 100 ms without movement.
  func velocity(at time: Double) -> Movement
}

extension ContinuousGestureRecognizer {
  /// The velocity of the gesture at the time of its last event, per second.
  public var velocity: Movement { velocity(at: pointers.time) }
}
