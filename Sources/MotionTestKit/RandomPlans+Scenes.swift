public import MotionModel

/// Scenes and lists of cues.
extension RandomPlans {
  /// Which cues transactions load and command.
  public enum Cues: Sendable {
    /// None.
    case none
    /// Those that wait for a command.
    case commanded
    /// Also those that go by themselves.
    case all
  }

  /// Loads, commands or deletes a list of cues.
  func command(_ transaction: inout Transaction, _ random: inout SeededRandom) {
    // Mostly the first, so that commands meet a list.
    let list = random.chance(0.8) ? Self.cueLists[0] : pick(Self.cueLists, &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: transaction.unload(list)
    case 1..<5: transaction.load(cueList(&random), as: list)
    case 5..<12: transaction.cue(list, .go)
    case 12: transaction.cue(list, .back)
    case 13..<15: transaction.cue(list, .goto(pick(Self.cueNames, &random)))
    default: transaction.cue(list, .stop)
    }
  }

  /// Some cues, of which each recalls a scene or moves targets.
  public func cueList(_ random: inout SeededRandom) -> CueList {
    var list = CueList()
    let goesAlone = cues == .all
    for name in Self.cueNames.prefix(Int.random(in: 1...4, using: &random)) {
      var content = Transaction()
      if random.chance(0.3) {
        content.recall(SceneRecall(pick(Self.scenes, &random), pick([.spring, .fade(0.2), .fade(0)], &random)))
      } else {
        for _ in 0..<Int.random(in: 0...2, using: &random) { add(to: &content, &random) }
      }
      list.cues.append(
        CueList.Cue(
          name, content, wait: goesAlone && random.chance(0.3) ? .random(in: 0...1, using: &random) : 0,
          follow: goesAlone && random.chance(0.4) ? .random(in: 0...1, using: &random) : nil,
          at: goesAlone && random.chance(0.6)
            ? Double(10 * list.cues.count - 20) + .random(in: 0...9, using: &random) : nil)
      )
    }
    if goesAlone, random.chance(0.3) {
      let plan = plan(on: pick(targets, &random), &random)
      let property = types.first { $0.type == plan.type }?.propertiesWritten(by: plan).first
      list.timeline = property.map { PropertyReference(pick(targets, &random), $0) }
    }
    return list
  }

  /// Saves, recalls or deletes a scene.
  func picture(_ transaction: inout Transaction, _ random: inout SeededRandom) {
    let name = pick(Self.scenes, &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: transaction.deleteScene(name)
    case 1..<5: transaction.saveScene(name, of: selector(&random))
    case 5..<8: transaction.recall(SceneRecall(name))
    case 8: transaction.recall(SceneRecall(name, .fade(0)))
    default: transaction.recall(SceneRecall(name, .fade(.random(in: 0.1...1, using: &random))))
    }
  }
}
