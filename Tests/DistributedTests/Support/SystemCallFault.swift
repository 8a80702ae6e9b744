import Glibc

/// System calls of a process, and of what it starts, that fail as a test says, until the test lets this go.
final class SystemCallFault {
  private let tracer: ChildProcess

  /// Begins, and waits until it holds.
  ///
  /// - Parameters:
  ///   - calls: names of system calls, separated by commas.
  ///   - failure: how they fail, in strace's words: `error=EIO`, perhaps with `:when=3`.
  init(_ calls: String, _ failure: String, of process: ChildProcess, in directory: TestDirectory) throws {
    tracer = try ChildProcess(
      "/usr/bin/strace",
      [
        "-f", "-p", "\(process.processID)", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
        "inject=\(calls):\(failure)",
      ],
      environment: [:], output: directory["strace"], errors: directory["strace"])
    try awaitTruth("strace is there") { ProcessFacts(process.processID).isTraced }
  }

  /// From now on they work again.
  ///
  /// strace lets one thread go after the other. One that has begun a process by vfork stands still until that goes on; if that is
  /// one that strace has stopped, each waits for the other. Then strace is killed, and the kernel lets all of them go.
  func end() throws {
    tracer.send(SIGTERM)
    do { try tracer.awaitEnd(within: .seconds(2)) } catch is WaitTimeout { tracer.kill() }
  }
}
