public import MotionModel

/// Converts the bytes that a Linux input device (`/dev/input/event…`) delivers into pointer events.
///
/// Pure: the caller reads the device, appends the bytes in pieces of any length, and calls ``next()`` until it needs
/// more. Any bytes are accepted; those that cannot be interpreted are skipped. Memory is bounded by the bytes appended
/// and not yet consumed. Fingers that were down before the first byte are followed from their next touch on.
///
///     decoder.append(bytes)
///     while true {
///       switch decoder.next() {
///       case .events(let events): send(events)
///       case .dropped: decoder.resume(atSlot: …)
///       case .needsMoreBytes: return
///       }
///     }
public struct EvdevDecoder: Sendable {
  /// The largest surface, in units: a kilometre in millimetres. Sums of positions are far from losing digits there.
  public static let largestSurface = 1e6

  /// The next result of the bytes so far.
  public enum Step: Hashable, Sendable {
    /// The pointers' events in one report of the device; at least one event.
    case events([PointerEvent])
    /// The kernel lost events, and the step before cancelled all pointers. A touchscreen may have changed its current
    /// slot: pass it to ``EvdevDecoder/resume(atSlot:)``. Otherwise the last known slot is assumed.
    case dropped
    /// There is no further step before more bytes are appended.
    case needsMoreBytes
  }

  private var pointers: any EvdevPointers
  private var bytes: [UInt8] = []
  /// The number of bytes that have been decoded.
  private var consumed = 0
  /// Whether the events up to the next report are a fragment.
  private var isFragment = false
  /// Whether a ``Step/dropped`` has yet to be returned.
  private var owesDropped = false

  /// Makes a decoder for `device`. Its positions are mapped to a surface from (0, 0) to `surface`, in units of the
  /// target.
  ///
  /// - Throws: ``EvdevSurfaceError`` unless the surface has a finite size.
  public init(_ device: EvdevDevice, surface: SIMD2<Double>) throws(EvdevSurfaceError) {
    let sizes = 0...Self.largestSurface
    guard sizes.contains(surface.x), sizes.contains(surface.y) else { throw EvdevSurfaceError(size: surface) }
    switch device {
    case .touchscreen(let horizontal, let vertical, let slot):
      pointers = EvdevContacts(horizontal: horizontal, vertical: vertical, slot: slot, surface: surface)
    case .mouse: pointers = EvdevMouse(surface: surface)
    }
  }

  /// Appends bytes that were read. Drain with ``next()`` before the next ones.
  public mutating func append(_ more: some Sequence<UInt8>) {
    bytes.removeFirst(consumed)
    consumed = 0
    bytes.append(contentsOf: more)
  }

  /// The next step. Linear in the bytes that it consumes.
  public mutating func next() -> Step {
    if owesDropped {
      owesDropped = false
      return .dropped
    }
    while let event = nextEvent() {
      if let step = take(event) { return step }
    }
    return .needsMoreBytes
  }

  /// Sets the current slot of a touchscreen after events were lost (`EVIOCGABS` of `ABS_MT_SLOT`).
  public mutating func resume(atSlot slot: Int32) { pointers.resume(atSlot: slot) }

  /// Cancels the pointers that are down, because the device is gone. `time` is in seconds of the device's clock.
  public mutating func finish(at time: Double) -> [PointerEvent] { pointers.cancel(at: time) }

  private mutating func nextEvent() -> EvdevEvent? {
    guard bytes.count - consumed >= EvdevEvent.length else { return nil }
    defer { consumed += EvdevEvent.length }
    return bytes.withUnsafeBytes { all in
      EvdevEvent(bytes: UnsafeRawBufferPointer(rebasing: all[consumed..<consumed + EvdevEvent.length]))
    }
  }

  private mutating func take(_ event: EvdevEvent) -> Step? {
    guard event.type == EvdevEvent.Kind.mark else {
      if !isFragment { pointers.note(event) }
      return nil
    }
    switch event.code {
    case EvdevEvent.Code.dropped:
      isFragment = true
      let cancelled = pointers.cancel(at: event.time)
      guard !cancelled.isEmpty else { return .dropped }
      owesDropped = true
      return .events(cancelled)
    case EvdevEvent.Code.report:
      defer { isFragment = false }
      let events = isFragment ? [] : pointers.report(at: event.time)
      return events.isEmpty ? nil : .events(events)
    default:
      return nil
    }
  }
}

/// The pointers of one device, derived from its events.
protocol EvdevPointers: Sendable {
  /// Processes an event of the device.
  mutating func note(_ event: EvdevEvent)
  /// The pointer events since the last report.
  mutating func report(at time: Double) -> [PointerEvent]
  /// Cancels all pointers, and discards the changes since the last report.
  mutating func cancel(at time: Double) -> [PointerEvent]
  /// Continues at a slot, if the device has slots.
  mutating func resume(atSlot slot: Int32)
}
