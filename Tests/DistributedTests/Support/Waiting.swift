import Glibc
import LinuxSystem
import Testing
import ZeroMQ

/// The longest time that a test waits for a condition; ample for a busy machine, and reached only by a failure.
let factTimeout = Duration.seconds(30)

/// An expected condition did not occur.
struct WaitTimeout: Error, CustomStringConvertible {
  let description: String

  init(_ fact: String, after limit: Duration, last: String = "") {
    description = "\(fact): not within \(limit)" + (last.isEmpty ? "" : "; at the end: \(last)")
  }
}

/// Waits until `fact` returns a value, by polling; for conditions that no descriptor signals.
///
/// - Returns: the value of `fact`.
func awaitFact<Fact>(
  _ name: String, within limit: Duration = factTimeout, _ fact: () throws -> Fact?
) throws -> Fact {
  let deadline = BootClock.now + limit
  while true {
    if let found = try fact() { return found }
    guard BootClock.now < deadline else { throw WaitTimeout(name, after: limit) }
    // Not a wait for an event: it leaves the processor to the processes that are polled.
    poll(nil, 0, 5)
  }
}

/// Waits until a condition holds.
func awaitTruth(_ name: String, within limit: Duration = factTimeout, _ isTrue: () throws -> Bool) throws {
  _ = try awaitFact(name, within: limit) { try isTrue() ? true : nil }
}

/// Waits until a process has written a text into its log: a separate thread writes it, a moment later.
func awaitLog(of process: some LoggingProcess, _ text: String) throws {
  do {
    try awaitTruth("\"\(text)\" in the log") { process.log.contains(text) }
  } catch {
    throw WaitTimeout("\"\(text)\" in the log", after: factTimeout, last: process.log)
  }
}

/// A process whose log a test reads.
protocol LoggingProcess {
  var log: String { get }
}

/// Lets a time pass that is itself the subject of a test: how long a peer stays silent, or is counted.
func letPass(_ time: Duration) {
  let end = BootClock.now + time
  while BootClock.now < end {
    poll(nil, 0, Int32(max(1, (end - BootClock.now).wholeNanoseconds / 1_000_000)))
  }
}
