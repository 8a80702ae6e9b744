import MotionModel

/// Keeps commands that came before the snapshot they follow: one run of numbers without gaps, the latest.
struct CommandBuffer: Sendable {
  /// As many as one transaction may bring; beyond that a second snapshot is cheaper.
  static let limit = Limits.operationsPerTransaction

  private var first: UInt64 = 0
  private var commands: [WorkerCommand] = []

  /// Keeps a command. One that does not follow the last begins a new run, as what is between is missing.
  mutating func keep(_ command: WorkerCommand, number: UInt64) {
    let next = first + UInt64(commands.count)
    if !commands.isEmpty && number < next { return }
    if commands.isEmpty || number > next || commands.count >= Self.limit {
      commands.removeAll()
      first = number
    }
    commands.append(command)
  }

  /// Takes the commands after `number` out, if the next one is among them, and forgets all up to it.
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
