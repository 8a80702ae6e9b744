/// The key of an executor: one executor of a type on a target serves all intentions of its types there.
public struct ExecutorKey: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The target it serves.
  public var target: TargetName
  /// Its type.
  public var type: ExecutorType

  /// Creates the key of the executor of `type` on `target`.
  public init(_ target: TargetName, _ type: ExecutorType) {
    self.target = target
    self.type = type
  }

  /// Orders by target, then by type.
  public static func < (a: Self, b: Self) -> Bool { (a.target, a.type) < (b.target, b.type) }

  /// `Tween on circle`
  public var description: String { "\(type) on \(target)" }
}
