import Foundation
import Glibc

/// Headless Chromium with the page of a motion-studio. It needs chromium, chromium-driver and python3-selenium, which
/// `make setup` installs; without them a test fails and says so.
final class Browser {
  private let process: ChildProcess
  private let commands: FileHandle
  private let directory: TestDirectory
  /// The folder of pictures, and of what the page offers to save.
  let pictures: String
  private var answers = 0

  /// Opens the page of a motion-studio.
  init(_ studio: StudioProcess, in directory: TestDirectory, address: String? = nil) throws {
    self.directory = directory
    pictures = ProcessInfo.processInfo.environment["MOTION_PICTURES"] ?? directory["pictures"]
    let pipe = directory["browser.commands"]
    unlink(pipe)
    guard mkfifo(pipe, 0o600) == 0 else { throw Problem("\(pipe) cannot be made") }
    // Reading as well, so that neither end waits for the other.
    let descriptor = open(pipe, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw Problem("\(pipe) cannot be opened") }
    commands = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    process = try ChildProcess(
      "/bin/sh",
      [
        "-c", "exec /usr/bin/python3 \"$0\" \"$@\" < \(pipe)", Programs.source("Tests/Fixtures/Browser/browser.py"),
        pictures, address ?? studio.page,
      ],
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": directory["home"], "PYTHONDONTWRITEBYTECODE": "1",
        "TMPDIR": directory.path,
      ], output: directory["browser.answers"], errors: directory["browser.errors"])
    try FileManager.default.createDirectory(atPath: directory["pictures"], withIntermediateDirectories: true)
    _ = try answer(to: "the start")
  }

  deinit {
    // The script ends the browser with its own end.
    try? commands.write(contentsOf: Data("quit\n".utf8))
    _ = try? process.awaitEnd()
  }

  /// Executes a command of browser.py; its answer.
  @discardableResult
  func run(_ command: String) throws -> JSON {
    try commands.write(contentsOf: Data("\(command)\n".utf8))
    return try answer(to: command)
  }

  private func answer(to command: String) throws -> JSON {
    let line = try awaitFact("an answer of the browser to \(command)", within: .seconds(30)) { () -> String? in
      let lines = directory.text(of: "browser.answers").split(separator: "\n", omittingEmptySubsequences: false)
      if lines.count > answers + 1 { return String(lines[answers]) }
      guard process.isRunning else { throw Problem("the browser has ended: \(directory.text(of: "browser.errors"))") }
      return nil
    }
    answers += 1
    let json = try JSON(line)
    guard json["error"].text.isEmpty else { throw Problem("\(command): \(json["error"].text)") }
    return json["ok"]
  }

  /// The text of an element.
  func text(_ selector: String) throws -> String { try run("text \(selector)").text }

  /// The roles and names that a screen reader is given.
  func names() throws -> [(role: String, name: String)] {
    try run("names").elements.map { ($0.elements[0].text, $0.elements[1].text) }
  }

  /// The middle of what is drawn in the color of targets; `nil` if nothing is.
  func ball() throws -> SIMD2<Double>? {
    let lanes = try run("ball").elements.map(\.number)
    return lanes.count == 2 ? SIMD2(lanes[0], lanes[1]) : nil
  }
}
