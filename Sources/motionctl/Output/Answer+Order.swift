import MotionModel

extension Answer {
  /// The rows in the order of every list and table. They are sorted by target, with the numbers in names as numbers,
  /// then by property or executor. The intentions of a target stay in order of addition.
  var listed: Answer {
    switch self {
    case .targets(let rows): .targets(rows.sorted { $0.target.isListedBefore($1.target) })
    case .properties(let rows): .properties(rows.sorted { $0.reference.isListedBefore($1.reference) })
    case .executors(let rows): .executors(rows.sorted { Self.isBefore($0.key, $1.key) })
    // Sorting is stable: rows of one target stay in order of addition.
    case .intentions(let rows): .intentions(rows.sorted { $0.target.isListedBefore($1.target) })
    case .tokens(let rows):
      .tokens(
        rows.sorted {
          $0.executor == $1.executor ? $0.token.isListedBefore($1.token) : Self.isBefore($0.executor, $1.executor)
        })
    default: self
    }
  }

  private static func isBefore(_ a: ExecutorKey, _ b: ExecutorKey) -> Bool {
    a.target == b.target ? a.type.isListedBefore(b.type) : a.target.isListedBefore(b.target)
  }
}

extension Answer {
  /// Adds the rows of another answer to a query of the same kind.
  mutating func append(_ other: Answer) {
    switch (self, other) {
    case (.properties(let rows), .properties(let more)): self = .properties(rows + more)
    case (.executors(let rows), .executors(let more)): self = .executors(rows + more)
    case (.intentions(let rows), .intentions(let more)): self = .intentions(rows + more)
    case (.tokens(let rows), .tokens(let more)): self = .tokens(rows + more)
    default: break
    }
  }

  /// The rows of these targets; all of them if none is given.
  func restricted(to targets: Set<TargetName>) -> Answer {
    guard !targets.isEmpty else { return self }
    return switch self {
    case .targets(let rows): .targets(rows.filter { targets.contains($0.target) })
    case .properties(let rows): .properties(rows.filter { targets.contains($0.reference.target) })
    case .executors(let rows): .executors(rows.filter { targets.contains($0.key.target) })
    case .intentions(let rows): .intentions(rows.filter { targets.contains($0.target) })
    case .tokens(let rows): .tokens(rows.filter { targets.contains($0.executor.target) })
    default: self
    }
  }
}
