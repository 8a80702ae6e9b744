public import MotionModel

/// Finds one kind of gesture in what pointers do: a state machine without a clock.
///
/// Each event leads to at most one state that observers should hear of. Several recognisers may be given the same events;
/// they do not know of each other. Any sequence of events is taken: see ``PointerSet``.
public protocol GestureRecognizer: Sendable {
  /// What the stream of such a gesture is called in descriptions: `drag(: pan)`.
  static var sourceName: String { get }
  /// Where the gesture is, after the last event. Never ``GestureState/ended`` or ``GestureState/recognized``, which are
  /// over when the event is.
  var state: GestureState { get }
  /// The pointers that are down.
  var pointers: PointerSet { get }
  /// The centre of the pointers, or of those that were down last; zero before the first.
  var centroid: SIMD2<Double> { get }

  /// Takes an event.
  ///
  /// - Returns: the state that the event led to, if observers should hear of it; the return to `possible` is silent.
  @discardableResult
  mutating func handle(_ event: PointerEvent) -> GestureState?

  /// Takes all pointers away, as when their device is gone or the gesture is no longer wanted.
  ///
  /// - Returns: `cancelled` if the gesture was under way, `failed` if it was possible and pointers were down.
  @discardableResult
  mutating func cancel() -> GestureState?
}

extension GestureRecognizer {
  /// What ``gestureSource(_:)`` is called, where a recogniser has no word of its own.
  public static var sourceName: String { "gestureSource(_:)" }
}

/// A recogniser of a gesture that lasts and has a velocity.
public protocol ContinuousGestureRecognizer: GestureRecognizer {
  /// What the gesture measures: a way, a factor, an angle.
  associatedtype Movement

  /// How fast the gesture moves at `time`, in simulated seconds, per second; zero after 100 ms without movement.
  func velocity(at time: Double) -> Movement
}

extension ContinuousGestureRecognizer {
  /// How fast the gesture moved at the time of its last event, per second.
  public var velocity: Movement { velocity(at: pointers.time) }
}
