import MotionModel
import MotionTestKit
import Testing

@testable import MotionCore

/// Patches with patterns and groups, which a runtime replaces by names when it accepts them.
struct PatchSelectorTests {
  private func runtime() throws -> Runtime {
    var registry = ExecutorRegistry()
    try registry.register(
      ExecutorDeclaration(type: "DMX", descriptions: [SendDMXIntention.description], acceptsNames: false) { _, _ in
        Idle()
      })
    return Runtime(registry: registry)
  }

  private final class Idle: Executor {
    static let type: ExecutorType = "DMX"
    static let descriptions = [SendDMXIntention.description]
    func add(_ planned: PlannedIntention) throws {}
    func remove(_ identity: IntentionIdentity) {}
  }

  private func makeLamps(_ numbers: some Sequence<Int>, _ runtime: Runtime) throws {
    var transaction = Transaction()
    for number in numbers { transaction.add(.springTo("level", 1), to: .lamp(number)) }
    try runtime.commit(transaction)
    runtime.advance()
  }

  private func patch(_ text: String) throws -> Transaction {
    var transaction = Transaction()
    transaction.add(try .sendDMX(text), to: "rig")
    return transaction
  }

  /// The lines of the patch as it is applied.
  private func lines(_ transaction: Transaction?) -> [String] {
    guard case .add(let plan, _, _)? = transaction?.log.last, case .list(let lines)? = plan["patch"] else { return [] }
    return lines.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }

  // Clauses: S25.11
  @Test func `fixtures are the targets that exist, in natural order, and later ones do not join`() throws {
    let runtime = try runtime()
    try makeLamps([10, 2, 1], runtime)
    var groups = Transaction()
    groups.group("front", "lamp2,spot,lamp1")
    try runtime.commit(groups)
    let receipt = try runtime.commit(
      patch("universe 1 sacn\nlamp* dimmer 1.1\nmaster desk/m @front\nspot,@front dimmer 1.101"))
    #expect(receipt.addressed == [.init(operation: 0, targets: 4)])
    let accepted = lines(runtime.pendingCommits.last?.transaction)
    #expect(
      accepted == [
        "universe 1 sacn", "lamp1,lamp2,lamp10 dimmer 1.1", "master desk/m lamp1,lamp2,spot",
        "spot,lamp1,lamp2 dimmer 1.101",
      ])
    runtime.advance()
    try makeLamps([3], runtime)
    guard case .intentions(let rows)? = try runtime.answer(.intentions("rig")) else { throw Missing() }
    #expect(
      rows.map(\.state) == [.added]
        && lines(Transaction(log: [.add(rows[0].intention, named: nil, to: "rig")])) == accepted)
  }

  // Clauses: S25.11
  @Test func `a master takes fixtures of its patch that do not exist yet`() throws {
    let runtime = try runtime()
    try makeLamps([2], runtime)
    let receipt = try runtime.commit(patch("universe 1 sacn\nlamp{1..3} dimmer 1.1\nmaster desk/m lamp*"))
    #expect(receipt.addressed == [.init(operation: 0, targets: 3)])
    #expect(lines(runtime.pendingCommits.last?.transaction).last == "master desk/m lamp1,lamp2,lamp3")
  }

  private struct Missing: Error {}

  // Clauses: S21.3, S25.11
  @Test func `a word for no target, and a group that there is not, refuse it with the line`() throws {
    let runtime = try runtime()
    func refusal(_ text: String) throws -> Refusal? {
      #expect(throws: Refusal.self) { try runtime.commit(patch(text)) }
    }
    let strange = try refusal("universe 1 sacn\nlamp{1..2} dimmer 1.1\nmaster desk/m lmp*")
    #expect(strange?.message == "line 3: no fixture matches \"lmp*\"")
    let none = try refusal("universe 1 sacn\n\nlamp* dimmer 1.1")
    #expect(none?.code == .notFound && none?.field == "patch" && none?.operation == 0)
    #expect(none?.message == "line 3: no target matches \"lamp*\"")
    let group = try refusal("universe 1 sacn\n@frnt dimmer 1.1")
    #expect(group?.field == "patch" && group?.message == "line 2: there is no group \"frnt\"")
    try makeLamps(1...200, runtime)
    #expect(try refusal("universe 1 sacn\nlamp* rgb 1.1")?.message.contains("line 2: lamp171 needs channels") == true)
    let many = "universe 1 sacn\n" + (1...65).map { "lamp\($0)* dimmer 1.\($0)" }.joined(separator: "\n")
    #expect(try refusal(many)?.message.contains("at most 64 patterns") == true)
    #expect(runtime.pendingCommits.isEmpty)
  }

  // Clauses: S21.10, S25.11
  @Test func `random patches are resolved piece by piece as at once, also for each of several targets`() throws {
    var random = SeededRandom(seed: SeededRandom.seed(of: "open patches"))
    for _ in 0..<SeededRandom.rounds(300) {
      let runtime = try runtime()
      let numbers = (1...Int.random(in: 1...30, using: &random)).shuffled(using: &random)
      try makeLamps(numbers, runtime)
      var request = Transaction()
      if Bool.random(using: &random) { request.group("front", "lamp{1..3},spot") }
      if Bool.random(using: &random) { request.add(.springTo("level", 0), to: .lamp(40)) }
      if Bool.random(using: &random) { request.forget(.lamp(numbers[0])) }
      let words = ["lamp*", "lamp?", "@front", "lamp1,lamp2*", "lamp7", "lamp{3..4}", "?amp4?"]
      let text =
        "universe 1 sacn\n"
        + (0..<Int.random(in: 1...4, using: &random)).map { line in
          let word = words.randomElement(using: &random) ?? ""
          return line == 3 ? "blackout desk/b \(word)" : "\(word) dimmer 1.\(1 + 100 * line)"
        }.joined(separator: "\n")
      let plan = Intention("SendDMX", [.init("patch", .text(text))])
      if Bool.random(using: &random) { request.add(plan, to: "rig") } else { request.add(plan, toEach: "rig,lamp*") }
      func resolve(_ step: Int) -> Result<[Transaction.Operation], Refusal> {
        do throws(Refusal) {
          let resolution = try TargetResolution(request, in: runtime)
          while !resolution.isFinished { try resolution.advance(step) }
          return .success(resolution.log)
        } catch {
          return .failure(error)
        }
      }
      let whole = resolve(.max)
      #expect(resolve(1) == whole && resolve(7) == whole, "\(text)")
      guard case .success(let log) = whole else { continue }
      // What is written by names is committed as it is.
      #expect(log.allSatisfy { !$0.hasOpenPatch })
      #expect(!Transaction(log: log).hasRequests)
      if case .success? = Optional(Result { try runtime.commit(request) }) {
        #expect(runtime.pendingCommits.last?.transaction.log == log)
      }
    }
  }
}
