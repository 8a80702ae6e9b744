package import MotionModel

/// The measured content of one message of a frame: the properties to publish in it, and the bytes that they take.
package struct ValuesPart: Sendable {
  /// The range of the packer's slots; empty rows among them are left out.
  package fileprivate(set) var slots: Range<Int>
  /// The range of the forgotten properties.
  package fileprivate(set) var forgotten: Range<Int>
  /// The late ones among the properties.
  package fileprivate(set) var late: [PropertyHandle] = []
  /// The number of properties.
  package fileprivate(set) var count = 0
  /// The number of lanes of all properties together.
  package fileprivate(set) var lanes = 0
  /// The number of bytes of their handles.
  fileprivate(set) var handleBytes = 0
  /// The number of bytes of each handle, if it is the same for all; otherwise 0.
  fileprivate(set) var bytesOfHandle = 0
  /// The index of the first lane, if each property has one lane, and both lanes and slots are consecutive.
  fileprivate(set) var firstOfRun: Int?

  /// An empty part that starts at this slot and this forgotten property.
  package init(slot: Int = 0, forgotten: Int = 0) {
    (slots, self.forgotten) = (slot..<slot, forgotten..<forgotten)
  }

  /// Whether the part is empty.
  package var isEmpty: Bool { count == 0 && forgotten.isEmpty }
}

/// Divides the content of a topic for one frame into messages of a bounded length. First come the properties that no
/// longer exist, then the properties in these slots, in place.
package struct ValuesPacker {
  let columns: PropertyColumns
  let slots: ArraySlice<UInt32>
  let forgotten: [PropertyHandle]
  let hasVelocities: Bool
  private let late: Set<Int>
  private let limit: Int
  private var nextSlot: Int
  private var nextForgotten = 0

  /// Packs the content of these slots of the columns.
  ///
  /// - Parameters:
  ///   - late: the slots of properties that are late.
  ///   - limit: the approximate maximum size of a message in bytes, without its header.
  package init(
    _ slots: ArraySlice<UInt32>, of columns: PropertyColumns, forgotten: [PropertyHandle] = [], late: Set<Int> = [],
    hasVelocities: Bool, limit: Int
  ) {
    (self.slots, self.columns, self.forgotten, self.late) = (slots, columns, forgotten, late)
    (self.hasVelocities, self.limit, nextSlot) = (hasVelocities, limit, slots.startIndex)
  }

  /// The next message, measured; `nil` when everything is packed.
  package mutating func next() -> ValuesPart? {
    var part = ValuesPart(slot: nextSlot, forgotten: nextForgotten)
    var bytes = 0
    while nextForgotten < forgotten.count, Self.takes(5, within: limit, &bytes) { nextForgotten += 1 }
    part.forgotten = part.forgotten.lowerBound..<nextForgotten
    if nextForgotten == forgotten.count { measure(&part, behind: bytes) }
    return part.isEmpty ? nil : part
  }

  /// Adds as many slots to a part as fit behind `bytes` bytes.
  private mutating func measure(_ part: inout ValuesPart, behind bytes: Int) {
    if late.isEmpty, takePlain(&part, behind: bytes) { return }
    var bytes = bytes
    while nextSlot < slots.endIndex {
      let slot = Int(slots[nextSlot])
      let row = columns.rows[slot]
      if row.isOccupied {
        let isLate = late.contains(slot)
        guard Self.takes(bytesOfProperty(lanes: row.lanes) + (isLate ? 5 : 0), within: limit, &bytes) else { break }
        part.count += 1
        part.lanes += row.lanes
        part.handleBytes += WireSize.of(row.handle)
        if isLate { part.late.append(PropertyHandle(row.handle)) }
      }
      nextSlot += 1
    }
    part.slots = part.slots.lowerBound..<nextSlot
  }

  /// A handle takes up to five bytes, and again as many if the property is late; a count takes one.
  private func bytesOfProperty(lanes: Int) -> Int { 6 + lanes * (hasVelocities ? 16 : 8) }

  /// Adds as many slots as fit, if each holds a property of one lane, which is the usual case: their lengths need not
  /// be added up. Measuring and writing 100,000 lanes takes 0.39 ms the other way and 0.29 this way.
  ///
  /// - Returns: whether each slot holds such a property; otherwise nothing is added.
  private mutating func takePlain(_ part: inout ValuesPart, behind bytes: Int) -> Bool {
    let room = max(bytes == 0 ? 1 : 0, (limit - bytes) / bytesOfProperty(lanes: 1))
    let taken = slots[nextSlot..<min(slots.endIndex, nextSlot + room)]
    let measured = taken.withUnsafeBufferPointer { slots in
      columns.rows.withUnsafeBufferPointer { Self.measureRun(slots, $0) ?? Self.measurePlain(slots, $0) }
    }
    guard let measured else { return false }
    (part.count, part.lanes, part.handleBytes) = (taken.count, taken.count, measured.handleBytes)
    (part.bytesOfHandle, part.firstOfRun) = (measured.bytesOfHandle, measured.firstOfRun)
    part.slots = taken.indices
    nextSlot = taken.endIndex
    return true
  }

  private typealias Measured = (handleBytes: Int, bytesOfHandle: Int, firstOfRun: Int?)

  /// Measures consecutive slots whose properties have one lane each, if these lanes are consecutive too and all handles
  /// have the same length; otherwise `nil`. No slot needs a lookup of its own: all handles have the same length if the
  /// smallest and the largest one do.
  private static func measureRun(
    _ slots: UnsafeBufferPointer<UInt32>, _ rows: UnsafeBufferPointer<PropertyColumns.Row>
  ) -> Measured? {
    guard let slot = slots.first, let last = slots.last, last == slot &+ UInt32(slots.count - 1) else { return nil }
    var differences: UInt32 = 0
    for index in slots.indices { differences |= slots[index] ^ (slot &+ UInt32(truncatingIfNeeded: index)) }
    let run = rows[Int(slot)...Int(last)]
    guard differences == 0, let first = PropertyColumns.firstOfRun(run) else { return nil }
    var (least, most) = (UInt32.max, UInt32.min)
    for row in UnsafeBufferPointer(rebasing: run) { (least, most) = (min(least, row.handle), max(most, row.handle)) }
    let bytes = WireSize.of(least)
    guard least != 0, WireSize.of(most) == bytes else { return nil }
    return (slots.count * bytes, bytes, first)
  }

  /// Measures slots whose properties have one lane each; `nil` if a slot is empty or has more lanes.
  private static func measurePlain(
    _ slots: UnsafeBufferPointer<UInt32>, _ rows: UnsafeBufferPointer<PropertyColumns.Row>
  ) -> Measured? {
    var (handleBytes, isPlain) = (0, true)
    for slot in slots {
      let row = rows[Int(slot)]
      handleBytes += WireSize.of(row.handle)
      isPlain = isPlain && row.isOccupied && row.lanes == 1
    }
    return isPlain ? (handleBytes, 0, nil) : nil
  }

  /// Whether `more` bytes fit. The first bytes of a part always do.
  private static func takes(_ more: Int, within limit: Int, _ bytes: inout Int) -> Bool {
    guard bytes == 0 || bytes + more <= limit else { return false }
    bytes += more
    return true
  }
}
