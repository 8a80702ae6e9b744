import Foundation
import MotionModel
import MotionWire
import Testing

@testable import MotionLink

/// The table of states and events of a worker's end is also a file, which other languages run:
/// `Tests/Fixtures/Link/worker-link.json`. Here the Swift machine runs it.
@Suite struct LinkTableTests {
  @Test func `the worker link does what the table for other languages says`() throws {
    let table = try LinkTable()
    #expect(table.fixture.epoch == Fixture.epoch)
    #expect(table.fixture.incarnation == Fixture.incarnation)
    #expect(Duration.nanoseconds(table.fixture.start) == Fixture.start)
    #expect(table.starts.count == 6)
    for (state, steps) in table.starts {
      #expect(try table.link(after: steps).state.word == state)
      for event in table.events {
        var link = try table.link(after: steps)
        for step in event.steps { try step.play(&link) }
        #expect(link.state.word == event.ends[state], "\(state), \(event.name)")
      }
    }
  }
}

/// The file, read. `link_table.py` describes its form.
private struct LinkTable: Decodable {
  struct Start: Decodable {
    let epoch: UInt64
    let incarnation: UInt64
    let start: Int64
  }

  struct Event: Decodable {
    let name: String
    let steps: [Step]
    /// The state after the event, by the state before it.
    let ends: [String: String]
  }

  let fixture: Start
  /// The steps that lead to each state.
  let starts: [String: [Step]]
  let events: [Event]

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../Fixtures/Link/worker-link.json")
    self = try JSONDecoder().decode(LinkTable.self, from: Data(contentsOf: file.standardized))
  }

  func link(after steps: [Step]) throws -> WorkerLink {
    var link = WorkerLink(
      epoch: Fixture.epoch, incarnation: Fixture.incarnation, hello: Fixture.hello, at: Fixture.start)
    for step in steps { try step.play(&link) }
    return link
  }
}

/// One step of the table.
private enum Step: Decodable {
  case start
  /// A message is received; its bytes.
  case receive([UInt8])
  case subscribed(String)
  /// An event is recorded: the first one of an update, in its bytes.
  case record([UInt8])
  /// The deadline is checked so many nanoseconds after the start.
  case deadline(Int64)
  /// So many nanoseconds pass, from deadline to deadline.
  case pass(Int64)

  private enum Keys: String, CodingKey {
    case start, receive, subscribed, record, deadline, pass, bytes
  }

  init(from decoder: any Decoder) throws {
    let step = try decoder.container(keyedBy: Keys.self)
    if step.contains(.receive) {
      self = .receive(try Self.bytes(step))
    } else if step.contains(.record) {
      self = .record(try Self.bytes(step))
    } else if step.contains(.subscribed) {
      self = .subscribed(try step.decode(String.self, forKey: .subscribed))
    } else if step.contains(.deadline) {
      self = .deadline(try step.decode(Int64.self, forKey: .deadline))
    } else if step.contains(.pass) {
      self = .pass(try step.decode(Int64.self, forKey: .pass))
    } else {
      _ = try step.decode(Bool.self, forKey: .start)
      self = .start
    }
  }

  private static func bytes(_ step: KeyedDecodingContainer<Keys>) throws -> [UInt8] {
    let digits = Array(try step.decode(String.self, forKey: .bytes))
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      try #require(UInt8(String(digits[index..<min(index + 2, digits.count)]), radix: 16))
    }
  }

  func play(_ link: inout WorkerLink) throws {
    switch self {
    case .start: _ = link.start(at: Fixture.start)
    case .receive(let bytes): _ = link.received(try Envelope(decoding: bytes), at: Fixture.start)
    case .subscribed(let topic): _ = link.subscribed(to: topic, at: Fixture.start)
    case .record(let bytes):
      guard case .update(let update) = try Envelope(decoding: bytes).body else { return }
      for event in update.events { link.record(event.event) }
    case .deadline(let after): _ = link.deadline(at: Fixture.start + .nanoseconds(after))
    case .pass(let time): link.pass(.nanoseconds(time))
    }
  }
}
