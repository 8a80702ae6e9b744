import Foundation

/// Runs motionctl from the command line, as users do.
struct Ctl {
  /// The output of a run, and how it ended.
  struct Run {
    let output: String
    let errors: String
    let end: ChildProcess.End

    /// The output as JSON.
    func json() throws -> JSON { try JSON(output) }
    /// The lines of the output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
  }

  private let directory: TestDirectory
  private let runtimeDirectory: String

  init(_ directory: TestDirectory, runtimeDirectory: String) {
    self.directory = directory
    self.runtimeDirectory = runtimeDirectory
  }

  /// Runs it to its end.
  func callAsFunction(_ arguments: String..., within limit: Duration = factTimeout) throws -> Run {
    try start(arguments).finish(within: limit)
  }

  /// Runs it to its end as another user, who has these groups besides the one of the same number; for root.
  func callAsFunction(_ arguments: String..., asUser user: Int, groups: String = "") throws -> Run {
    let groups = groups.isEmpty ? ["--clear-groups"] : ["--groups", groups]
    return try start(
      arguments, by: ["/usr/bin/setpriv", "--reuid", "\(user)", "--regid", "\(user)"] + groups + ["--"]
    ).finish()
  }

  /// Starts it, by way of another program if one is given.
  func start(_ arguments: [String], by way: [String] = []) throws -> Running {
    let name = "ctl-\(UUID().uuidString)"
    let words = way + [try Programs.path("motionctl")] + arguments
    let process = try ChildProcess(
      words[0], Array(words.dropFirst()),
      environment: ["MOTIOND_RUNTIME_DIR": runtimeDirectory, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"],
      output: directory[name], errors: directory[name + ".err"])
    return Running(process: process, name: name, directory: directory)
  }

  /// A run that has not ended.
  struct Running {
    let process: ChildProcess
    fileprivate let name: String
    fileprivate let directory: TestDirectory

    /// The whole lines printed so far.
    var lines: [Substring] {
      let text = directory.text(of: name)
      guard let end = text.lastIndex(of: "\n") else { return [] }
      return text[..<end].split(separator: "\n")
    }

    /// Its error output so far.
    var errors: String { directory.text(of: name + ".err") }

    /// Waits for its end.
    func finish(within limit: Duration = factTimeout) throws -> Run {
      let end = try process.awaitEnd(within: limit)
      return Run(output: directory.text(of: name), errors: errors, end: end)
    }
  }
}

/// A JSON value from an output, with access to its members.
struct JSON {
  let value: Any?

  init(_ text: some StringProtocol) throws {
    value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  private init(value: Any?) { self.value = value }

  subscript(key: String) -> JSON { JSON(value: (value as? [String: Any])?[key]) }
  var elements: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0) } }
  var text: String { value as? String ?? "" }
  var number: Double { (value as? NSNumber)?.doubleValue ?? .nan }
  var count: UInt64 { (value as? NSNumber)?.uint64Value ?? .max }
  var flag: Bool { value as? Bool ?? false }
  var isPresent: Bool { value != nil }
}
