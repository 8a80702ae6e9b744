/// A property's value and velocity.
public struct PropertyState: Hashable, Sendable {
  /// Its value.
  public var value: Lanes
  /// Its velocity, per second, with the lanes of the value.
  public var velocity: Lanes

  /// Creates a state that moves with `velocity`, or is at rest.
  public init(_ value: Lanes, velocity: Lanes? = nil) {
    self.value = value
    self.velocity = velocity ?? .zero(count: value.count)
  }

  /// Whether a property can have this state: no number is infinite, NaN, or beyond ``Limits/valueMagnitude`` or
  /// ``Limits/velocityMagnitude``, and value and velocity have the same lanes.
  public var isWellFormed: Bool {
    value.isWithin(Limits.valueMagnitude) && velocity.isWithin(Limits.velocityMagnitude)
      && value.count == velocity.count
  }
}

/// The handle of a property in messages: a number per coordinator start (epoch), never reused within the epoch.
public struct PropertyHandle: Hashable, Sendable, Comparable {
  /// The number.
  public var rawValue: UInt32

  /// Creates the handle with this number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Orders by number, which is the order of first mention.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// The handle of an executor between coordinator and worker: a number per coordinator start (epoch).
public struct ExecutorHandle: Hashable, Sendable, Comparable {
  /// The number.
  public var rawValue: UInt32

  /// Creates the handle with this number.
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// Orders by number, which is the order of creation.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
