package import Glibc
package import LinuxSystem

/// Examines the names that a start is about to use, before it opens any of them, and makes way where loss is accepted.
package struct StartExamination {
  private let acceptsLoss: Bool
  /// The entries that were renamed, each as a sentence for the log.
  private(set) var renamed: [String] = []

  init(acceptsLoss: Bool) { self.acceptsLoss = acceptsLoss }

  /// Removes the remains of an earlier start at temporary names, and checks that every entry can be used. Where loss is
  /// accepted, entries that cannot be used are renamed instead.
  ///
  /// - Throws: ``StartError`` with the first entry that cannot be used, and a command.
  mutating func prepare(_ entries: [ExpectedEntry]) throws(StartError) {
    for entry in entries {
      entry.removeRemains()
      guard let problem = entry.problem() else { continue }
      guard acceptsLoss, problem.isKind || entry.isOurs, let new = try? entry.setAside() else {
        throw StartError(problem, acceptsLoss: acceptsLoss)
      }
      renamed.append("\(problem.path): \(problem.reason), and was renamed to \(new)")
    }
  }

  /// Checks likewise, and changes nothing.
  ///
  /// - Returns: whether every entry can be used as it is; otherwise, the start would rename some.
  /// - Throws: ``StartError``, as the start would.
  func check(_ entries: [ExpectedEntry]) throws(StartError) -> Bool {
    var isUsable = true
    for entry in entries {
      guard let problem = entry.problem() else { continue }
      guard acceptsLoss, problem.isKind || entry.isOurs else { throw StartError(problem, acceptsLoss: acceptsLoss) }
      isUsable = false
    }
    return isUsable
  }
}

extension StartError {
  /// An entry of one of the start's directories cannot be used.
  init(_ problem: ExpectedEntry.Problem, acceptsLoss: Bool = false) {
    let remedy =
      switch (problem.command, problem.isKind) {
      case (let command?, true): "Move it away: \(command)"
      case (let command?, false): "If you trust its contents: \(command)"
      // Where loss is accepted, renaming it has failed.
      case (nil, _) where acceptsLoss:
        "Move it away: mv \(ShellWord.quoting(problem.path)) \(ShellWord.quoting(problem.path + ".damaged"))"
      case (nil, _): "Restore the original, or start motiond once with --accept-loss, which renames it"
      }
    self.init("use \(problem.path)", problem.reason, remedy: remedy)
  }
}
