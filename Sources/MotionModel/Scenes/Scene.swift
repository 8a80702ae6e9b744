/// A picture of targets that can be recalled: for each property its standing plans, or else its value.
///
/// It has no outputs, no manipulations and no plans that follow input.
public struct Scene: Hashable, Sendable {
  /// The part of a target.
  public struct Target: Hashable, Sendable {
    /// The target.
    public var name: TargetName
    /// The properties that no plan of the scene moves, with their values, in the order of their names.
    public var values: [Value]
    /// The standing plans, in order of addition.
    public var plans: [Plan]

    /// Creates the part of a target.
    public init(_ name: TargetName, values: [Value] = [], plans: [Plan] = []) {
      (self.name, self.values, self.plans) = (name, values, plans)
    }
  }

  /// A property and its value.
  public struct Value: Hashable, Sendable {
    /// The property.
    public var property: PropertyName
    /// Its value, in its unit.
    public var value: Lanes

    /// Creates a value.
    public init(_ property: PropertyName, _ value: Lanes) { (self.property, self.value) = (property, value) }
  }

  /// A plan with its name.
  public struct Plan: Hashable, Sendable {
    /// The plan's name on its target, if it has one.
    public var name: IntentionName?
    /// The plan.
    public var intention: Intention

    /// Creates a plan.
    public init(_ intention: Intention, named name: IntentionName? = nil) {
      (self.name, self.intention) = (name, intention)
    }
  }

  /// The targets, in natural order of their names.
  public var targets: [Target]

  /// Creates a scene.
  public init(_ targets: [Target] = []) { self.targets = targets }

  /// Whether it has nothing: a scene that is set to this is gone.
  public var isEmpty: Bool { targets.isEmpty }
  /// Another scene, and of this one the properties that the other lacks. A plan of this one goes if the other has one of
  /// its properties.
  package func overlaid(by other: Scene, properties: (Target) -> Set<PropertyName>) -> Scene {
    guard !isEmpty else { return other }
    var parts = Dictionary(targets.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for part in other.targets {
      let taken = properties(part)
      var merged = parts[part.name] ?? Target(part.name)
      merged.values.removeAll { taken.contains($0.property) }
      merged.plans.removeAll { !taken.isDisjoint(with: properties(Target(part.name, plans: [$0]))) }
      merged.values += part.values
      merged.values.sort { $0.property.isListedBefore($1.property) }
      merged.plans += part.plans
      parts[part.name] = merged
    }
    return Scene(parts.values.sorted { $0.name.isListedBefore($1.name) })
  }

  /// The number of values and plans. Linear in the targets.
  public var entries: Int { targets.reduce(0) { $0 + $1.values.count + $1.plans.count } }
}

/// A scene with its name, as queries show it.
public struct SceneRow: Hashable, Sendable {
  /// Its name.
  public var scene: SceneName
  /// The number of its targets.
  public var targets: Int
  /// The number of its values.
  public var values: Int
  /// The number of its plans.
  public var plans: Int
  /// Its content; `nil` in a list of scenes.
  public var content: Scene?

  /// Creates a row without content.
  public init(_ scene: SceneName, targets: Int, values: Int, plans: Int) {
    (self.scene, self.targets, self.values, self.plans) = (scene, targets, values, plans)
  }

  /// Creates the row of a scene.
  public init(_ name: SceneName, _ scene: Scene, hasContent: Bool = true) {
    self.init(
      name, targets: scene.targets.count, values: scene.targets.reduce(0) { $0 + $1.values.count },
      plans: scene.targets.reduce(0) { $0 + $1.plans.count })
    if hasContent { content = scene }
  }
}

/// How a scene is recalled.
public struct SceneRecall: Hashable, Sendable {
  /// How properties go to their values.
  public enum Transition: Hashable, Sendable {
    /// By a SpringTo.
    case spring
    /// By a Tween that lasts so many seconds; with 0 they are there at once.
    case fade(Double)
  }

  /// The scene.
  public var scene: SceneName
  /// How properties go to their values.
  public var transition: Transition

  /// Creates a recall.
  public init(_ scene: SceneName, _ transition: Transition = .spring) {
    (self.scene, self.transition) = (scene, transition)
  }

  /// Rejects a fade that takes no possible time.
  package func check() throws(Refusal) {
    guard case .fade(let seconds) = transition, !(seconds >= 0 && seconds <= Limits.durationSeconds) else { return }
    throw Refusal(
      .value, field: "in", "\(seconds) s is no duration of a fade",
      remedy: "Give 0, to be there at once, to \(Limits.durationSeconds) seconds.")
  }
}
