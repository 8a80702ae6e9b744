public import MotionModel

/// Makes pointer events of the bytes that a Linux input device (`/dev/input/event…`) gives to read.
///
/// Pure: whoever has the device appends what was read, in pieces of any length, and asks for steps until more bytes are
/// needed. Any bytes are taken; what cannot be understood is skipped. Memory is bounded by what was appended and not yet
/// asked for. Fingers that were down before the first byte are followed from their next touch on.
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
  /// The widest surface, in units: a kilometre in millimetres, and far from where sums of places lose their digits.
  public static let largestSurface = 1e6

  /// What the bytes so far lead to next.
  public enum Step: Hashable, Sendable {
    /// What the pointers did in one report of the device; at least one event.
    case events([PointerEvent])
    /// The kernel lost events, and all pointers were cancelled in the step before. A touchscreen may be at another slot
    /// now: say which with ``EvdevDecoder/resume(atSlot:)``, or else it is taken to be at the one it was at.
    case dropped
    /// Nothing before more bytes are appended.
    case needsMoreBytes
  }

  private var pointers: any EvdevPointers
  private var bytes: [UInt8] = []
  /// How many of the bytes have been understood.
  private var consumed = 0
  /// Whether what comes is a fragment, until the next report.
  private var isFragment = false
  /// Whether the loss of events is still to be told.
  private var owesDropped = false

  /// A decoder for `device`, whose places are mapped to a surface from (0, 0) to `surface`, in units of the target.
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

  /// Takes bytes as they were read. Drain with ``next()`` before the next ones.
  public mutating func append(_ more: some Sequence<UInt8>) {
    bytes.removeFirst(consumed)
    consumed = 0
    bytes.append(contentsOf: more)
  }

  /// The next step. Linear in the bytes that it takes.
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

  /// Says at which slot a touchscreen is after events were lost (`EVIOCGABS` of `ABS_MT_SLOT`).
  public mutating func resume(atSlot slot: Int32) { pointers.resume(atSlot: slot) }

  /// Cancels the pointers that are down at `time`, in seconds of the device's clock: the device is gone.
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

/// The pointers of one device, as its events tell of them.
protocol EvdevPointers: Sendable {
  /// Takes what the device says.
  mutating func note(_ event: EvdevEvent)
  /// What happened since the last report.
  mutating func report(at time: Double) -> [PointerEvent]
  /// Takes all pointers away, and forgets what was said since the last report.
  mutating func cancel(at time: Double) -> [PointerEvent]
  /// Goes on at a slot, if the device has slots.
  mutating func resume(atSlot slot: Int32)
}
