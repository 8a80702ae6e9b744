import MotionModel

/// The contacts of a touchscreen, by multi-touch protocol B of the kernel's `multi-touch-protocol.rst`.
///
/// The device has slots, says which one it means, and tells only what changed there: a place, or which contact is in it. A
/// report closes what happened at one time. A contact gets a number of its own, so that none is mistaken for an earlier one.
struct EvdevContacts: EvdevPointers {
  /// The most slots that are followed: as many as recognisers follow pointers; the largest tables have 40 to 60.
  static let slotLimit = 64

  private struct Slot {
    /// The device's place. It outlives a contact: the next one may be put on the same spot, of which nothing is said then.
    var x: Int32
    var y: Int32
    /// The contact that was told of; `nil` if none is down.
    var contact: UInt64?
    /// Where it was told to be.
    var told = SIMD2<Double>.zero
    /// Whether that contact is gone since the last report.
    var isLifted = false
    /// Whether another one has come.
    var isTouched = false
    /// Whether anything was said of the slot since the last report.
    var isChanged = false
  }

  /// The slot that is spoken of; one that there is not is listened to by nobody.
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

  /// Takes what the device says of a slot.
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

  /// What happened since the last report, slot by slot.
  mutating func report(at time: Double) -> [PointerEvent] {
    var events: [PointerEvent] = []
    for index in slots.indices where slots[index].isChanged { report(index, at: time, into: &events) }
    return events
  }

  /// Takes all contacts away, and forgets what was said since the last report.
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

  /// Where a device's place lies on a surface of that size; a place beyond the range is at its end.
  private static func mapped(_ place: Int32, from range: ClosedRange<Int32>, to size: Double) -> Double {
    let width = Double(range.upperBound) - Double(range.lowerBound)
    // An axis with one place has it at the beginning.
    guard width > 0 else { return 0 }
    let part = (Double(place) - Double(range.lowerBound)) / width
    return min(max(part, 0), 1) * size
  }
}
