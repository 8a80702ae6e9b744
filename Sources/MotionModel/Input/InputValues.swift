/// A named value from outside at one time: of a fader, a sensor or a tracker.
public struct InputValue: Hashable, Sendable {
  /// Its name, which is one for all devices and clients: the newest value counts.
  public var name: InputName
  /// The value; `nil` withdraws the name.
  public var value: Lanes?
  /// The time of the value, in simulated seconds; to a daemon in seconds of the boot clock, 0 for now.
  public var time: Double
  /// Whether it stays when its client is gone.
  public var isHeld: Bool

  /// Creates a value of an input.
  public init(_ name: InputName, _ value: Lanes?, time: Double = 0, isHeld: Bool = false) {
    (self.name, self.value, self.time, self.isHeld) = (name, value, time, isHeld)
  }

  /// Whether every lane is within ``Limits/magnitude`` and the time is finite. Other values are refused at the entry
  /// points, and ignored elsewhere.
  public var isWellFormed: Bool { value?.isWithin(Limits.magnitude) ?? true && time.isFinite }

  /// Refuses a value that is out of range.
  package func check() throws(Refusal) {
    guard isWellFormed else {
      throw Refusal(
        .value, field: name.text, "the input value is \(value.map { "\($0)" } ?? "absent") at \(time) s",
        remedy: "Send numbers from -\(Limits.magnitude) to \(Limits.magnitude).")
    }
  }
}

/// Values of an input device.
public struct InputValues: Hashable, Sendable {
  /// The device that sends them.
  public var device: DeviceName
  /// The values.
  public var values: [InputValue]

  /// Creates values of a device.
  public init(from device: DeviceName, _ values: [InputValue]) { (self.device, self.values) = (device, values) }
}

/// An input value that a runtime has, as queries show it.
public struct InputRow: Hashable, Sendable {
  /// Its name.
  public var name: InputName
  /// The value.
  public var value: Lanes
  /// Its time, in simulated seconds.
  public var time: Double
  /// The device that sent it.
  public var device: DeviceName
  /// Whether it stays when its client is gone.
  public var isHeld: Bool
  /// The number of executors that follow it.
  public var followers = 0

  /// Creates an input value.
  public init(
    _ name: InputName, _ value: Lanes, time: Double, device: DeviceName, isHeld: Bool = false, followers: Int = 0
  ) {
    (self.name, self.value, self.time, self.device) = (name, value, time, device)
    (self.isHeld, self.followers) = (isHeld, followers)
  }
}
