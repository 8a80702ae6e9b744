/// The states of read properties that a worker has not acknowledged, and those that wait for that.
///
/// A worker that takes more time for them than a frame gets the newest states when it is ready for them, and no queue.
struct ReadBacklog {
  /// The commands with such states that are not acknowledged: their numbers, and how many states they have.
  private(set) var sent: [(command: UInt64, properties: Int)] = []
  /// The properties that have changed since, in no order.
  var held: Set<PropertyTable.Slot> = []
  /// How many states are not acknowledged.
  private(set) var total = 0

  /// Nothing is under way.
  init() {}

  /// Restores what was under way.
  init(_ sent: [(command: UInt64, properties: Int)], held: Set<PropertyTable.Slot>) {
    (self.sent, self.held) = (sent, held)
    total = sent.reduce(0) { $0 + $1.properties }
  }

  /// Notes that a command has left.
  mutating func note(_ command: UInt64, of properties: Int) {
    sent.append((command, properties))
    total += properties
  }

  /// Notes that the worker has applied all commands up to this one.
  mutating func acknowledge(_ command: UInt64) {
    guard let first = sent.first, first.command <= command else { return }
    sent.removeAll { $0.command <= command }
    total = sent.reduce(0) { $0 + $1.properties }
  }
}
