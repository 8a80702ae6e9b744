import Foundation
import Testing

/// A program that listens to Open Sound Control and is not ours: liblo, through Python.
final class OSCReceiver {
  /// A message, as liblo understood it.
  struct Message: Equatable {
    /// When it was heard, in seconds since 1970.
    let time: Double
    /// What its bundle said when it was, in seconds since 1970.
    let tag: Double
    /// The number of its bundle, from 1.
    let bundle: UInt64
    let address: String
    let types: String
    let arguments: [Double]
  }

  /// The UDP port at which it listens.
  let port: UInt16
  private let directory: TestDirectory
  private let process: ChildProcess

  /// Starts it, and waits until it listens.
  init() throws {
    let directory = try TestDirectory()
    self.directory = directory
    process = try ChildProcess(
      "/usr/bin/python3", [Programs.source("Tests/Fixtures/osc-receiver.py")],
      environment: ["PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"], output: directory["heard"],
      errors: directory["errors"])
    do {
      port = try awaitFact("the receiver listens; make setup installs what it needs") {
        try Self.lines(of: directory).first.map { UInt16($0["port"].count) }
      }
    } catch {
      throw Problem("\(error): \(directory.text(of: "errors"))")
    }
  }

  /// What it heard so far, in order.
  func messages() throws -> [Message] {
    try Self.lines(of: directory).dropFirst().map { line in
      Message(
        time: line["time"].number, tag: line["tag"].number, bundle: line["bundle"].count, address: line["address"].text,
        types: line["types"].text, arguments: line["arguments"].elements.map(\.number))
    }
  }

  /// What it heard at an address so far, in order.
  func messages(at address: String) throws -> [Message] { try messages().filter { $0.address == address } }

  /// Waits until the last that it heard at an address is this.
  func awaitLast(_ arguments: [Double], at address: String) throws {
    try awaitTruth("\(address) \(arguments) is heard") { try messages(at: address).last?.arguments == arguments }
  }

  /// The whole lines that it wrote.
  private static func lines(of directory: TestDirectory) throws -> [JSON] {
    let text = directory.text(of: "heard")
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return try text[..<end].split(separator: "\n").map { try JSON($0) }
  }
}
