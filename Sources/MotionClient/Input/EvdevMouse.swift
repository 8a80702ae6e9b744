import MotionModel

/// A mouse with relative movements and a left button: pointer 0, which is down as long as the button.
///
/// It starts in the middle of the surface and never leaves it. Its position is tracked while the button is up, too.
struct EvdevMouse: EvdevPointers {
  private let surface: SIMD2<Double>
  private var location: SIMD2<Double>
  private var isDown = false
  /// The movement since the last report, in counts of the device, which are units.
  private var way = SIMD2<Double>.zero
  /// The last press or release of the button since the last report.
  private var button: Bool?

  init(surface: SIMD2<Double>) {
    self.surface = surface
    location = surface / 2
  }

  /// Processes an event of the device.
  mutating func note(_ event: EvdevEvent) {
    switch (event.type, event.code) {
    case (EvdevEvent.Kind.way, EvdevEvent.Code.wayX): way.x += Double(event.value)
    case (EvdevEvent.Kind.way, EvdevEvent.Code.wayY): way.y += Double(event.value)
    // 2 is a button that is held, which is no change.
    case (EvdevEvent.Kind.button, EvdevEvent.Code.leftButton) where event.value == 0 || event.value == 1:
      button = event.value == 1
    default: break
    }
  }

  /// The events since the last report: first the movement, then the button.
  mutating func report(at time: Double) -> [PointerEvent] {
    let before = location
    location = (location + way).clamped(lowerBound: .zero, upperBound: surface)
    way = .zero
    var events: [PointerEvent] = []
    if isDown, location != before { events.append(PointerEvent(id: 0, .move, at: location, time: time)) }
    if let button, button != isDown {
      isDown = button
      events.append(PointerEvent(id: 0, button ? .down : .up, at: location, time: time))
    }
    button = nil
    return events
  }

  /// Cancels the pointer, and discards the changes since the last report.
  mutating func cancel(at time: Double) -> [PointerEvent] {
    defer { (isDown, button, way) = (false, nil, .zero) }
    return isDown ? [PointerEvent(id: 0, .cancel, at: location, time: time)] : []
  }

  /// A mouse has no slots.
  mutating func resume(atSlot slot: Int32) {}
}
