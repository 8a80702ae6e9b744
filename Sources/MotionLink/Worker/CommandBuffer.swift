import MotionModel

/// Keeps commands that came before the snapshot they follow: the latest run of numbers without gaps.
struct CommandBuffer: Sendable {
  /// As many as one transaction may contain; beyond that a second snapshot is cheaper.
  static let limit = Limits.operationsPerTransaction

  private var first: UInt64 = 0
  private var commands: [WorkerCommand] = []

  /// Keeps a command. A command that does not follow the last one begins a new run, because the commands between are
  /// missing.
  mutating func keep(_ command: WorkerCommand, number: UInt64) {
    let next = first + UInt64(commands.count)
    if !commands.isEmpty && number < next { return }
    if commands.isEmpty || number > next || commands.count >= Self.limit {
      commands.removeAll()
      first = number
    }
    commands.append(command)
  }

  /// Takes out the commands after `number`, if the next one is among them, and drops all up to it.
  mutating func take(after number: UInt64) -> [WorkerCommand] {
    guard !commands.isEmpty, first <= number + 1 else { return [] }
    let taken = commands.dropFirst(Int(clamping: number + 1 - first))
    commands.removeAll()
    return Array(taken)
  }

  /// How many commands are kept.
  var count: Int { commands.count }

  /// The last command that is kept.
  var last: UInt64? { commands.isEmpty ? nil : first + UInt64(commands.count) - 1 }
}
