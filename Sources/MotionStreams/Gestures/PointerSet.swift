public import MotionModel

/// The pointers that are down, in the order of their arrival: the input that every recogniser shares.
///
/// Any sequence of events is accepted, and none traps. An event is ignored if it is not well-formed, if its pointer is
/// not down, or if it is beyond the ``limit``. An exception is an ill-formed `up` or `cancel` of a pointer that is
/// down: it removes the pointer at its last place. A `down` of a pointer that is down already (its `up` was lost) is a
/// new touch at another place, without movement. A time that goes back counts as the latest time received.
///
/// An event is handled in two steps: ``place(_:)`` puts the pointer at the event's location, ``lift(_:)`` removes it if
/// it went up. Between the two, the movement can be measured with all pointers still present. Linear in the pointers.
public struct PointerSet: Sendable, Equatable {
  /// The most pointers that are followed at a time: six hands; the largest tables report 40 to 60 contacts.
  public static let limit = 64
  /// The largest plausible coordinate: products and sums of smaller ones stay finite.
  public static let farthest = 1e9

  /// A pointer that is down.
  public struct Pointer: Sendable, Hashable {
    /// The pointer's number.
    public let id: UInt64
    /// The pointer's location.
    public internal(set) var location: SIMD2<Double>
  }

  /// The effect of an event on the pointers.
  public enum Placement: Sendable, Hashable {
    /// No effect.
    case ignored
    /// A pointer came down, or touches another place without having been lifted: the pointers changed, but nothing
    /// moved.
    case joined
    /// A pointer moved by this displacement, or stands.
    case moved(by: SIMD2<Double>)
  }

  /// The pointers that are down, in the order of their arrival.
  public private(set) var pointers: [Pointer] = []
  /// The latest time of any event that was not ignored, in simulated seconds; 0 before the first.
  public private(set) var time = 0.0

  /// No pointers.
  public init() {}

  /// Whether no pointer is down.
  public var isEmpty: Bool { pointers.isEmpty }

  /// How many pointers are down.
  public var count: Int { pointers.count }

  /// The mean of the pointers' locations; `nil` without a pointer.
  public var centroid: SIMD2<Double>? {
    guard !pointers.isEmpty else { return nil }
    var sum = SIMD2<Double>.zero
    for pointer in pointers { sum += pointer.location }
    return sum / Double(pointers.count)
  }

  /// Puts the event's pointer at its location. Call ``lift(_:)`` next.
  public mutating func place(_ event: PointerEvent) -> Placement {
    let index = pointers.firstIndex { $0.id == event.id }
    guard Self.isPlausible(event) else {
      return index != nil && event.phase.lifts ? .moved(by: .zero) : .ignored
    }
    if event.phase == .down {
      guard index != nil || count < Self.limit else { return .ignored }
    } else if index == nil {
      return .ignored
    }
    time = max(time, event.time)
    guard let index else {
      pointers.append(Pointer(id: event.id, location: event.location))
      return .joined
    }
    let before = pointers[index].location
    pointers[index].location = event.location
    return event.phase == .down ? .joined : .moved(by: event.location - before)
  }

  /// Removes the event's pointer if it went up or was cancelled; returns whether it did.
  @discardableResult
  public mutating func lift(_ event: PointerEvent) -> Bool {
    guard event.phase.lifts, let index = pointers.firstIndex(where: { $0.id == event.id }) else { return false }
    pointers.remove(at: index)
    return true
  }

  /// Removes all pointers, as when their device is gone.
  public mutating func removeAll() { pointers.removeAll(keepingCapacity: true) }

  private static func isPlausible(_ event: PointerEvent) -> Bool {
    event.isWellFormed && abs(event.location.x) <= farthest && abs(event.location.y) <= farthest
  }
}

extension PointerEvent.Phase {
  /// Whether the pointer is gone afterwards.
  var lifts: Bool { self == .up || self == .cancel }
}

extension PointerSet.Placement {
  /// Whether a pointer moved.
  var isMovement: Bool {
    if case .moved(let movement) = self { return movement != .zero }
    return false
  }
}
