import Foundation

/// Runs the built `motionctl`, as people do.
enum Program {
  /// What a run printed, and how it ended.
  struct Run {
    let output: String
    let errors: String
    let status: Int32
  }

  /// Runs it with these arguments in an environment that has nothing of this machine's, and waits for its end.
  static func run(_ arguments: [String], runtimeDirectory: String = "/tmp/motion-nowhere", input: String? = nil) throws
    -> Run
  {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ["MOTIOND_RUNTIME_DIR": runtimeDirectory, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (standardInput, output, errors)
    try process.run()
    defer { if process.isRunning { process.terminate() } }
    standardInput.fileHandleForWriting.write(Data((input ?? "").utf8))
    try standardInput.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let messages = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Run(output: text, errors: messages, status: process.terminationStatus)
  }

  /// It is built into the directory of the program that runs the tests.
  private static var executable: URL {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return own.deletingLastPathComponent().appendingPathComponent("motionctl")
  }
}
