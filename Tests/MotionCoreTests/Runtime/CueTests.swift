import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Lists of cues: loaded, commanded, and going on by themselves. A frame is 0.01 s.
struct CueTests {
  let scene: MotionCoreTests.Scene
  let runtime: Runtime

  init() throws {
    scene = try Scene()
    runtime = scene.runtime
  }

  @discardableResult
  func commit(at: Double? = nil, _ change: (inout Transaction) -> Void) throws -> Receipt {
    var transaction = Transaction()
    change(&transaction)
    return try runtime.commit(transaction, at: at)
  }

  @discardableResult
  func take(_ step: CueStep, _ list: CueListName = "main") throws -> Receipt {
    try commit { $0.cue(list, step) }
  }

  func refusal(_ change: @escaping (inout Transaction) -> Void) -> Refusal? {
    #expect(throws: Refusal.self) { try commit(change) }
  }

  /// A list of cues that each move the property of its name to the number of the cue.
  func load(_ cues: [CueList.Cue], timeline: PropertyReference? = nil, as name: CueListName = "main") throws {
    try commit { $0.load(CueList(cues, timeline: timeline), as: name) }
  }

  static func cue(
    _ name: CueName, _ level: Double, wait: Double = 0, follow: Double? = nil, at: Double? = nil
  ) -> CueList.Cue {
    var content = Transaction()
    content.add(.springTo("level", Lanes(level)), to: "lamp")
    return CueList.Cue(name, content, wait: wait, follow: follow, at: at)
  }

  var position: CuePosition? { runtime.cues["main"]?.position }
  var current: CueName? { try? runtime.cueRows("main").first?.current }
  var level: Double? { runtime.state(of: "level", on: "lamp")?.value[0] }

  /// Runs frames, and commits what lists do by themselves, as a daemon does.
  func run(_ frames: Int, _ watch: inout CueWatch) throws {
    for _ in 0..<frames {
      scene.advance()
      for (list, step) in watch.due(in: runtime) { try take(step, list) }
    }
  }

  func rest() { for _ in 0..<2000 where runtime.wantsFrames { scene.advance() } }

  // Clauses: S23.1, S23.3
  @Test func `cues go one after the other, and the receipt has the next`() throws {
    try load([Self.cue("1", 1), Self.cue("2", 2), Self.cue("2.5", 3)])
    #expect(try runtime.cueRows().first?.next == "1" && runtime.cueRows().first?.position.step == 1)
    let first = try take(.go)
    #expect(first.cues.first?.current == "1" && first.cues.first?.next == "2" && first.cues.first?.content == nil)
    // Two commands before a frame are two steps.
    try take(.go)
    let last = try take(.go)
    #expect(last.cues.first?.current == "2.5" && last.cues.first?.next == nil)
    rest()
    #expect(level == 3)
    #expect(refusal { $0.cue("main", .go) }?.code == .notFound)
    try take(.back)
    #expect(current == "2")
    rest()
    #expect(level == 2)
    try take(.goto("1"))
    rest()
    #expect(level == 1 && current == "1")
    #expect(refusal { $0.cue("main", .back) }?.field == "back")
    #expect(refusal { $0.cue("main", .goto("3")) }?.remedy.contains("2.5") == true)
    #expect(refusal { $0.cue("none", .go) }?.remedy.contains("main") == true)
  }

  // Clauses: S23.3
  @Test func `commands that are on their way to the disk at once are steps of their own`() throws {
    try load([Self.cue("1", 1), Self.cue("2", 2), Self.cue("3", 3)])
    var go = Transaction()
    go.cue("main", .go)
    let (first, lost) = (try runtime.accept(go), try runtime.accept(go))
    #expect(first.receipt.cues.first?.current == "1" && lost.receipt.cues.first?.current == "2")
    runtime.apply(first)
    // The second cannot be written.
    runtime.discard(lost)
    #expect(current == "1")
    let second = try runtime.accept(go)
    #expect(second.receipt.cues.first?.current == "2")
    runtime.apply(second)
    rest()
    #expect(level == 2 && position?.step == 3)
  }

