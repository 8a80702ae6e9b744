import MotionModel

/// Renumbers the pointers of several devices, for recognisers that expect the pointers of one device.
struct PointerNumbers {
  private struct Pointer: Hashable {
    var device: DeviceName
    var id: UInt64
  }

  /// The most pointers at a time, more than a recogniser follows. It bounds the pointers whose `up` was never received:
  /// beyond it all are dropped, and the next `down` of each counts.
  static let limit = 1024

  private var numbers: [Pointer: UInt64] = [:]
  private var last: UInt64 = 0

  /// The event with the number that its pointer has here; `nil` for a pointer that is not down.
  mutating func renumber(_ event: PointerEvent, from device: DeviceName) -> PointerEvent? {
    let pointer = Pointer(device: device, id: event.id)
    if event.phase == .down, numbers[pointer] == nil {
      if numbers.count >= Self.limit { numbers = [:] }
      last += 1
      numbers[pointer] = last
    }
    guard let number = numbers[pointer] else { return nil }
    if event.phase == .up || event.phase == .cancel { numbers[pointer] = nil }
    var event = event
    event.id = number
    return event
  }
}
