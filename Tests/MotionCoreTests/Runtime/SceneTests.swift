import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Scenes: saved, recalled, deleted. A frame is 0.01 s.
struct SceneTests {
  private let scene: MotionCoreTests.Scene

  init() throws { scene = try Scene() }

  @discardableResult
  private func commit(at: Double? = nil, _ change: (inout Transaction) -> Void) throws -> Receipt {
    var transaction = Transaction()
    change(&transaction)
    return try scene.runtime.commit(transaction, at: at)
  }

  private func save(_ name: SceneName, of targets: TargetSelector = "*") throws {
    try commit { $0.saveScene(name, of: targets) }
    scene.advance()
  }

  @discardableResult
  private func recall(_ name: SceneName, _ transition: SceneRecall.Transition = .spring) throws -> Receipt {
    try commit { $0.recall(SceneRecall(name, transition)) }
  }

  private func plans() throws -> [String] {
    try scene.intentions().map { row in
      "\(row.intention.type) on \(row.target)" + (row.name.map { " named \($0)" } ?? "")
    }
  }

  private func rest() {
    for _ in 0..<5000 where scene.runtime.wantsFrames || scene.runtime.nextDueTime != nil { scene.advance() }
  }

  // Clauses: S22.1, S22.2
  @Test func `a scene has the standing plans of its properties, or else their values`() throws {
    try scene.add(.springTo("level", 0.25), to: "lamp1")
    try scene.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp1")
    try scene.add(.draggable("position"), to: "lamp1")
    try scene.add(.friction("opacity", coefficient: 2), to: "lamp1")
    try scene.add(.follow("zoom", "fader", .direct), to: "lamp1")
    try scene.add(.anchoredSpring("level", 9).after(100), to: "lamp1")
    try scene.add(.springTo("level", 0.75), to: "lamp2")
    try scene.add(.springTo("level", 0.5), to: "spot")
    for _ in 0..<500 { scene.advance() }
    try save("dusk", of: "lamp*,nobody")
    let content = try #require(scene.runtime.scene("dusk"))
    #expect(content.targets.map(\.name) == ["lamp1", "lamp2"])
    #expect(
      content.targets[0].plans == [
        .init(.anchoredSpring("angle", 30), named: "aim"), .init(.friction("opacity", coefficient: 2)),
      ])
    #expect(
      content.targets[0].values == [
        .init("level", 0.25), .init("opacity", 1), .init("position", [0, 0]), .init("zoom", 0),
      ])
    #expect(content.targets[1] == .init("lamp2", values: [.init("level", 0.75)]))
    #expect(scene.runtime.sceneRows == [SceneRow("dusk", targets: 2, values: 5, plans: 2)])
    #expect(try scene.runtime.answer(.scenes("dusk")) == .scenes([SceneRow("dusk", content)]))
  }

  // Clauses: S22.3
  @Test(arguments: [SceneRecall.Transition.spring, .fade(0.3)])
  func `a recall replaces other standing movers, ends what is under way, and leaves others alone`(
    transition: SceneRecall.Transition
  ) throws {
    let worker = scene.worker("tween")
    try scene.add(.springTo("level", 20), to: "lamp1")
    try scene.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp1")
    rest()
    try save("dusk")
    try scene.add(.anchoredSpring("level", 80), named: "bright", to: "lamp1")
    try scene.add(.friction("other", coefficient: 1), named: "calm", to: "lamp1")
    try scene.add(.draggable("position"), named: "drag", to: "lamp1")
    try scene.add(.springTo("angle", 90), to: "lamp1")
    try scene.add(.springTo("level", 500).after(5), to: "lamp1")
    scene.advance(10)
    let before = (value: scene.value("level", on: "lamp1"), velocity: scene.velocity("level", on: "lamp1"))
    #expect(before.velocity > 0)
    let receipt = try recall("dusk", transition)
    #expect(receipt.addressed == [.init(operation: 0, targets: 1)])
    scene.advance()
    #expect(abs(scene.value("level", on: "lamp1") - before.value) < abs(before.velocity) * 0.02)
    if transition == .spring {
      rest()
      #expect(scene.value("level", on: "lamp1") == 20 && scene.value("angle", on: "lamp1") == 30)
      #expect(
        try plans() == [
          "AnchoredSpring on lamp1 named aim", "Friction on lamp1 named calm", "Draggable on lamp1 named drag",
        ])
    } else {
      #expect(try plans().contains("Tween on lamp1") && !plans().contains("AnchoredSpring on lamp1 named bright"))
      _ = worker
    }
    #expect(scene.runtime.nextDueTime == nil, "the spring that waited is gone")
  }

  // Clauses: S22.3
  @Test func `a recall of the present does nothing, and one of a fade reaches an anchored spring, too`() throws {
    try scene.add(.springTo("level", 20), to: "lamp1")
    try scene.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp1")
    rest()
    try save("dusk")
    let kept = try scene.intentions().map(\.identity)
    try recall("dusk")
    #expect(try #require(scene.runtime.pendingCommits.first).transaction.log.isEmpty)
    scene.advance()
    #expect(try scene.intentions().map(\.identity) == kept)
    try scene.remove("aim", from: "lamp1")
    try scene.add(.springTo("angle", 0), to: "lamp1")
    rest()
    try recall("dusk", .fade(2))
    let log = try #require(scene.runtime.pendingCommits.first).transaction.log
    #expect(
      log == [
        .add(.anchoredSpring("angle", 30), named: "aim", to: "lamp1"),
        .add(.tween("angle", to: 30, duration: .seconds(2)), named: nil, to: "lamp1"),
      ])
  }

  // Clauses: S22.3
  @Test func `a recall overrides what was accepted before it and is not applied yet`() throws {
    try scene.add(.springTo("level", 0.5), to: "lamp")
    try scene.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp")
    rest()
    try save("dusk")
    // Two recalls and some additions before the next frame.
    try commit { $0.add(.springTo("level", 1), to: "lamp") }
    try commit { $0.add(.anchoredSpring("level", 2), to: "lamp") }
    try commit { $0.add(.anchoredSpring("angle", 90), named: "aim", to: "lamp") }
    try commit { $0.add(.anchoredSpring("zoom", 4), named: "other", to: "lamp") }
    try commit { $0.add(.draggable("position"), to: "lamp") }
    try recall("dusk")
    scene.advance()
    #expect(
      try plans().sorted() == [
        "AnchoredSpring on lamp named aim", "AnchoredSpring on lamp named other", "Draggable on lamp",
      ])
    rest()
    #expect(scene.runtime.state(of: "level", on: "lamp")?.value == 0.5)
    #expect(abs((scene.runtime.state(of: "angle", on: "lamp")?.value[0] ?? 0) - 30) < 0.01)
    // In one transaction, the same.
    try commit {
      $0.add(.springTo("level", 1), to: "lamp")
      $0.add(.springTo("tilt", 1), to: "lamp")
      $0.recall(SceneRecall("dusk"))
    }
    #expect(
      scene.runtime.pendingCommits.first?.transaction.log.first == .add(.springTo("tilt", 1), named: nil, to: "lamp"))
    rest()
    #expect(scene.runtime.state(of: "level", on: "lamp")?.value == 0.5)
    #expect(scene.runtime.state(of: "tilt", on: "lamp")?.value == 1)
  }

  // Clauses: S22.3
  @Test func `a name that another plan has by now stays with that plan`() throws {
    try scene.add(.anchoredSpring("angle", 30), named: "aim", to: "lamp1")
    rest()
    try save("dusk")
    try scene.add(.anchoredSpring("level", 5), named: "aim", to: "lamp1")
    rest()
    try recall("dusk")
    rest()
    #expect(try plans() == ["AnchoredSpring on lamp1 named aim", "AnchoredSpring on lamp1"])
    #expect(scene.value("level", on: "lamp1") == 5 && scene.value("angle", on: "lamp1") == 30)
  }

  // Clauses: S22.3
  @Test func `a forgotten target is there again`() throws {
    try scene.add(.springTo("level", 20), to: "lamp1")
    rest()
    try save("dusk")
    try scene.forget("lamp1")
    scene.advance()
    try recall("dusk")
    rest()
    #expect(scene.value("level", on: "lamp1") == 20)
  }

  // Clauses: S22.4
  @Test func `a scene is replaced and deleted at once, and outlasts checkpoints as they are stored`() throws {
    try scene.add(.springTo("level", 20), to: "lamp1")
    rest()
    try commit { $0.saveScene("a") }
    try commit { $0.saveScene("b", of: "lamp1") }
    #expect(scene.runtime.sceneRows.map(\.scene) == ["a", "b"])
    try commit { $0.deleteScene("a") }
    try commit { $0.deleteScene("never") }
    #expect(scene.runtime.sceneRows.map(\.scene) == ["b"])
    #expect(scene.runtime.scenes.entries == 1)
    scene.advance()
    var table = SceneTable()
    table.replace(by: scene.runtime.scenes.stored)
    #expect(table.stored == scene.runtime.scenes.stored && table.entries == 1)
  }

  // Clauses: S22.2, S22.3, S22.4, S22.5
  @Test func `what cannot be saved or recalled is refused, and nothing changes`() throws {
    func refusal(at: Double? = nil, _ change: @escaping (inout Transaction) -> Void) -> Refusal? {
      #expect(throws: Refusal.self) { try commit(at: at, change) }
    }
    #expect(refusal { $0.saveScene("a") }?.code == .notFound)
    #expect(refusal { $0.saveScene("a", of: "nobody") }?.message.contains("have no properties") == true)
    try scene.add(.springTo("level", 20), to: "lamp1")
    rest()
    try save("dusk")
    let unknown = refusal {
      $0.add(.springTo("level", 1), to: "lamp1")
      $0.recall(SceneRecall("dask"))
    }
    #expect(unknown?.code == .notFound && unknown?.operation == 1 && unknown?.field == "recall")
    #expect(unknown?.remedy.contains("dusk") == true)
    for seconds in [-1, .infinity, .nan] as [Double] {
      #expect(refusal { $0.recall(SceneRecall("dusk", .fade(seconds))) }?.field == "in")
    }
    #expect(refusal(at: 1000) { $0.saveScene("later") }?.field == "at")
    #expect(refusal(at: 1000) { $0.deleteScene("dusk") }?.field == "at")
    #expect(throws: Refusal.self) {
      try scene.runtime.commit(Transaction(log: [.scene("x", .init([.init("lamp1", values: [.init("level", 1)])]))]))
    }
    #expect(refusal { for index in 0...Limits.scenes { $0.saveScene(.number(index), of: "lamp1") } }?.code == .limit)
    #expect(scene.runtime.sceneRows.map(\.scene) == ["dusk"])
    #expect(refusal(at: 1000) { $0.recall(SceneRecall("dusk")) }?.field == "at")
  }

  // Clauses: S22.5
  @Test func `there are at most so many values and plans`() throws {
    try commit { $0.add(.springTo("level", 1), toEach: "t{1..40000}") }
    scene.advance()
    try save("a")
    #expect(throws: Refusal.self) { try save("b") }
    try commit { $0.deleteScene("a") }
    try save("b")
    #expect(scene.runtime.scenes.entries == 40_000)
  }

  // Clauses: S22.5
  @Test func `as many scenes as there may be are saved at once`() throws {
    try commit { $0.add(.springTo("level", 1), toEach: "t{1..64}") }
    scene.advance()
    try commit { for index in 0..<Limits.scenes - 24 { $0.saveScene(.number(index), of: "t{1..64}") } }
    #expect(scene.runtime.scenes.entries == 1000 * 64)
    // They are replaced, and count once.
    try commit { for index in 0..<Limits.scenes - 24 { $0.saveScene(.number(index), of: "t{1..60}") } }
    #expect(scene.runtime.scenes.entries == 1000 * 60 && scene.runtime.sceneRows.count == 1000)
  }

  /// Whatever the state, after a recall each property of the scene is where it was, and nothing else moves it.
  // Clauses: S22.3
  @Test func `after a recall everything is as it was saved`() throws {
    var random = SeededRandom(seed: TestSeed.value)
    let forces = ["SpringTo", "AnchoredSpring", "Friction"].compactMap { name in
      BuiltInIntentions.all.first { $0.type.text == name }
    }
    let plans = RandomPlans(
      on: ["a", "b"], types: forces, omitting: ["initialVelocity"], ranking: false, delaying: true)
    var rounds = 0
    for round in 0..<200 {
      let runtime = Runtime(ratePerSecond: 100)
      func play() {
        for _ in 0..<Int.random(in: 1...6, using: &random) { _ = try? runtime.commit(plans.transaction(&random)) }
        // In half of the rounds, the recall is accepted before the frame that applies all this.
        let frames = random.chance(0.5) ? 0 : Int.random(in: 1...200, using: &random)
        for _ in 0..<frames { runtime.advance() }
      }
      func rest() {
        for _ in 0..<4000 where runtime.wantsFrames || runtime.nextDueTime != nil { runtime.advance() }
      }
      func picture() -> [TargetName: [PropertyName: [Int]]] {
        var picture: [TargetName: [PropertyName: [Int]]] = [:]
        for target in runtime.scene("s")?.targets ?? [] {
          let properties =
            target.values.map(\.property)
            + target.plans.compactMap { plan in
              if case .property(let name)? = plan.intention["property"] { name } else { nil }
            }
          for property in properties {
            let value = runtime.state(of: property, on: target.name)?.value
            picture[target.name, default: [:]][property] = value.map { lanes in
              (0..<lanes.count).map { Int((lanes[$0] * 10).rounded()) }
            }
          }
        }
        return picture
      }
      play()
      rest()
      var save = Transaction()
      save.saveScene("s")
      guard (try? runtime.commit(save)) != nil else { continue }
      runtime.advance()
      rest()
      let saved = picture()
      play()
      // Operations of its own transaction are before it, too.
      var recall = random.chance(0.3) ? plans.transaction(&random) : Transaction()
      recall.recall(SceneRecall("s"))
      guard (try? runtime.commit(recall)) != nil else { continue }
      runtime.advance()
      rest()
      // A plan before the recall may have made a property with other lanes: then the recall's plan for it fails.
      guard runtime.log.failed.rows.isEmpty else { continue }
      rounds += 1
      #expect(picture() == saved, "round \(round), seed \(TestSeed.value)")
      // A second recall finds nothing to do.
      var second = Transaction()
      second.recall(SceneRecall("s"))
      try runtime.commit(second)
      let again = runtime.pendingCommits.first?.transaction.log
      #expect(again == [], "round \(round), seed \(TestSeed.value): \(runtime.currentIntentions)")
    }
    #expect(rounds > 50)
  }
}

extension SceneName {
  fileprivate static func number(_ number: Int) -> SceneName {
    do {
      return try SceneName("s\(number)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
