import Foundation

/// Runs the built `motionctl` from the command line, as users do.
enum Program {
  /// The output of a run, and how it ended.
  struct Run {
    let output: String
    let errors: String
    let status: Int32
  }

  /// Runs it with these arguments in an environment without this machine's variables, and waits for its end.
  ///
  /// - Parameter file: where its output goes instead of into the result.
  static func run(
    _ arguments: [String], runtimeDirectory: String = "/tmp/motion-nowhere", input: String? = nil,
    output file: String? = nil
  ) throws -> Run {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = environment(runtimeDirectory)
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (standardInput, output, errors)
    if let file { process.standardOutput = FileHandle(forWritingAtPath: file) }
    try process.run()
    // No other process writes into it, so that reading it ends at once.
    if file != nil { try output.fileHandleForWriting.close() }
    defer { if process.isRunning { process.terminate() } }
    standardInput.fileHandleForWriting.write(Data((input ?? "").utf8))
    try standardInput.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(output: text, errors: messages, status: process.terminationStatus)
  }

  /// Runs a line of the shell, in which `$MOTIONCTL` is the program: for actions that only a shell performs, such as
  /// closing a stream.
  static func shell(_ line: String) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.environment = environment("/tmp/motion-nowhere").merging(["MOTIONCTL": executable.path]) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (Pipe(), output, errors)
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(output: text, errors: messages, status: process.terminationStatus)
  }

  private static func environment(_ runtimeDirectory: String) -> [String: String] {
    ["MOTIOND_RUNTIME_DIR": runtimeDirectory, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
  }

  /// Starts it, to be read line by line; the caller has to call ``Started/end()``.
  static func start(_ arguments: [String], runtimeDirectory: String) throws -> Started {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = environment(runtimeDirectory)
    let output = Pipe()
    (process.standardInput, process.standardOutput, process.standardError) = (Pipe(), output, Pipe())
    try process.run()
    return Started(process: process, output: output.fileHandleForReading)
  }

  /// A run that has not ended.
  final class Started {
    private let process: Process
    private let output: FileHandle

    fileprivate init(process: Process, output: FileHandle) {
      self.process = process
      self.output = output
    }

    /// The next line of its output, waited for; the rest when it ends.
    func line() throws -> String {
      var bytes: [UInt8] = []
      while let byte = try output.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") { bytes.append(byte) }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Kills it if it has not ended. It inherits the signals that the thread of the test blocks, so that no gentler one
    /// would reach it.
    func end() {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  /// It is built into the directory of the program that runs the tests.
  private static var executable: URL {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return own.deletingLastPathComponent().appendingPathComponent("motionctl")
  }
}
