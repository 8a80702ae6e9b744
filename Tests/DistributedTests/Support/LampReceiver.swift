import Foundation
import Glibc
import MotionModel
import Testing

/// A receiver of DMX levels that is not ours: a script with packages of PyPI, in a network of its own.
final class LampReceiver {
  private static let python = Programs.source(".build/lamps/bin/python3")
  /// Whether `make test` has installed the packages, and there can be a network for it.
  static var isPossible: Bool { Namespace.isPossible && FileManager.default.isExecutableFile(atPath: python) }

  /// A data packet of sACN, as the receiver decoded it.
  struct Packet {
    var time: Double
    var universe: UInt64
    var sequence: UInt64
    var priority: UInt64
    var source: String
    var identity: String
    var synchronization: UInt64
    var isLast: Bool
  }

  private let directory: TestDirectory
  private let process: ChildProcess
  /// The lines that were read so far, and where they end in its output.
  private var (read, end): ([JSON], UInt64) = ([], 0)

  /// Starts it, and waits until it listens.
  ///
  /// - Parameters:
  ///   - protocol: `sacn` or `artnet`.
  ///   - universes: those that it joins, or that it has as a node.
  init(_ protocol: String, of universes: Int..., in network: Namespace) throws {
    let directory = try TestDirectory()
    self.directory = directory
    let place = `protocol` == "sacn" ? network.otherHost : network.otherCable
    let words = network.way + [Self.python, Programs.source("Tests/Fixtures/lamp-receiver.py"), `protocol`, place]
    process = try ChildProcess(
      words[0], words.dropFirst() + universes.map { "\($0)" },
      environment: ["PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1"], output: directory["heard"],
      errors: directory["errors"])
    do {
      try awaitTruth("the receiver listens") { try !lines().isEmpty }
    } catch {
      throw Problem("\(error): \(directory.text(of: "errors"))")
    }
  }

  /// The levels that it shows for a universe: those of the last change.
  func levels(of universe: Int) throws -> [UInt8]? {
    try changes(of: universe).last?.levels
  }

  /// The changes of the levels of a universe.
  func changes(of universe: Int) throws -> [(time: Double, levels: [UInt8])] {
    try lines().filter { $0["levels"].isPresent && $0["universe"].count == UInt64(universe) }.map { line in
      let digits = Array(line["levels"].text.utf8)
      let levels = stride(from: 0, to: digits.count - 1, by: 2).compactMap { place in
        UInt8(String(decoding: digits[place...(place + 1)], as: UTF8.self), radix: 16)
      }
      return (line["time"].number, levels)
    }
  }

  /// All data packets of sACN so far.
  func packets() throws -> [Packet] {
    try lines().filter { $0["packet"].isPresent }.map { line in
      Packet(
        time: line["time"].number, universe: line["packet"].count, sequence: line["sequence"].count,
        priority: line["priority"].count, source: line["source"].text, identity: line["cid"].text,
        synchronization: line["synchronization"].count, isLast: line["last"].flag)
    }
  }

  /// Whether the last thing about a universe is that it is gone.
  func isGone(_ universe: Int) throws -> Bool {
    try lines().last { $0["availability"].isPresent && $0["universe"].count == UInt64(universe) }?["availability"].text
      == "timeout"
  }

  /// The whole lines of its output; each is read once, because there are hundreds a second.
  private func lines() throws -> [JSON] {
    let file = try FileHandle(forReadingFrom: URL(filePath: directory["heard"]))
    defer { try? file.close() }
    try file.seek(toOffset: end)
    let new = try file.readToEnd() ?? Data()
    guard let last = new.lastIndex(of: UInt8(ascii: "\n")) else { return read }
    let whole = new[...last]
    read += try String(decoding: whole, as: UTF8.self).split(separator: "\n").map { try JSON($0) }
    end += UInt64(whole.count)
    return read
  }
}
