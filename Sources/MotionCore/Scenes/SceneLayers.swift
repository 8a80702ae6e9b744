import MotionModel

/// Which plans of a part of a scene lie above which others: of a property, the one that was added last drives, unless
/// another one has a higher priority.
struct SceneLayers {
  /// The properties that each plan writes, by its place.
  private let written: [[PropertyName]]
  /// The place of the plan that drives a property.
  private var top: [PropertyName: Int] = [:]

  init(_ part: Scene.Target, _ reader: PlanReader) {
    written = part.plans.map { reader.read($0.intention)?.written ?? [] }
    for place in part.plans.indices {
      let priority = part.plans[place].intention.priority
      for property in written[place] where top[property].map({ part.plans[$0].intention.priority <= priority }) ?? true
      {
        top[property] = place
      }
    }
  }

  /// Whether a plan drives one of its properties, once the scene is there.
  func drives(_ place: Int) -> Bool { written[place].contains { top[$0] == place } }

  /// The plans that are there, and that have to be added again to lie above those of the scene that are added, and above
  /// those that they lay above.
  ///
  /// - Parameters:
  ///   - kept: the places of the plans that are there.
  ///   - order: when a plan was added.
  func misplaced(
    _ kept: [IntentionIdentity: Int], _ order: (IntentionIdentity) -> UInt64
  ) -> [(identity: IntentionIdentity, place: Int)] {
    let identities = Dictionary(uniqueKeysWithValues: kept.map { ($1, $0) })
    var misplaced: [(identity: IntentionIdentity, place: Int)] = []
    // The latest of the plans below, of each property; of one that is added, the greatest number.
    var latest: [PropertyName: UInt64] = [:]
    for place in written.indices {
      var added = UInt64.max
      if let identity = identities[place] {
        added = order(identity)
        if written[place].contains(where: { latest[$0].map { $0 > added } ?? false }) {
          misplaced.append((identity, place))
          added = .max
        }
      }
      for property in written[place] { latest[property] = max(latest[property] ?? 0, added) }
    }
    return misplaced
  }
}
