import Foundation

/// A viewer that is not ours, or one that misbehaves: a script of `Tests/Fixtures/Viewers` with packages of PyPI. It is
/// ended when the test releases it.
final class ViewerPeer {
  private static let python = Programs.source(".build/viewers/bin/python3")
  /// Whether `make test` has installed the packages.
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

  private let process = Process()
  private let commands = Pipe()
  private let directory: TestDirectory
  private let name: String

  /// Starts a script.
  init(_ script: String, _ arguments: String..., in directory: TestDirectory, named name: String = "viewer") throws {
    (self.directory, self.name) = (directory, "\(name).events")
    try directory.write("", to: self.name)
    try directory.write("", to: "\(name).errors")
    process.executableURL = URL(filePath: Self.python)
    process.arguments = [Programs.source("Tests/Fixtures/Viewers/\(script).py")] + arguments
    process.environment = ["PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"]
    process.standardInput = commands
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: directory[self.name]))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: directory["\(name).errors"]))
    try process.run()
  }

  deinit {
    // The scripts end with their input, too.
    try? commands.fileHandleForWriting.close()
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Sends a command.
  func send(_ command: String) throws { try commands.fileHandleForWriting.write(contentsOf: Data("\(command)\n".utf8)) }

  /// What it has printed so far.
  func events() throws -> [JSON] {
    let text = directory.text(of: name)
    let whole = text.hasSuffix("\n") ? text[...] : text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    return try whole.split(separator: "\n").map { try JSON(String($0)) }
  }

  /// The messages of a topic so far.
  func messages(of topic: String) throws -> [JSON] {
    try events().filter { $0["event"].text == "message" && $0["topic"].text == topic }
  }

  /// Waits for an event.
  @discardableResult
  func await(_ fact: String, within limit: Duration = factTimeout, where isMeant: (JSON) -> Bool) throws -> JSON {
    do {
      return try awaitFact(fact, within: limit) { try events().first(where: isMeant) }
    } catch {
      let errors = directory.text(of: name.replacing(".events", with: ".errors"))
      throw WaitTimeout(fact, after: limit, last: "\(directory.text(of: name).suffix(1000)) \(errors.suffix(1000))")
    }
  }

  /// Waits until the script has ended by itself, and returns what it has printed.
  func finish(within limit: Duration) throws -> [JSON] {
    try awaitTruth("the script ends", within: limit) { !process.isRunning }
    let errors = directory.text(of: name.replacing(".events", with: ".errors"))
    guard process.terminationStatus == 0 else { throw Problem("the script failed: \(errors.suffix(2000))") }
    return try events()
  }
}
