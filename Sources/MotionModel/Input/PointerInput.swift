/// What the pointers of a device did to a target, in order.
public struct PointerInput: Hashable, Sendable {
  /// The target that they point at.
  public var target: TargetName
  /// The device: two devices may use the same number for different pointers.
  public var device: DeviceName
  /// What they did, in order.
  public var events: [PointerEvent]

  /// What the pointers of `device` did to `target`.
  public init(_ target: TargetName, from device: DeviceName, _ events: [PointerEvent]) {
    self.target = target
    self.device = device
    self.events = events
  }
}

extension [PointerInput] {
  /// Adds what a pointer did: to the last message if that is of the same target and device and has room, else as a new
  /// one of at most ``Limits/pointerEventsPerInput`` events.
  package mutating func append(_ event: PointerEvent, on target: TargetName, from device: DeviceName) {
    if let last, last.target == target, last.device == device, last.events.count < Limits.pointerEventsPerInput {
      self[count - 1].events.append(event)
    } else {
      append(PointerInput(target, from: device, [event]))
    }
  }
}
