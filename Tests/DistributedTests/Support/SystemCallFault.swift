import Glibc

/// System calls of a process, and of its children, that fail as a test requires, until the test releases this.
final class SystemCallFault {
  private let tracer: ChildProcess

  /// Begins, and waits until the fault is in effect.
  ///
  /// - Parameters:
  ///   - calls: names of system calls, separated by commas.
  ///   - failure: how they fail, in strace's syntax: `error=EIO`, perhaps with `:when=3`.
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

  /// Makes the calls work again.
  ///
  /// strace detaches from one thread after the other. A thread that has begun a process by vfork is blocked until that
  /// process continues; if strace has stopped that process, each waits for the other. Then strace is killed, and the
  /// kernel resumes all of them.
  func end() throws {
    tracer.send(SIGTERM)
    do { try tracer.awaitEnd(within: .seconds(2)) } catch is WaitTimeout { tracer.kill() }
  }
}
