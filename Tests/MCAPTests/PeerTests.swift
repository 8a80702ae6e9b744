import Foundation
import MCAPPeer
import Testing

@testable import MCAP

/// Files between this implementation and PyPI `mcap`, through Tests/Fixtures/MCAPPeer/peer.py.
@Suite(.enabled(if: Peer.isInstalled, "PyPI mcap is not installed: make test installs it"))
struct PeerTests {
  private let sample = Sample((0..<300).map { $0 % 70 }, chunkBytes: 1500)

  @Test func `the peer reads everything that is written here, and its checksums`() throws {
    let lines = try Peer.run("read", sample.bytes)
    #expect(lines.first as NSDictionary? == ["kind": "header", "profile": "a profile", "library": "a library"])
    let messages = sample.messages.map(Peer.line)
    for kind in ["streamed", "found"] {
      #expect(lines.filter { $0["kind"] as? String == kind }.map(Peer.line) == messages, "\(kind)")
    }
    func records(of kind: String) -> [NSDictionary] {
      lines.filter { $0["kind"] as? String == kind }.map {
        var line = $0
        line["kind"] = nil
        return line as NSDictionary
      }
    }
    #expect(records(of: "schema") == [["id": 1, "name": "pose", "encoding": "x", "data": [1, 2, 3]]])
    #expect(
      records(of: "channel") == [
        ["id": 0, "schema": 1, "topic": "a", "encoding": "x", "metadata": ["unit": "m"]],
        ["id": 1, "schema": 0, "topic": "b", "encoding": "", "metadata": [String: String]()],
      ])
    #expect(records(of: "metadata") == [["name": "about", "values": ["who": "ä", "empty": ""]]])
    let statistics = try #require(records(of: "statistics").first)
    #expect(statistics["messages"] as? Int == 300 && statistics["metadata"] as? Int == 1)
    #expect(statistics["chunks"] as? Int == Reading([sample.bytes]).chunks.count)
    #expect(statistics["start"] as? UInt64 == sample.messages.first?.logTime)
    #expect(statistics["end"] as? UInt64 == sample.messages.last?.logTime)
  }

  @Test func `the peer finds messages by time in the index written here`() throws {
    let (start, end) = (sample.messages[100].logTime, sample.messages[130].logTime)
    let lines = try Peer.run("between", sample.bytes, "\(start)", "\(end)")
    #expect(lines.map(Peer.line) == sample.messages[100...130].map(Peer.line))
  }

  @Test func `everything is read that the peer writes, from the beginning and by its index`() throws {
    let bytes = try Peer.write("write")
    let read = Reading([bytes])
    #expect(read.error == nil && read.end == .complete)
    #expect(read.steps.first == .header(MCAPHeader(profile: "motion", library: "the peer of a test")))
    #expect(read.steps.contains(.metadata(MCAPMetadata(name: "about", values: ["name": "välue", "empty": ""]))))
    #expect(read.messages.map(\.data) == (0..<500).map { Array("\($0)".utf8) })
    #expect(read.messages.map(\.logTime) == (0..<500).map { 1000 + 10 * $0 })
    #expect(read.messages.map(\.sequence) == (0..<500).map { $0 })
    let index = try MCAPIndex(size: UInt64(bytes.count)) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    #expect(index.origin == .summary && index.chunks.count > 5)
    #expect(index.channels.values.map(\.topic).sorted() == ["topic/0", "topic/1"])
    let found = try index.chunks(from: 2000, through: 2100).flatMap { chunk in
      try index.messages(in: chunk) { Array(bytes[Int($0.lowerBound)..<Int($0.upperBound)]) }
    }
    #expect(found.filter { 2000...2100 ~= $0.logTime } == read.messages.filter { 2000...2100 ~= $0.logTime })
  }

  @Test func `a file that the peer compresses is refused with a remedy`() throws {
    #expect(Reading([try Peer.write("compress")]).error?.kind == .compressed)
  }
}

extension Peer {
  /// A message in a form that can be compared.
  static func line(_ message: MCAPMessage) -> [String] {
    [
      Sample.channels[Int(message.channel)].topic, "\(message.sequence)", "\(message.logTime)",
      "\(message.publishTime)", "\(message.data)",
    ]
  }

  static func line(_ line: [String: Any]) -> [String] {
    ["topic", "sequence", "log", "publish"].map { "\(line[$0] ?? "")" } + ["\(line["data"] as? [UInt8] ?? [])"]
  }
}
