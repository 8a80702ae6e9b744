/// A program that a test starts, waits for, and restarts, each time with a log of its own; the present process is
/// killed when the test releases it.
final class RestartableProcess: LoggingProcess {
  private let program: String
  private let directory: TestDirectory
  private let name: String
  private let sign: String
  private let arguments: [String]
  private var starts = 0
  private(set) var process: ChildProcess

  /// Starts it and waits until it serves.
  ///
  /// - Parameters:
  ///   - program: which of ours.
  ///   - directory: where its logs are, called `name` and a number.
  ///   - sign: the text in its log that shows that it serves.
  init(
    _ program: String, _ arguments: [String], in directory: TestDirectory, named name: String, saying sign: String
  ) throws {
    (self.program, self.arguments, self.directory) = (program, arguments, directory)
    (self.name, self.sign) = (name, sign)
    process = try Self.start(program, arguments, directory["\(name).log.0"])
    try awaitServing()
  }

  /// Restarts it, as a service manager does.
  func restart() throws {
    try process.awaitEnd()
    starts += 1
    process = try Self.start(program, arguments, directory["\(name).log.\(starts)"])
    try awaitServing()
  }

  /// The log of the present process so far.
  var log: String { directory.text(of: "\(name).log.\(starts)") }

  private func awaitServing() throws {
    try awaitTruth("\(name) serves") {
      guard process.isRunning else { throw Problem("\(name) has ended; it said: \(log)") }
      return log.contains(sign)
    }
  }

  private static func start(_ program: String, _ arguments: [String], _ log: String) throws -> ChildProcess {
    try ChildProcess(
      Programs.path(program), arguments, environment: ["PATH": "/usr/bin:/bin"], output: log, errors: log)
  }
}
