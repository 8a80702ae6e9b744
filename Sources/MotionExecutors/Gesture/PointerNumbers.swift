import MotionModel

/// Gives the pointers of several devices numbers of their own, for recognisers that know one hand.
struct PointerNumbers {
  private struct Pointer: Hashable {
    var device: DeviceName
    var id: UInt64
  }

  /// More than a recogniser follows, so that pointers whose lifting was never told do not fill it up for ever: beyond
  /// this, all are forgotten, and the next `down` of each counts.
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
