/// Events of the pointers of a device on a target, in order.
public struct PointerInput: Hashable, Sendable {
  /// The target that they point at.
  public var target: TargetName
  /// The device: two devices may use the same number for different pointers.
  public var device: DeviceName
  /// The events, in order.
  public var events: [PointerEvent]

  /// Creates an input of the pointers of `device` on `target`.
  public init(_ target: TargetName, from device: DeviceName, _ events: [PointerEvent]) {
    self.target = target
    self.device = device
    self.events = events
  }
}

extension [PointerInput] {
  /// Adds a pointer event: to the last message if that has the same target and device and has room, else in a new
  /// message of at most ``Limits/pointerEventsPerInput`` events.
  package mutating func append(_ event: PointerEvent, on target: TargetName, from device: DeviceName) {
    if let last, last.target == target, last.device == device, last.events.count < Limits.pointerEventsPerInput {
      self[count - 1].events.append(event)
    } else {
      append(PointerInput(target, from: device, [event]))
    }
  }
}
