import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Plans that would take lamps from another plan, and fail.
struct UniverseCheckTests {
  private final class Idle: NamedExecutor {
    static let type: ExecutorType = "DMX"
    static let descriptions = [SendDMXIntention.description]
    func add(_ planned: PlannedIntention) throws {}
    func add(_ planned: PlannedIntention, named name: IntentionName) throws {}
    func remove(_ identity: IntentionIdentity) {}
    func remove(named name: IntentionName) {}
  }

  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(
      ExecutorDeclaration(type: "DMX", descriptions: [SendDMXIntention.description], acceptsNames: true) { _, _ in
        Idle()
      })
    return Runtime(registry: registry)
  }

  private func send(_ universes: Int...) throws -> Intention {
    let lines = universes.map { "universe \($0) sacn 127.0.0.1" } + universes.map { "lamp\($0) dimmer \($0).1" }
    return try .sendDMX(lines.joined(separator: "\n"))
  }

  private func commit(_ runtime: Runtime, _ change: (inout Transaction) throws -> Void) throws -> Receipt {
    var transaction = Transaction()
    try change(&transaction)
    return try runtime.commit(transaction)
  }

  private func refusal(_ runtime: Runtime, _ change: (inout Transaction) throws -> Void) throws -> Refusal? {
    do {
      _ = try commit(runtime, change)
      return nil
    } catch let error as Refusal {
      return error
    }
  }

  /// Two plans that send universes 1 and 2, applied or waiting for the next frame.
  private func rigged(applied isApplied: Bool) throws -> Runtime {
    let runtime = try runtime()
    _ = try commit(runtime) { $0.add(try send(1), named: "r", to: "rig") }
    _ = try commit(runtime) { $0.add(try send(2), named: "s", to: "side") }
    if isApplied { runtime.advance() }
    return runtime
  }

  // Clauses: S25.8
  @Test(arguments: [true, false])
  func `a replacement that another plan keeps from its universe is refused, and the former plan stays`(
    isApplied: Bool
  ) throws {
    let runtime = try rigged(applied: isApplied)
    let found = try refusal(runtime) {
      $0.add(.springTo("level", 1), to: "lamp1")
      $0.add(try send(1, 2), named: "r", to: "rig")
    }
    #expect(found?.operation == 1 && found?.field == "patch")
    #expect(
      found?.message.contains("universe 2 is sent as sacn 2 by the plan \"s\" on side") == true, "\(found as Any)")
    #expect(found?.remedy.contains("Remove that plan first") == true)
    runtime.advance()
    #expect(runtime.plans.intentions.count { _ in true } == 2)
    // What takes nothing away is accepted; it fails in its worker.
    #expect(try refusal(runtime) { $0.add(try send(2), to: "other") } == nil)
    #expect(
      try refusal(runtime) { $0.add(try send(1, 3), named: "r", to: "rig") } == nil, "its own universe, and a free one")
  }

  // Clauses: S25.8
  @Test(arguments: [true, false])
  func `a universe is handed over where its plan is removed first, and refused where it is removed later`(
    isApplied: Bool
  ) throws {
    let runtime = try rigged(applied: isApplied)
    let removals: [(inout Transaction) -> Void] = [
      { $0.remove(named: "s", from: "side") }, { $0.forget("side") },
      { $0.add(.sendDMXOfUniverse9, named: "s", to: "side") },
    ]
    for (number, remove) in removals.enumerated() {
      let found = try refusal(runtime) {
        $0.add(try send(2), to: "new")
        remove(&$0)
      }
      #expect(found?.operation == 0, "\(number)")
    }
    _ = try commit(runtime) {
      $0.remove(named: "s", from: "side")
      $0.add(try send(1, 2), named: "r", to: "rig")
    }
    // By an earlier transaction, in the same frame or before.
    if isApplied { runtime.advance() }
    _ = try commit(runtime) { $0.remove(named: "r", from: "rig") }
    _ = try commit(runtime) { $0.add(try send(1), named: "s", to: "side") }
    #expect(try refusal(runtime) { $0.add(try send(2), named: "s", to: "side") } == nil)
  }

  // Clauses: S25.8
  @Test func `what is too much to be examined is accepted, and fails in its worker`() throws {
    let runtime = try runtime()
    func replace(_ change: (inout Transaction) throws -> Void = { _ in }) throws -> Refusal? {
      try refusal(runtime) {
        try change(&$0)
        $0.add(try send(1, 2), named: "r", to: "rig1")
      }
    }
    for number in 1...64 {
      _ = try commit(runtime) { $0.add(try send(number), named: "r", to: try TargetName("rig\(number)")) }
    }
    #expect(try replace()?.field == "patch", "64 operations wait for the next frame")
    _ = try commit(runtime) { $0.add(.springTo("level", 1), to: "lamp1") }
    #expect(try replace() == nil, "65 operations wait")
    runtime.advance()
    _ = try commit(runtime) { $0.add(try send(1), named: "r", to: "rig1") }
    runtime.advance()
    #expect(try replace()?.field == "patch", "64 plans send")
    #expect(try replace { for _ in 0..<4096 { $0.remove(named: "none", from: "rig2") } } == nil, "4,097 operations")
    runtime.advance()
    _ = try commit(runtime) {
      $0.add(try send(1), named: "r", to: "rig1")
      $0.add(try send(65), named: "r", to: "rig65")
    }
    runtime.advance()
    #expect(try replace() == nil, "65 plans send")
  }

  // Clauses: S25.8
  @Test func `patches of more than two of the largest are not examined`() throws {
    let runtime = try rigged(applied: true)
    func isRefused() throws -> Bool { try refusal(runtime) { $0.add(try send(1, 2), named: "r", to: "rig") } != nil }
    for number in 10...11 {
      let comment = String(repeating: "# of the largest\n", count: 3_700)
      #expect(try isRefused())
      _ = try commit(runtime) {
        $0.add(
          try .sendDMX("universe \(number) sacn\nlamp dimmer \(number).1\n" + comment),
          to: try TargetName("rig\(number)"))
      }
      runtime.advance()
    }
    #expect(try isRefused())
    let comment = String(repeating: "# of the largest\n", count: 500)
    _ = try commit(runtime) { $0.add(try .sendDMX("universe 12 sacn\nlamp dimmer 12.1\n" + comment), to: "rig12") }
    runtime.advance()
    #expect(try !isRefused())
  }
}

extension Intention {
  fileprivate static var sendDMXOfUniverse9: Intention {
    var plan = Intention(SendDMXIntention.description.type)
    plan["patch"] = .text("universe 9 sacn\nlamp9 dimmer 9.1")
    return plan
  }
}
