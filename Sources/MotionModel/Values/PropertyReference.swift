/// A property of a named target: the address of one moving value.
public struct PropertyReference: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The target.
  public var target: TargetName
  /// Its property.
  public var property: PropertyName

  /// Creates a reference to `property` of `target`.
  public init(_ target: TargetName, _ property: PropertyName) {
    self.target = target
    self.property = property
  }

  /// Orders by target, then by property.
  public static func < (a: Self, b: Self) -> Bool { (a.target, a.property) < (b.target, b.property) }

  /// `target/property`, as in topics and on the command line.
  public var description: String { "\(target)/\(property)" }
}

extension PropertyReference {
  /// Returns whether this property is sorted before another one in a list for people: by target, then by property.
  public func isListedBefore(_ other: PropertyReference) -> Bool {
    target == other.target ? property.isListedBefore(other.property) : target.isListedBefore(other.target)
  }
}
