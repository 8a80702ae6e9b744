import MotionModel

/// Patches of lamps: what is wrong with them is said with its line, and what is right is within its universes.
enum Patches {
  static func run(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    try replacePatterns(of: text)
    let patch: DMXPatch
    do throws(DMXPatchError) {
      patch = try DMXPatch(text)
    } catch {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
      return try require(
        (1...lines).contains(error.line) && !error.problem.isEmpty && !error.remedy.isEmpty, "a refusal of \(error)")
    }
    try require(patch.universes.count <= DMXPatch.mostUniverses, "\(patch.universes.count) universes")
    var taken: Set<Int> = []
    for output in patch.outputs {
      try require(patch.universes.indices.contains(output.universe), "there is no universe \(output.universe)")
      for channel in [output.channel, output.fine].compactMap(\.self) {
        try require((0..<512).contains(channel), "there is no channel \(channel)")
        try require(taken.insert(512 * output.universe + channel).inserted, "channel \(channel) has two outputs")
      }
    }
    try require(Set(patch.references).count == patch.references.count, "a property is listed twice")
    let plan = try SendDMXIntention(patch: text)
    try require(try SendDMXIntention(plan.intention).patch == patch, "an intention has another patch")
  }

  /// A patch whose patterns and groups are replaced by names has none any more, and as many lines.
  private static func replacePatterns(of text: String) throws {
    let plan = Intention("SendDMX", [.init("patch", .text(text))])
    guard let open = DMXPatchSelectors(plan) else { return }
    let names = open.parts.indices.map { part in ["", "-b"].map { TargetName(stringLiteral: "fixture\(part)\($0)") } }
    let resolved: Intention
    do throws(Refusal) {
      resolved = try open.resolve(plan, to: names).plan
    } catch {
      return try require(error.field == "patch" && !error.message.isEmpty, "a refusal of \(error)")
    }
    try require(DMXPatchSelectors(resolved) == nil, "a pattern is left")
  }
}
