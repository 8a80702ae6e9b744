public import MotionModel

/// The content that a subscriber to the values socket requests: the meaning of its topic.
public enum Interest: Hashable, Sendable, CustomStringConvertible {
  /// Values, on `v/`, `v/<target>` or `v/<target>/<property>`.
  case values(Scope)
  /// Values and velocities, on `m/`, `m/<target>` or `m/<target>/<property>`.
  case motion(Scope)
  /// Plans that ended, on `o/` or `o/<target>`.
  case outcomes(TargetName?)
  /// Changes of drivers, on `d/`, `d/<target>` or `d/<target>/<property>`.
  case drivers(Scope)

  /// The properties that an interest covers.
  public enum Scope: Hashable, Sendable {
    /// All properties of all targets.
    case everything
    /// All properties of one target.
    case target(TargetName)
    /// One property.
    case property(PropertyReference)

    /// Whether `reference` is one of them.
    public func contains(_ reference: PropertyReference) -> Bool {
      switch self {
      case .everything: true
      case .target(let target): target == reference.target
      case .property(let property): property == reference
      }
    }
  }

  /// The interest that a topic stands for.
  ///
  /// - Throws: when the topic does not exist; the error names the existing ones.
  public init(topic: String) throws(WireError) {
    let parts = topic.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? parts[1] : ""
    switch (parts[0], parts.count) {
    case ("v", 2): self = .values(try Self.scope(rest))
    case ("m", 2): self = .motion(try Self.scope(rest))
    case ("d", 2): self = .drivers(try Self.scope(rest))
    case ("o", 2): self = .outcomes(rest.isEmpty ? nil : try Decode.name(String(rest), "topic"))
    default:
      throw WireError(
        .value, field: "topic", "nothing is published on it",
        remedy: "Subscribe to v/, m/, d/ or o/, each alone or followed by a target, all but o/ by target/property")
    }
  }

  /// The topic that stands for this interest.
  public var topic: String {
    switch self {
    case .values(let scope): "v/" + Self.text(scope)
    case .motion(let scope): "m/" + Self.text(scope)
    case .drivers(let scope): "d/" + Self.text(scope)
    case .outcomes(let target): "o/" + (target?.text ?? "")
    }
  }

  /// What it is about, for people: "the values of lamp", "the outcomes of all targets".
  public var description: String {
    switch self {
    case .values(let scope): "the values of \(Self.words(scope))"
    case .motion(let scope): "the values and velocities of \(Self.words(scope))"
    case .drivers(let scope): "the drivers of \(Self.words(scope))"
    case .outcomes(let target): "the outcomes of \(target?.text ?? "all targets")"
    }
  }

  private static func words(_ scope: Scope) -> String { scope == .everything ? "all targets" : text(scope) }

  private static func scope(_ text: Substring) throws(WireError) -> Scope {
    if text.isEmpty { return .everything }
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let target: TargetName = try Decode.name(String(parts[0]), "topic")
    guard parts.count == 2 else { return .target(target) }
    return .property(PropertyReference(target, try Decode.name(String(parts[1]), "topic")))
  }

  private static func text(_ scope: Scope) -> String {
    switch scope {
    case .everything: ""
    case .target(let target): target.text
    case .property(let reference): reference.description
    }
  }
}
