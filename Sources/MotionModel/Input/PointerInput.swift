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
