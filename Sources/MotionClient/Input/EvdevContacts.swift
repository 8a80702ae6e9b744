import MotionModel

/// The contacts of a touchscreen, by multi-touch protocol B of the kernel's `multi-touch-protocol.rst`.
///
/// The device has slots. It names a slot, and reports only changes there: a position, or which contact is in the slot.
/// A report ends the changes that happened at one time. Each contact gets a number of its own, so that it is not
/// confused with an earlier one.
struct EvdevContacts: EvdevPointers {
  /// The most slots that are followed: as many pointers as recognisers follow. The largest tables have 40 to 60.
  static let slotLimit = 64

  private struct Slot {
    /// The position in device units. It outlives a contact: if the next contact has the same position, the device does
    /// not report it again.
    var x: Int32
    var y: Int32
    /// The contact that was last reported; `nil` if none is down.
    var contact: UInt64?
    /// The position that was last reported.
    var told = SIMD2<Double>.zero
    /// Whether that contact was lifted since the last report.
    var isLifted = false
    /// Whether a new contact was put down.
    var isTouched = false
    /// Whether the device sent any change of the slot since the last report.
    var isChanged = false
  }

  /// The slot that the device named last. Changes of a slot that does not exist are ignored.
  private var slot: Int32
  private var slots: [Slot]
  private var contacts: UInt64 = 0
  private let horizontal: ClosedRange<Int32>
  private let vertical: ClosedRange<Int32>
  private let surface: SIMD2<Double>

  init(horizontal: ClosedRange<Int32>, vertical: ClosedRange<Int32>, slot: Int32, surface: SIMD2<Double>) {
    self.horizontal = horizontal
    self.vertical = vertical
    self.slot = slot
    self.surface = surface
    slots = Array(repeating: Slot(x: horizontal.lowerBound, y: vertical.lowerBound), count: Self.slotLimit)
  }

  /// Processes a change of a slot.
  mutating func note(_ event: EvdevEvent) {
    guard event.type == EvdevEvent.Kind.place else { return }
    if event.code == EvdevEvent.Code.slot {
      slot = event.value
      return
    }
    guard let index = Int(exactly: slot), slots.indices.contains(index) else { return }
    switch event.code {
    case EvdevEvent.Code.contactX: slots[index].x = event.value
    case EvdevEvent.Code.contactY: slots[index].y = event.value
    case EvdevEvent.Code.contact:
      slots[index].isLifted = slots[index].contact != nil
      slots[index].isTouched = event.value >= 0
    default: return
    }
    slots[index].isChanged = true
  }

  /// The events since the last report, slot by slot.
  mutating func report(at time: Double) -> [PointerEvent] {
    var events: [PointerEvent] = []
    for index in slots.indices where slots[index].isChanged { report(index, at: time, into: &events) }
    return events
  }

  /// Cancels all contacts, and discards the changes since the last report.
  mutating func cancel(at time: Double) -> [PointerEvent] {
    var events: [PointerEvent] = []
    for index in slots.indices {
      if let contact = slots[index].contact {
        events.append(PointerEvent(id: contact, .cancel, at: slots[index].told, time: time))
      }
      slots[index].contact = nil
      (slots[index].isLifted, slots[index].isTouched, slots[index].isChanged) = (false, false, false)
    }
    return events
  }

  mutating func resume(atSlot slot: Int32) { self.slot = slot }

  private mutating func report(_ index: Int, at time: Double, into events: inout [PointerEvent]) {
    let slot = slots[index]
    let location = SIMD2(
      Self.mapped(slot.x, from: horizontal, to: surface.x), Self.mapped(slot.y, from: vertical, to: surface.y))
    if let contact = slot.contact, slot.isLifted {
      events.append(PointerEvent(id: contact, .up, at: slot.told, time: time))
      slots[index].contact = nil
    }
    if slot.isTouched {
      contacts += 1
      slots[index].contact = contacts
      events.append(PointerEvent(id: contacts, .down, at: location, time: time))
    } else if let contact = slots[index].contact, location != slot.told {
      events.append(PointerEvent(id: contact, .move, at: location, time: time))
    }
    slots[index].told = location
    (slots[index].isLifted, slots[index].isTouched, slots[index].isChanged) = (false, false, false)
  }

  /// Maps a device position to a surface of that size. A position beyond the range is clamped to its end.
  private static func mapped(_ place: Int32, from range: ClosedRange<Int32>, to size: Double) -> Double {
    let width = Double(range.upperBound) - Double(range.lowerBound)
    // An axis with a single position maps it to the beginning.
    guard width > 0 else { return 0 }
    let part = (Double(place) - Double(range.lowerBound)) / width
    return min(max(part, 0), 1) * size
  }
}
