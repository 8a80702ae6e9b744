import MotionCore
import MotionModel
import Testing

/// What is noted when a range alone, without another limit, holds a property back.
struct RangeHoldTests {
  private let angle = PropertyReference("head", "angle")

  private func head() throws -> LimitedRuntime {
    let head = LimitedRuntime(property: "angle")
    head.runtime.log.keeps = .limits
    try head.limit(PropertyLimits(range: .init(-1, 1)))
    return head
  }

  private func changes(_ head: LimitedRuntime) -> [RuntimeChange] {
    head.runtime.log.take().flatMap(\.changes).map(\.change)
  }

  // Clauses: S19.14
  @Test(arguments: ["spring", "move", "follow"])
  func `a range that was set notes what it holds back, and the demand`(driver: String) throws {
    let head = try head()
    switch driver {
    case "spring": try head.add(.anchoredSpring("angle", 4))
    case "move": try head.add(.moveTo("angle", 4, maxVelocity: 4, maxAcceleration: 40, maxJerk: 400))
    default:
      try head.runtime.submit(InputValues(from: "desk", [InputValue("fader", 4, time: 0)]))
      try head.add(.follow("angle", "fader"))
    }
    var frames = 0
    while head.runtime.heldBack == 0, frames < 500 {
      head.advance()
      frames += 1
    }
    guard case .limitEntered(let entered)? = changes(head).first else {
      Issue.record("nothing was noted in \(frames) frames")
      return
    }
    #expect(entered.reference == angle && entered.limits == [.range] && entered.overrun == nil)
    #expect(entered.demand.value[0] > 1 && entered.state == PropertyState(1))
    let row = try #require(head.row)
    #expect(row.demand == entered.demand)
    guard case .why(let explanation)? = try head.runtime.answer(.why(angle)) else {
      Issue.record("no explanation")
      return
    }
    #expect(explanation.restraints == [.range])
    #expect(head.runtime.limitEntries == 1)
    // It is noted once, and again when nothing is held back any more.
    head.advance(300)
    #expect(changes(head).filter { if case .limitEntered = $0 { true } else { false } } == [])
    try head.commit { $0.liftLimits("angle", of: "head") }
    head.advance(300)
    #expect(head.runtime.heldBack == 0 && head.row?.demand == nil)
  }

  // Clauses: S19.14
  @Test func `beside another limit the demand is listed, too, when the property has arrived at the bound`() throws {
    let head = LimitedRuntime(property: "angle")
    try head.limit(PropertyLimits(range: .init(-1, 1), velocity: 2, acceleration: 20))
    try head.add(.anchoredSpring("angle", 4))
    head.advance(600)
    #expect(head.state == PropertyState(1) && head.runtime.heldBack == 1)
    #expect(head.row?.demand?.value == 4)
  }

  // Clauses: S19.14
  @Test(arguments: [false, true])
  func `a range that is set around a driver at rest holds it back`(follows: Bool) throws {
    let head = LimitedRuntime(property: "angle")
    head.runtime.log.keeps = .limits
    try head.runtime.submit(InputValues(from: "desk", [InputValue("fader", 4, time: 0)]))
    try head.add(follows ? .follow("angle", "fader") : .anchoredSpring("angle", 4))
    head.advance(600)
    #expect(head.state == PropertyState(4) && !head.runtime.wantsFrames)
    try head.limit(PropertyLimits(range: .init(-1, 1)))
    head.advance(10)
    #expect(head.state == PropertyState(1) && head.runtime.heldBack == 1)
    #expect(head.row?.demand?.value == 4)
    #expect(changes(head).count == 1)
  }

  // Clauses: S19.14
  @Test func `a driver that comes back or goes ends it`() throws {
    let head = try head()
    try head.add(.anchoredSpring("angle", 4))
    head.advance(400)
    #expect(head.runtime.heldBack == 1 && !head.runtime.wantsFrames)
    try head.add(.moveTo("angle", 0, maxVelocity: 4, maxAcceleration: 40, maxJerk: 400))
    var frames = 0
    while head.runtime.heldBack > 0, frames < 100 {
      head.advance()
      frames += 1
    }
    #expect(changes(head).last == .limitLeft(angle))
    // The anchored spring drives again.
    head.advance(600)
    #expect(head.runtime.heldBack == 1 && head.runtime.limitEntries >= 2)
    try head.commit { $0.forget("head") }
    head.advance(2)
    #expect(head.runtime.heldBack == 0)
  }

  // Clauses: S19.14, S11.37
  @Test(arguments: [1, 400])
  func `a restart and a fork go on with it`(frames: Int) throws {
    let head = try head()
    try head.add(.anchoredSpring("angle", 4))
    while head.runtime.heldBack == 0 { head.advance() }
    head.advance(frames)
    let demand = try #require(head.row?.demand)
    let fork = LimitedRuntime(property: "angle")
    fork.runtime.log.keeps = .limits
    try fork.runtime.restore(try #require(head.runtime.snapshot()))
    #expect(fork.row?.demand == demand && fork.runtime.heldBack == 1)
    #expect(fork.runtime.limitEntries == head.runtime.limitEntries)
    fork.advance(100)
    #expect(changes(fork) == [], "the log had it before")
    let next = LimitedRuntime(property: "angle")
    next.runtime.restore(head.runtime.checkpoint())
    next.runtime.endRecovery()
    next.advance()
    head.advance()
    #expect(next.row?.demand == head.row?.demand && next.runtime.heldBack == 1)
  }

  // Clauses: S10.20, S19.14
  @Test func `a natural range notes nothing`() throws {
    let head = LimitedRuntime(property: "opacity")
    head.runtime.log.keeps = .limits
    try head.add(.anchoredSpring("opacity", 4))
    head.advance(300)
    #expect(head.state == PropertyState(1) && head.runtime.heldBack == 0 && head.row?.demand == nil)
    #expect(changes(head) == [])
    try head.limit(PropertyLimits(range: .init(0, 1)))
    head.advance(50)
    #expect(head.runtime.heldBack == 1 && head.row?.demand?.value == 4)
  }
}
