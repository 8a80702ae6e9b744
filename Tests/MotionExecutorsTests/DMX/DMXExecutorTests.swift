import MotionCore
import MotionModel
import MotionTestKit
import Testing

@testable import MotionExecutors

/// The executor of patches, with a transport that keeps what it is given.
struct DMXExecutorTests {
  private final class KeptLamps: DMXTransporting {
    private var post = DMXPost()
    var shown: [(universe: Int, levels: [UInt8])] = []

    func open(_ patch: DMXPatch, _ levels: [[UInt8]]) -> Result<DMXPost.Line, DMXPost.Taken> {
      shown = levels.enumerated().map { ($0, $1) }
      return post.open(patch, from: SACNPacket.Source(identity: [], name: ""), levels)
    }
    func show(_ line: DMXPost.Line, _ levels: [(universe: Int, levels: [UInt8])]) { shown = levels }
    func close(_ line: DMXPost.Line) { post.close(line, at: 0) }
    func leave(_ line: DMXPost.Line) { post.leave(line, at: 0) }
  }

  private let lamps = KeptLamps()

  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(DMXExecutor.declaration(over: lamps))
    return Runtime(registry: registry, ratePerSecond: 100)
  }

  private func commit(_ runtime: Runtime, _ change: (inout Transaction) throws -> Void) throws {
    var transaction = Transaction()
    try change(&transaction)
    try runtime.commit(transaction)
    runtime.advance()
  }

  private func rows(_ runtime: Runtime) throws -> [IntentionRow] {
    if case .intentions(let rows)? = try runtime.answer(.intentions(nil)) { rows } else { [] }
  }

  // Clauses: S25.1, S25.7
  @Test func `levels follow the frames, and what concerns no channel sends nothing`() throws {
    let runtime = try runtime()
    try commit(runtime) { $0.add(.springTo("level", 1), to: "lamp") }
    runtime.advanceUntilRest()
    try commit(runtime) {
      $0.add(try .sendDMX("universe 1 sacn\nuniverse 2 sacn\nlamp dimmer 1.5\nother rgb 2.1"), named: "rig", to: "rig")
    }
    #expect(lamps.shown.map(\.levels[4]) == [255, 0])
    lamps.shown = []
    runtime.advanceUntilRest()
    #expect(lamps.shown.isEmpty && !runtime.wantsFrames)
    try commit(runtime) { $0.add(.springTo("level", 0), to: "lamp") }
    runtime.advance()
    #expect(lamps.shown.map(\.universe) == [0] && lamps.shown[0].levels[4] < 255)
    runtime.advanceUntilRest()
    #expect(lamps.shown[0].levels[4] == 0)
    lamps.shown = []
    try commit(runtime) { $0.add(.springTo("elsewhere", 9), to: "lamp") }
    runtime.advanceUntilRest()
    #expect(lamps.shown.isEmpty)
  }

  // Clauses: S25.8
  @Test func `a plan of the same name takes the universes over, and one of another name fails`() throws {
    let runtime = try runtime()
    try commit(runtime) { $0.add(try .sendDMX("universe 1 sacn\nlamp dimmer 1.1"), named: "rig", to: "rig") }
    try commit(runtime) { $0.add(try .sendDMX("universe 1 sacn\nlamp dimmer 1.2"), named: "rig", to: "rig") }
    try commit(runtime) { $0.add(try .sendDMX("universe 3 sacn as=1\nlamp dimmer 3.2"), named: "other", to: "rig") }
    let rows = try self.rows(runtime)
    #expect(rows.map(\.state) == [.added, .failed])
    #expect(rows[1].reason.contains("universe 3 is sent as sacn 1 by another plan"), "\(rows[1].reason)")
    try commit(runtime) { $0.remove(named: "rig", from: "rig") }
    try commit(runtime) { $0.add(try .sendDMX("universe 3 sacn as=1\nlamp dimmer 3.2"), named: "other", to: "rig") }
    #expect(try self.rows(runtime).contains { $0.state == .added && $0.name == "other" })
  }
}
