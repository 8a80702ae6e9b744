import MotionModel

extension RandomPlans {
  /// A patch of lamps; where operations have selectors, most have a pattern or a group, and begin with universe 9.
  func patch(_ random: inout SeededRandom) -> String {
    guard isSelecting, random.chance(0.7) else {
      return pick(["universe 7 sacn\na dimmer 7.1", "universe 8 artnet as=3\n{a,b} rgb 8.1\nmaster b/x"], &random)
    }
    let lamps = "universe 9 sacn\n\(selector(&random).text) dimmer 9.1"
    return random.chance(0.3) ? lamps + "\nmaster a/x \(selector(&random).text)" : lamps
  }
}
