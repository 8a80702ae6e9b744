extension ChildProcess {
  /// Sets one of its limits from now on.
  ///
  /// - Parameter limit: in the syntax of prlimit: `fsize=65536:unlimited`.
  func limit(_ limit: String) throws {
    let directory = try TestDirectory()
    let run = try ChildProcess(
      "/usr/bin/prlimit", ["--pid", "\(processID)", "--\(limit)"], environment: [:], output: directory["output"],
      errors: directory["output"])
    guard try run.awaitEnd() == .exited(0) else { throw Problem(directory.text(of: "output")) }
  }
}
