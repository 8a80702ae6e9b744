public import MotionModel

/// Recognises a tap: one pointer that goes down and up again without having left the ``slop``, however slowly.
///
/// A second pointer, or a movement beyond the slop, makes it fail until no pointer is left.
public struct TapGestureRecognizer: GestureRecognizer, Equatable {
  /// How far the pointer may stray from where it went down, in units of location: 16 by default, so that a pointer that
  /// moves further can be a drag.
  public var slop: Double
  /// The state of the tap.
  public private(set) var state = GestureState.possible
  /// The pointers that are down.
  public private(set) var pointers = PointerSet()
  /// The centre of the pointers, or of those that were down last: the place of the tap that was recognized.
  public private(set) var centroid = SIMD2<Double>.zero
  /// The place at which the pointer went down.
  private var start = SIMD2<Double>.zero

  /// Creates a recogniser of taps that stray at most `slop` units.
  public init(slop: Double = 16) { self.slop = slop }

  /// Handles an event; see ``GestureRecognizer/handle(_:)``.
  @discardableResult
  public mutating func handle(_ event: PointerEvent) -> GestureState? {
    let placement = pointers.place(event)
    guard placement != .ignored else { return nil }
    if let centre = pointers.centroid { centroid = centre }
    if placement == .joined { start = centroid }
    let way = centroid - start
    let isTap = pointers.count == 1 && (way * way).sum() <= max(slop, 0) * max(slop, 0)
    let isLifted = pointers.lift(event)
    return settle(isTap: isTap && event.phase != .cancel, isLifted: isLifted)
  }

  /// Removes all pointers; see ``GestureRecognizer/cancel()``.
  @discardableResult
  public mutating func cancel() -> GestureState? {
    guard !pointers.isEmpty else { return nil }
    pointers.removeAll()
    return settle(isTap: false, isLifted: true)
  }

  private mutating func settle(isTap: Bool, isLifted: Bool) -> GestureState? {
    defer { if pointers.isEmpty { state = .possible } }
    guard state == .possible else { return nil }
    if isTap { return isLifted ? .recognized : nil }
    state = .failed
    return .failed
  }
}
