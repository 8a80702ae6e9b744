import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

// Lists of cues whose timeline lets them go.
extension CueTests {
  // Clauses: S23.5
  @Test func `a timeline fires each cue once when it passes it forwards, none backwards`() throws {
    var watch = CueWatch()
    try scene.add(.springTo("time", 0), to: "show")
    rest()
    try load(
      [Self.cue("1", 1, at: 0.1), Self.cue("2", 2, at: 0.3), Self.cue("3", 3, at: 0.301), Self.cue("4", 4)],
      timeline: PropertyReference("show", "time"))
    func go(to time: Double) throws {
      try scene.add(.springTo("time", Lanes(time), .perceived(duration: .seconds(1))), to: "show")
      try run(300, &watch)
    }
    try go(to: 0.2)
    #expect(current == "1" && position?.step == 2)
    try go(to: 0)
    #expect(current == "1" && position?.step == 2)
    // Both within one frame, in their order.
    try go(to: 0.9)
    #expect(current == "3" && position?.step == 5)
    try go(to: 0.2)
    try go(to: 0.35)
    #expect(current == "3" && position?.step == 7)
    // A go moves on from there.
    try take(.go)
    #expect(current == "4")
  }

  // Clauses: S23.4, S23.5
  @Test func `a cue that waits begins before the next one that the timeline passes`() throws {
    var watch = CueWatch()
    try scene.add(.springTo("time", 0), to: "show")
    rest()
    func other(_ name: CueName, _ property: PropertyName, at: Double, wait: Double = 0) -> CueList.Cue {
      var content = Transaction()
      content.add(.springTo(property, 1), to: "lamp")
      return CueList.Cue(name, content, wait: wait, follow: 0.5, at: at)
    }
    try load(
      [
        other("1", "a", at: 0.1, wait: 60), other("2", "b", at: 0.3), other("3", "c", at: 0.301, wait: 60),
        other("4", "d", at: 0.302),
      ],
      timeline: PropertyReference("show", "time"))
    try scene.add(.springTo("time", 0.2), to: "show")
    try run(300, &watch)
    #expect(current == "1" && position?.waits == true && runtime.state(of: "a", on: "lamp") == nil)
    // A kill of motiond in the wait.
    watch = CueWatch()
    try scene.add(.springTo("time", 0.9), to: "show")
    try run(300, &watch)
    #expect(current == "4" && position?.step == 7)
    for property: PropertyName in ["a", "b", "c", "d"] {
      #expect(runtime.state(of: property, on: "lamp")?.value == [1], "\(property)")
    }
  }

  // Clauses: S23.5
  @Test func `after a jump of the timeline there is the state of the last cue that it passed`() throws {
    var watch = CueWatch()
    try scene.add(.follow("time", "ltc", .direct), to: "show")
    /// A timeline that is set at once.
    func set(_ time: Double) throws {
      try runtime.submit(InputValues(from: "desk", [InputValue("ltc", Lanes(time), time: runtime.frame.time)]))
      try run(5, &watch)
      #expect(abs((runtime.state(of: "time", on: "show")?.value[0] ?? .nan) - time) < 1e-9)
    }
    try set(0)
    try load(
      (1...9).map { Self.cue(CueListName.cue($0), Double($0), follow: 0.01, at: Double($0 * 10)) },
      timeline: PropertyReference("show", "time"))
    try set(55)
    #expect(current == "5")
    try run(200, &watch)
    // No cue follows: the timeline is to fire them.
    #expect(current == "5" && level == 5)
    try set(12)
    #expect(current == "1")
    let step = position?.step
    // Within the same cue nothing is done.
    try set(19)
    #expect(current == "1" && position?.step == step)
    try set(-3)
    #expect(try current == nil && runtime.cueRows("main").first?.next == "1")
    try set(95)
    #expect(current == "9")
  }

  // Clauses: S23.5, S23.6
  @Test func `a list that is loaded again takes the state of its timeline, and keeps what is commanded then`() throws {
    var watch = CueWatch()
    try scene.add(.springTo("time", 1.5), to: "show")
    rest()
    let cues = [Self.cue("one", 1, at: 1), Self.cue("two", 2, at: 2)]
    for _ in 0..<3 {
      try load(cues, timeline: PropertyReference("show", "time"))
      try run(5, &watch)
      #expect(current == "one")
      // As after a restart, with no course of the timeline.
      try take(.goto("two"))
      scene.advance()
      watch = CueWatch()
      try run(5, &watch)
      #expect(current == "two")
    }
  }

  // Clauses: S23.5, S23.6
  @Test func `after a restart a timeline goes on from the last cue that it passed`() throws {
    let reference = PropertyReference("show", "time")
    try scene.add(.springTo("time", 5), to: "show")
    rest()
    let list = CueList((1...9).map { Self.cue(CueListName.cue($0), 0, at: Double($0)) }, timeline: reference)
    func first(passed: Double?) -> CueStep? {
      runtime.cues.replace(by: [
        .init("main", list, CuePosition(step: 7, current: 2, went: 0, passed: passed), number: 1)
      ])
      var watch = CueWatch()
      return watch.due(in: runtime).first?.step
    }
    // Nothing was passed since.
    #expect(first(passed: 5) == nil && first(passed: 6.5) == nil)
    // The list was just loaded, or the timeline has just begun.
    #expect(first(passed: nil) == .jump(7, to: 5))
    // One was, and its transaction was lost: not yet acknowledged.
    #expect(first(passed: 4.5) == .fire(7, cue: 4))
    // The timeline went on by itself.
    #expect(first(passed: 1) == .jump(7, to: 5))
  }
}
