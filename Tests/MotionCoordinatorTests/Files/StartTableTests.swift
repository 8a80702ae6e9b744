import Glibc
import MotionTestKit
import Testing

@testable import MotionCoordinator

/// Every name that a start opens, with every kind of thing under it: a start succeeds, or names a command that helps,
/// and what reports a start's problems reports the same.
@Suite(.timeLimit(.minutes(10))) struct StartTableTests {
  /// A cell for which `journal verify` cannot report what a start does: a start without a state directory begins anew,
  /// and root's inspection takes the owner of the state directory for the user who runs motiond.
  private func isVerified(_ name: String, _ kind: StartFolder.Kind) -> Bool {
    if name.hasPrefix("run") { return false }
    guard name == "state" else { return true }
    return ![.missing, .emptyDirectory, .filledDirectory, .ofAnotherUser].contains(kind)
  }

  /// The command that the error names: to be run by a shell, or a start that accepts loss.
  private func follow(_ error: StartError, _ folder: StartFolder) async throws -> StartError? {
    for word in ["chown", "chmod", "mv", "rm"] {
      guard let start = error.remedy.firstRange(of: ": \(word) ") else { continue }
      guard system(String(error.remedy[start.lowerBound...].dropFirst(2))) == 0 else { return error }
      return try await folder.start()
    }
    guard error.remedy.contains("--accept-loss") else { return error }
    return try await folder.start(acceptingLoss: true)
  }

  // Clauses: S17.39, S17.40
  @Test func `a start succeeds, or names a command after which it does, whatever a name holds`() async throws {
    let folder = try await StartFolder()
    #expect(folder.names.count == 27)
    let cells = folder.names.flatMap { name in
      StartFolder.Kind.allCases.filter(\.isTested).map { (name: name, kind: $0) }
    }
    var random = SeededRandom(seed: SeededRandom.seed(of: "whatever a name holds"))
    let rounds = SeededRandom.rounds(cells.count)
    var failures = 0
    // Of a part of the rounds, another part in each run.
    for (name, kind) in cells.shuffled(using: &random).prefix(rounds) {
      let cell = "\(name): \(kind)"
      try folder.reset()
      try folder.put(kind, at: name)
      let verified = folder.verify()
      let problems = folder.check()
      let error = try await folder.start()
      #expect((error != nil) == !problems.isEmpty, "\(cell): \(problems), \(error as Any)")
      if isVerified(name, kind) {
        #expect((error != nil) == (verified != nil), "\(cell): \(verified as Any), \(error as Any)")
      }
      guard let error else { continue }
      failures += 1
      #expect(problems.first?.hasPrefix(error.step) == true, "\(cell): \(problems), \(error)")
      // The file that was made for it is empty, which is another problem.
      if name.contains("/built/"), [.ofAnotherUser, .writableByAll].contains(kind) { continue }
      let next = try await follow(error, folder)
      #expect(next == nil, "\(cell): \(error), then \(next as Any)")
      #expect(try await folder.start() == nil, "\(cell): the start after that")
      #expect(folder.verify() == nil, "\(cell)")

      // The owner of a whole directory is not a loss that could be accepted.
      if kind == .ofAnotherUser, ["run", "run/client", "run/worker", "state"].contains(name) { continue }
      try folder.reset()
      try folder.put(kind, at: name)
      #expect(folder.check(acceptingLoss: true) == [], "\(cell)")
      let refusal = try await folder.start(acceptingLoss: true)
      #expect(refusal == nil, "\(cell): \(refusal as Any)")
    }
    #expect(failures > rounds / 4)
  }

  // Clauses: S17.39
  @Test func `a start that accepts loss succeeds, whatever several names hold`() async throws {
    let seed = SeededRandom.seed(of: "whatever several names hold")
    var random = SeededRandom(seed: seed)
    let folder = try await StartFolder()
    let kinds = StartFolder.Kind.allCases.filter { $0.isTested && $0 != .ofAnotherUser }
    for _ in 0..<SeededRandom.rounds(60) {
      try folder.reset()
      var cells: [String] = []
      var given: [String] = []
      for _ in 0..<Int.random(in: 2...6, using: &random) {
        guard let name = folder.names.randomElement(using: &random), let kind = kinds.randomElement(using: &random)
        else { continue }
        // Each name gets one thing, and nothing lies in what was put at another.
        guard !given.contains(where: { "\(name)/".hasPrefix("\($0)/") || "\($0)/".hasPrefix("\(name)/") }) else {
          continue
        }
        given.append(name)
        // A name in a directory that is none any more cannot be given anything.
        guard (try? folder.put(kind, at: name)) != nil else { continue }
        cells.append("\(name): \(kind)")
      }
      let problems = folder.check()
      let error = try await folder.start()
      #expect((error != nil) == !problems.isEmpty, "seed \(seed), \(cells): \(problems), \(error as Any)")
      let refusal = try await folder.start(acceptingLoss: true)
      #expect(refusal == nil, "seed \(seed), \(cells): \(refusal as Any)")
      #expect(try await folder.start() == nil, "seed \(seed), \(cells)")
    }
  }
}
