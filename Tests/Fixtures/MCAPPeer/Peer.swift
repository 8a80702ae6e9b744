import Foundation

/// PyPI `mcap` in an environment of its own.
public enum Peer {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  private static let python = root.appending(path: ".build/mcap/bin/python3").path()

  /// Whether `make test` has installed it.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python) }

  /// The lines that the peer prints about a file.
  public static func run(_ mode: String, _ file: [UInt8], _ arguments: String...) throws -> [[String: Any]] {
    let path = temporary()
    defer { try? FileManager.default.removeItem(at: path) }
    try Data(file).write(to: path)
    return try start([mode, path.path()] + arguments).split(separator: UInt8(ascii: "\n")).map {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:]
    }
  }

  /// A file that the peer writes.
  public static func write(_ mode: String) throws -> [UInt8] {
    let path = temporary()
    defer { try? FileManager.default.removeItem(at: path) }
    _ = try start([mode, path.path()])
    return Array(try Data(contentsOf: path))
  }

  private struct Failed: Error {
    let arguments: [String]
  }

  private static func temporary() -> URL {
    FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString).mcap")
  }

  private static func start(_ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = [root.appending(path: "Tests/Fixtures/MCAPPeer/peer.py").path()] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(arguments: arguments) }
    return data
  }
}
