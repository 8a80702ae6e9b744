import Glibc
import LinuxSystem
import Testing
import ZeroMQ

/// The longest that a test waits for a fact; ample for a busy machine, and reached only by a failure.
let factTimeout = Duration.seconds(10)

/// What was expected did not come.
struct WaitTimeout: Error, CustomStringConvertible {
  let description: String

  init(_ fact: String, after limit: Duration, last: String = "") {
    description = "\(fact): not within \(limit)" + (last.isEmpty ? "" : "; at the end: \(last)")
  }
}

/// Waits until `fact` is there, by asking again and again; for facts that no descriptor tells of.
///
/// - Returns: what `fact` gave.
func awaitFact<Fact>(
  _ name: String, within limit: Duration = factTimeout, _ fact: () throws -> Fact?
) throws -> Fact {
  let deadline = BootClock.now + limit
  while true {
    if let found = try fact() { return found }
    guard BootClock.now < deadline else { throw WaitTimeout(name, after: limit) }
    // Not to wait for anything, but so that asking leaves the processor to those who are asked.
    poll(nil, 0, 5)
  }
}

/// Waits until something is true.
func awaitTruth(_ name: String, within limit: Duration = factTimeout, _ isTrue: () throws -> Bool) throws {
  _ = try awaitFact(name, within: limit) { try isTrue() ? true : nil }
}

/// Waits until a process has written something into its log: a thread of its own writes that, a moment later.
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

/// Lets a time pass that is itself what a test is about: how long somebody stays silent, or is counted.
func letPass(_ time: Duration) {
  let end = BootClock.now + time
  while BootClock.now < end {
    poll(nil, 0, Int32(max(1, (end - BootClock.now).wholeNanoseconds / 1_000_000)))
  }
}
