import MotionClient

/// Joins the present values of several places, which arrive in a message for each, into one event.
///
/// Values that change until the last message has arrived are part of it.
struct PresentValues {
  private let places: Int
  /// The number of places whose present values have not arrived since the start, or since motiond is back.
  private var missing: Int
  private var values: FrameValues?

  init(places: Int) { (self.places, missing) = (places, places) }

  /// The event to show; `nil` while present values are missing.
  mutating func take(_ event: ValueSubscription.Event) -> ValueSubscription.Event? {
    if case .restarted = event { (missing, values) = (places, nil) }
    guard missing > 0, case .values(let more) = event else { return event }
    values = values.map { Self.join($0, more) } ?? more
    if more.isComplete { missing -= 1 }
    guard missing == 0, let whole = values else { return nil }
    values = nil
    return .values(whole)
  }

  /// The values of both; where both have a property, the later ones.
  private static func join(_ first: FrameValues, _ later: FrameValues) -> FrameValues {
    var whole = first.frame > later.frame ? first : later
    let gone = Set(later.forgotten).union(later.properties.map(\.reference))
    whole.properties = first.properties.filter { !gone.contains($0.reference) } + later.properties
    whole.forgotten = first.forgotten + later.forgotten
    whole.isComplete = true
    whole.missed = first.missed + later.missed
    return whole
  }
}