  // Clauses: S23.4
  @Test func `a cue waits, and the next follows, from the times at which they were due`() throws {
    var watch = CueWatch()
    try load([
      Self.cue("1", 1, follow: 0.505), Self.cue("2", 2, wait: 0.25, follow: 0), Self.cue("3", 3), Self.cue("4", 4),
    ])
    for _ in 0..<10 { scene.advance() }
    try take(.go)
    let went = try #require(position?.went)
    #expect(position?.due == went + 0.505 && went == runtime.frame.time)
    try run(50, &watch)
    #expect(current == "1")
    try run(1, &watch)
    // It went when it was due, however late the frame was.
    #expect(
      current == "2" && position?.waits == true && position?.went == went + 0.505 && position?.due == went + 0.755)
    try run(24, &watch)
    #expect(position?.waits == true)
    try run(3, &watch)
    #expect(current == "3" && position?.due == nil && position?.went == went + 0.755)
    try run(100, &watch)
    #expect(current == "3")
  }

  // Clauses: S23.4
  @Test func `a go lets a cue that waits begin at once`() throws {
    try load([Self.cue("1", 1, wait: 5), CueList.Cue("2"), Self.cue("3", 3, wait: 5)])
    try take(.go)
    scene.advance()
    #expect(runtime.currentIntentions.isEmpty && runtime.nextDueTime != nil)
    try take(.go)
    #expect(current == "2" && runtime.nextDueTime == nil)
    rest()
    #expect(level == 1)
    try take(.go)
    #expect(position?.waits == true)
    // The last one, too.
    try take(.go)
    rest()
    #expect(level == 3 && position?.waits == false && position?.due == nil)
    #expect(refusal { $0.cue("main", .go) } != nil)
  }

  // Clauses: S23.4, S23.7
  @Test func `a stop of everything and a stop of the list end what goes on by itself`() throws {
    var watch = CueWatch()
    for stop in [true, false] {
      try load([Self.cue("1", 1, follow: 0.2), Self.cue("2", 2)])
      try take(.go)
      scene.advance()
      if stop { runtime.applyNow(.stop(StopRequest([]))) } else { try take(.stop) }
      #expect(position?.due == nil)
      try run(100, &watch)
      #expect(current == "1")
      // A step that was on its way is late.
      #expect(throws: Refusal.self) { try take(.due(position!.step - 1)) }
      try take(.go)
      #expect(current == "2")
    }
    try load([Self.cue("1", 1, follow: 0.2), Self.cue("2", 2)])
    try take(.go)
    // A stop of a target is none of the show.
    runtime.applyNow(.stop(StopRequest(["lamp"])))
    #expect(position?.due != nil)
  }

  // Clauses: S23.3, S23.4, S23.7
  @Test func `a cue that waits when the list is stopped is the next one`() throws {
    var watch = CueWatch()
    for stop in [true, false] {
      try load([Self.cue("1", 1), Self.cue("2", 2, wait: 0.5), Self.cue("3", 3)])
      try take(.go)
      try take(.go)
      scene.advance()
      #expect(current == "2" && position?.waits == true)
      if stop { runtime.applyNow(.stop(StopRequest([]))) } else { try take(.stop) }
      try run(100, &watch)
      #expect(try current == "1" && runtime.cueRows("main").first?.next == "2" && position?.due == nil)
      try take(.goto("3"))
      try take(.back)
      #expect(current == "2")
      // The first one, too.
      try load([Self.cue("1", 1, wait: 0.5)])
      try take(.go)
      if stop { runtime.applyNow(.stop(StopRequest([]))) } else { try take(.stop) }
      #expect(try current == nil && runtime.cueRows("main").first?.next == "1")
      try take(.go)
      try run(100, &watch)
      #expect(level == 1)
    }
  }

  // Clauses: S23.3
  @Test func `back and goto bring the scenes of all cues up to there`() throws {
    func save(_ name: SceneName, _ target: TargetName, _ level: Double) throws {
      try scene.add(.springTo("level", Lanes(level)), to: target)
      rest()
      try commit { $0.saveScene(name, of: TargetSelector(target) as TargetSelector) }
    }
    func recall(_ scene: SceneName) -> Transaction {
      var content = Transaction()
      content.recall(SceneRecall(scene))
      return content
    }
    try save("a1", "a", 1)
    try save("b1", "b", 1)
    try save("a2", "a", 2)
    try save("b3", "b", 3)
    try load([
      CueList.Cue("1", recall("a1")), CueList.Cue("2", recall("b1")), CueList.Cue("3", recall("a2")), Self.cue("x", 7),
      CueList.Cue("4", recall("b3")),
    ])
    func levels() -> [Double?] { ["a", "b"].map { runtime.state(of: "level", on: $0)?.value[0] } }
    for _ in 0..<5 { try take(.go) }
    rest()
    #expect(levels() == [2, 3] && level == 7)
    try take(.goto("2"))
    rest()
    #expect(levels() == [1, 1])
    // The scenes of the cues before one without a scene, and what it does itself.
    try scene.add(.springTo("level", 0), to: "lamp")
    rest()
    try take(.goto("x"))
    rest()
    #expect(levels() == [2, 1] && level == 7)
    try take(.goto("4"))
    try take(.back)
    rest()
    #expect(levels() == [2, 1])
    // A scene that is gone is left out where it is not the cue's own.
    try commit { $0.deleteScene("a1") }
    try take(.goto("2"))
    #expect(refusal { $0.cue("main", .goto("1")) }?.message == "cue \"1\": there is no scene \"a1\"")
  }

  // Clauses: S23.2
  @Test func `what is no list is refused, and nothing changes`() throws {
    try load([Self.cue("1", 1)])
    let before = runtime.cues.stored
    func refused(_ cues: [CueList.Cue]) -> Refusal? { refusal { $0.load(CueList(cues), as: "main") } }
    var unknown = Transaction()
    unknown.add(Intention("Unknown", []), to: "lamp")
    #expect(refused([CueList.Cue("1", unknown)])?.message.hasPrefix("cue \"1\": ") == true)
    var nested = Transaction()
    nested.cue("main", .go)
    #expect(refused([CueList.Cue("1", nested)])?.field == "cues")
    #expect(refused([Self.cue("1", 1), Self.cue("1", 2)])?.message.contains("two cues") == true)
    #expect(refused([Self.cue("1", 1, wait: -1)])?.message.contains("no delay") == true)
    #expect(refused([Self.cue("1", 1, follow: .infinity)]) != nil)
    #expect(refused([Self.cue("1", 1, at: .nan)]) != nil)
    #expect(
      refused([Self.cue("1", 1, at: 3), Self.cue("2", 1), Self.cue("3", 1, at: 3)])?.message.contains("behind") == true)
    #expect(refused((0...Limits.cuesPerList).map { CueList.Cue(CueListName.cue($0)) })?.code == .limit)
    var long = Transaction()
    for _ in 0...Limits.operationsPerCueList { long.forget("lamp") }
    #expect(refused([CueList.Cue("1", long)])?.code == .limit)
    // A command and a list of one name in one transaction, a later time, and a position that no command has made.
    #expect(
      refusal {
        $0.cue("main", .go)
        $0.load(CueList([Self.cue("2", 2)]), as: "main")
      } != nil)
    #expect(throws: Refusal.self) { try commit(at: 1000) { $0.cue("main", .go) } }
    #expect(throws: Refusal.self) {
      try runtime.commit(Transaction(log: [.cues("main", .position(CuePosition(step: 2, current: 0)))]))
    }
    #expect(runtime.cues.stored == before)
    // As many lists as there may be.
    try commit { for index in 1..<Limits.cueLists { $0.load(CueList([Self.cue("1", 1)]), as: .list(index)) } }
    #expect(refusal { $0.load(CueList([Self.cue("1", 1)]), as: "more") }?.code == .limit)
    // Also within one transaction, and before it is applied.
    #expect(
      refusal { for index in 500..<700 { $0.load(CueList([Self.cue("1", 1)]), as: .list(index)) } }?.code == .limit)
    try load([Self.cue("2", 2)])
    try commit { $0.unload("main") }
    #expect(runtime.cues["main"] == nil && runtime.cues.names.count == Limits.cueLists - 1)
  }

  // Clauses: S23.3
  @Test func `a go whose cue cannot begin moves nothing on, unless motiond takes the step`() throws {
    var content = Transaction()
    content.recall(SceneRecall("gone"))
    try load([CueList.Cue("1", content), Self.cue("2", 2)])
    let refused = refusal {
      $0.forget("other")
      $0.cue("main", .go)
    }
    #expect(refused?.operation == 1 && refused?.message == "cue \"1\": there is no scene \"gone\"")
    #expect(position?.step == 1 && position?.current == nil)
    runtime.cues.replace(by: [
      .init("main", try #require(runtime.cues["main"]?.list), CuePosition(step: 1, due: 0), number: 1)
    ])
    try take(.missing(.due(1), "no scene"))
    #expect(current == "1" && runtime.pendingCommits.last?.transaction.log.count == 1)
    #expect(position?.leftOut == "no scene")
    try take(.stop)
    #expect(position?.leftOut == "no scene", "until another begins")
    try take(.go)
    #expect(current == "2" && position?.leftOut == nil)
  }

  // Clauses: S23.6
  @Test func `lists outlast checkpoints as they are stored, and are in no snapshot`() throws {
    try load([Self.cue("1", 1, follow: 3), Self.cue("2", 2)], timeline: PropertyReference("show", "time"))
    try take(.go)
    var copy = CueTable()
    copy.replace(by: runtime.cues.stored)
    #expect(copy.stored == runtime.cues.stored && copy.nextDueTime == runtime.nextDueTime)
    #expect(runtime.checkpoint().cues.isEmpty)
  }
}

extension CueListName {
  static func list(_ number: Int) -> CueListName {
    do {
      return try CueListName("l\(number)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
  static func cue(_ number: Int) -> CueName {
    do {
      return try CueName("\(number)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}

extension TargetName {
  static func cue(_ number: Int) -> TargetName {
    do {
      return try TargetName("t\(number)")
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
