import Foundation
import Glibc
import MotionModel
import Testing

/// A third-party program that receives Open Sound Control: liblo, through Python.
final class OSCReceiver {
  /// A message, as liblo decoded it.
  struct Message: Equatable {
    /// The time of its reception, in seconds since 1970.
    let time: Double
    /// The time tag of its bundle, in seconds since 1970.
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

  /// Starts it, and waits until it listens; at any free port unless one is given, and by another program if one is
  /// given.
  init(port wanted: UInt16? = nil, behind command: [String] = []) throws {
    let directory = try TestDirectory()
    self.directory = directory
    let words = command + ["/usr/bin/python3", Programs.source("Tests/Fixtures/osc-receiver.py")]
    process = try ChildProcess(
      words[0], words.dropFirst() + (wanted.map { ["\($0)"] } ?? []),
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

  /// The messages received so far, in order.
  func messages() throws -> [Message] {
    try Self.lines(of: directory).dropFirst().map { line in
      Message(
        time: line["time"].number, tag: line["tag"].number, bundle: line["bundle"].count, address: line["address"].text,
        types: line["types"].text, arguments: line["arguments"].elements.map(\.number))
    }
  }

  /// The messages received at an address so far, in order.
  func messages(at address: String) throws -> [Message] { try messages().filter { $0.address == address } }

  /// Waits until the last message at an address has these arguments.
  func awaitLast(_ arguments: [Double], at address: String) throws {
    try awaitTruth("\(address) \(arguments) is heard") { try messages(at: address).last?.arguments == arguments }
  }

  /// The whole lines of its output.
  private static func lines(of directory: TestDirectory) throws -> [JSON] {
    let text = directory.text(of: "heard")
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return try text[..<end].split(separator: "\n").map { try JSON($0) }
  }
}

/// A UDP socket of the test itself, to inspect raw packets.
final class DatagramListener {
  /// Its port, on loopback.
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.descriptor = descriptor
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else { throw Problem("a UDP socket cannot be bound: \(String(cString: strerror(errno)))") }
  }

  deinit { close(descriptor) }

  /// The next packet; empty if none arrives.
  func next(within limit: Duration = factTimeout) -> [UInt8] {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, Int32(limit.inSeconds * 1000)) == 1 else { return [] }
    var packet = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &packet, packet.count, 0)
    return Array(packet.prefix(max(0, count)))
  }
}
