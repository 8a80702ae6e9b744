import MotionModel
import MotionWire
import Testing

@Suite struct WireErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var bytes: [UInt8]
    var code: WireError.Code
    var field: String
    var operation: Int?

    init(_ raw: Raw, _ code: WireError.Code, _ field: String, operation: Int? = nil) {
      bytes = raw.bytes
      self.code = code
      self.field = field
      self.operation = operation
    }
    var testDescription: String { "\(code) at \(field)" }
  }

  static let add = "commit.operations[1].add"
  static let to = "commit.operations[1].add.intention.fields[0].value"

  @Test func `an error in an intention has its operation and field`() {
    let vector = Raw().text(1, "destination").message(2, Raw().message(2, Raw().double(1, 1)))
    let intention = Raw().text(1, "SpringTo").message(2, vector)
    let added = Raw().message(1, Raw().message(1, intention).text(3, "ball"))
    let commit = Raw.envelope(11, Raw().fixed(2, 1).message(3, added))
    let error = #expect(throws: WireError.self) { try Envelope(decoding: commit.bytes) }
    #expect(error?.field == "commit.operations[0].add.intention.fields[0].value.vector")
    #expect(
      error?.refusal
        == Refusal(
          .value, operation: 0, field: "destination", "its vector has 1 numbers",
          remedy: "Send 2 to 4 numbers as a vector, and one as a number"))
  }

  static func long(_ bytes: Int) -> String { String(repeating: "x", count: bytes) }
  static func edge(_ from: UInt64, _ to: UInt64) -> Raw { Raw().number(1, from).number(2, to).number(3, 1) }
  static func plan(_ streams: Raw) -> Raw {
    Raw().message(1, Raw().message(1, Raw().number(1, 1)).appending(streams.bytes))
  }

  static let envelopes: [Case] = [
    Case(Raw().message(15), .missing, "protocol"),
    Case(Raw().number(1, 2).message(15), .version, "protocol"),
    Case(Raw().number(1, .max).message(15), .version, "protocol"),
    Case(Raw().number(1, 1), .unknownBody, ""),
    Case(Raw().number(1, 1).message(999), .unknownBody, ""),
    Case(Raw().number(1, 1).message(1000), .unknownBody, ""),
    Case(.envelope(12, Raw()), .missing, "query.subject"),
    Case(.envelope(12, Raw().number(1, 99)), .value, "query.subject"),
    Case(.envelope(12, Raw().number(1, 2).text(2, "a b")), .name, "query.target"),
    Case(.envelope(13, Raw()), .missing, "clock.command"),
    Case(.envelope(13, Raw().double(3, 0)), .value, "clock.speed"),
    Case(.envelope(13, Raw().double(3, -1)), .value, "clock.speed"),
    Case(.envelope(13, Raw().double(3, 1001)), .value, "clock.speed"),
    // So slow that the time of a frame could not be distinguished from that of the next.
    Case(.envelope(13, Raw().double(3, .leastNonzeroMagnitude)), .value, "clock.speed"),
    Case(.envelope(13, Raw().double(3, .nan)), .value, "clock.speed"),
    Case(.envelope(13, Raw().number(4, 0)), .value, "clock.step"),
    Case(.envelope(14, Raw().text(1, "ball").text(1, "")), .name, "stop.targets[1]"),
    Case(.envelope(16, Raw().text(1, "Tween")), .name, "restart.plugin"),
    Case(.envelope(17, Raw()), .name, "input.target"),
    Case(.envelope(17, Raw().text(1, "ball")), .name, "input.device"),
    Case(.envelope(17, Raw().message(4)), .name, "input.device"),
    Case(.envelope(17, Raw().text(2, "desk").message(4)), .name, "input.values[0].name"),
    Case(
      .envelope(17, Raw().text(2, "desk").message(4, Raw().text(1, "a").double(2, .nan))), .value,
      "input.values[0].lanes[0]"),
    Case(
      .envelope(17, Raw().text(2, "desk").message(4, Raw().text(1, "a").double(3, .infinity))), .value,
      "input.values[0].time"),
    Case(.envelope(17, Raw().text(1, "ball").text(2, "desk").message(4, Raw().text(1, "a"))), .value, "input.values"),
    Case(.input(Raw()), .missing, "input.events[0].phase"),
    Case(.input(Raw().number(2, 5)), .value, "input.events[0].phase"),
    Case(.input(Raw().number(2, 1).double(3, .nan)), .value, "input.events[0].x"),
    Case(.input(Raw().number(2, 1).double(5, .infinity)), .value, "input.events[0].time"),
    Case(.envelope(10, Raw()), .missing, "greeting.handshake_versions"),
    Case(.envelope(10, Raw().message(1, Raw().number(1, 3).number(2, 2))), .value, "greeting.handshake_versions"),
    Case(.envelope(10, Raw().message(1, Raw().number(2, 2))), .value, "greeting.handshake_versions"),
    Case(.envelope(22, Raw().text(4, "no code")), .missing, "refusal.code"),
    Case(.envelope(24, Raw()), .missing, "done.clock"),
    Case(.graph(Raw().message(1)), .missing, "answer.graph.nodes[0].node"),
    Case(.graph(Raw().message(1, Raw().text(6, long(2049)))), .limit, "answer.graph.nodes[0].source"),
    Case(.graph(Raw().message(1, Raw().text(6, "a")).message(2)), .missing, "answer.graph.edges[0].kind"),
    Case(.graph(Raw().message(1, Raw().text(6, "a")).message(2, edge(0, 1))), .value, "answer.graph.edges"),
    Case(.graph(Raw().message(2, edge(.max, 0))), .value, "answer.graph.edges"),
    Case(.streams(Raw().message(1)), .missing, "stream_report.plans[0].identity"),
    Case(.streams(Raw().filling(70_000, with: Raw().message(1))), .limit, "stream_report.plans"),
    Case(.streams(plan(Raw().filling(130, with: Raw().message(2)))), .limit, "stream_report.plans[0].streams"),
    Case(.streams(plan(Raw().message(2))), .missing, "stream_report.plans[0].streams[0].goal"),
    Case(.streams(plan(Raw().message(2, Raw().text(1, "")))), .name, "stream_report.plans[0].streams[0].property"),
    Case(
      .streams(plan(Raw().message(2, Raw().text(1, "x").text(2, "a").text(2, long(2049))))), .limit,
      "stream_report.plans[0].streams[0].calls[1]"),
    Case(.envelope(40, Raw().message(3, Raw().text(1, "tween").number(2, 16))), .missing, "hello.handshake_versions"),
    Case(.envelope(51, Raw().double(3, 61)), .value, "coordinator_heartbeat.interval"),
    Case(.envelope(71, Raw().double(4, -.infinity)), .value, "worker_heartbeat.interval"),
    Case(.envelope(60, Raw()), .missing, "tick.frame"),
    Case(.envelope(60, Raw().message(1, Raw().double(3, -1))), .value, "tick.frame.dt"),
    Case(.envelope(72, Raw().number(1, 9)), .value, "log.level"),
    Case(
      .envelope(72, Raw().number(1, 1).text(2, String(repeating: "x", count: 4097))), .limit, "log.text"),
    Case(.envelope(50, Raw().number(1, 1)), .missing, "command.command"),
    Case(.envelope(50, Raw().message(2, Raw().message(2))), .name, "command.add.key.target"),
  ]

  static let commits: [Case] = [
    Case(.envelope(11, Raw()), .missing, "commit.id_high"),
    Case(.envelope(11, Raw().fixed(1, 7).double(4, .nan)), .value, "commit.at"),
    Case(.commit(Raw()), .missing, "commit.operations[1].operation", operation: 1),
    Case(.commit(Raw().text(3, "")), .name, "commit.operations[1].forget", operation: 1),
    Case(
      .commit(Raw().message(2, Raw().text(1, "\n").text(2, "a"))), .name, "commit.operations[1].remove.named",
      operation: 1),
    Case(.commit(Raw().message(1)), .missing, add + ".intention", operation: 1),
    Case(.commit(Raw().message(1, Raw().message(1, Raw().text(1, "1")))), .name, add + ".intention.type", operation: 1),
    Case(.commit(Raw().message(1, Raw().message(1, Raw().text(1, "T")))), .name, add + ".to", operation: 1),
    Case(.field(Raw()), .missing, add + ".intention.fields[0].name", operation: 1),
    Case(.field(Raw().text(1, "to")), .missing, to, operation: 1),
    Case(.value(Raw()), .missing, to + ".value", operation: 1),
    Case(.value(Raw().double(1, .infinity)), .value, to + ".number", operation: 1),
    Case(.value(Raw().message(2, Raw().doubles(1, [1]))), .value, to + ".vector", operation: 1),
    Case(.value(Raw().message(2, Raw().doubles(1, [1, 2, 3, 4, 5]))), .value, to + ".vector", operation: 1),
    Case(.value(Raw().message(2, Raw().doubles(1, [1, .nan]))), .value, to + ".vector[1]", operation: 1),
    Case(.value(Raw().text(3, String(repeating: "x", count: 16_385))), .limit, to + ".text", operation: 1),
    Case(.value(Raw().message(5, Raw().number(2, 1_000_000_000))), .value, to + ".duration.attoseconds", operation: 1),
    Case(
      .value(Raw().message(5, Raw().number(1, 3_155_760_001_000_000_000))), .value, to + ".duration.nanoseconds",
      operation: 1),
    Case(.value(Raw().text(6, "a.b")), .name, to + ".property", operation: 1),
    Case(.value(Raw().message(9, Raw().text(1, "ball"))), .name, to + ".reference.property", operation: 1),
    Case(.value(nested(5)), .limit, to + ".list[0].list[0].list[0].list[0].list", operation: 1),
    Case(
      .commit(
        Raw().message(1, Raw().message(1, Raw().text(1, "Tween").filling(130, with: Raw().message(2))).text(2, "ball"))),
      .limit, "commit.operations[1].add.intention.fields", operation: 1),
    Case(.value(Raw().message(8, Raw().filling(8194, with: Raw().message(1)))), .limit, to + ".list", operation: 1),
    Case(.envelope(11, Raw().fixed(1, 7).filling(200_002, with: Raw().message(3))), .limit, "commit.operations"),
    Case(
      .commit(
        Raw().message(
          1,
          Raw().message(
            1,
            Raw().text(1, "T").message(2, Raw().text(1, "a").message(2, Raw().number(4, 1)))
              .message(2, Raw().text(1, "a").message(2, Raw().number(4, 0)))))),
      .value, add + ".intention.fields", operation: 1),
  ]

  static let arrays: [Case] = [
    Case(.envelope(30, Raw().bytes(4, [1, 2]).bytes(5, [1])), .value, "values.counts"),
    Case(.envelope(30, Raw().bytes(4, [1]).bytes(5, [0])), .value, "values.counts[0]"),
    Case(.envelope(30, Raw().bytes(4, [1]).bytes(5, [5])), .value, "values.counts[0]"),
    Case(.envelope(30, Raw().bytes(4, [1]).bytes(5, [2]).doubles(6, [1])), .value, "values.lanes"),
    Case(.envelope(30, Raw().doubles(6, [1])), .value, "values.lanes"),
    Case(.envelope(30, Raw().bytes(4, [1]).bytes(5, [1]).doubles(6, [.nan])), .value, "values.lanes[0]"),
    Case(
      .envelope(30, Raw().bytes(4, [1]).bytes(5, [1]).doubles(6, [1]).doubles(7, [1, 2])), .value, "values.velocities"),
    Case(.envelope(30, Raw().double(2, .nan)), .value, "values.time"),
    Case(.envelope(31, Raw().message(1, Raw().number(3, 1))), .missing, "names.names[0].property"),
    Case(
      .envelope(31, Raw().message(1, Raw().message(2, Raw().text(1, "a").text(2, "b")).number(3, 5))), .value,
      "names.names[0].lanes"),
    Case(.envelope(70, Raw().bytes(4, [1]).bytes(5, [1]).doubles(6, [1])), .value, "update.executors"),
    Case(
      .envelope(70, Raw().bytes(3, [1]).bytes(4, [1]).bytes(5, [1]).doubles(6, [1])), .value, "update.velocities"),
    Case(
      .envelope(70, write.bytes(8, [1, 1])), .value, "update.imposes"),
    Case(.envelope(70, write.bytes(8, [0x80, 2])), .value, "update.imposes[0]"),
    Case(.envelope(70, write.doubles(9, [.nan])), .value, "update.remaining[0]"),
    Case(.envelope(70, write.doubles(11, [.nan])), .value, "update.carry[0]"),
    Case(.envelope(70, write.doubles(11, [1, 1])), .value, "update.carry"),
    Case(.envelope(70, Raw().message(10)), .missing, "update.events[0].event"),
    Case(
      .envelope(70, Raw().message(10, Raw().message(5, Raw().message(2)))), .missing,
      "update.events[0].finished.outcome"),
    Case(
      .envelope(70, Raw().message(10, Raw().message(3, Raw().text(2, "")))), .name, "update.events[0].started.token"),
    Case(.envelope(70, Raw().filling(200_002, with: Raw().message(10))), .limit, "update.events"),
    Case(
      .envelope(
        70, Raw().message(10, Raw().message(5, Raw().message(2, Raw().bytes(3, [UInt8](repeating: 1, count: 17)))))),
      .limit, "update.events[0].finished.identity.path"),
  ]

  /// A correct write.
  static let write = Raw().bytes(3, [1]).bytes(4, [1]).bytes(5, [1]).doubles(6, [1]).doubles(7, [0])

  /// Nested lists of this depth.
  static func nested(_ depth: Int) -> Raw {
    depth == 0 ? Raw().number(4, 1) : Raw().message(8, Raw().message(1, nested(depth - 1)))
  }

  @Test(arguments: envelopes + commits + arrays)
  func `errors have their place`(_ mistake: Case) {
    let error = #expect(throws: WireError.self) { _ = try Envelope(decoding: mistake.bytes) }
    #expect(error?.code == mistake.code)
    #expect(error?.field == mistake.field)
    #expect(error?.operation == mistake.operation)
    #expect(error?.message.isEmpty == false)
  }

  @Test(
    arguments: [
      [0xFF], [0x08], [0x08, 1, 0x7A], [0x08, 1, 0x7A, 5, 1], [0x0B, 0x0C], [0x08, 1, 0x0E],
      [UInt8](repeating: 0xFF, count: 64), [0x08, 1, 0x82, 1, 3, 0x0A, 1, 0xFF], [0x08, 1, 0x72, 2, 0x0A, 9],
    ] as [[UInt8]])
  func bytesThatAreNoMessageAreMalformed(_ bytes: [UInt8]) {
    let error = #expect(throws: WireError.self) { _ = try Envelope(decoding: bytes) }
    #expect(error?.code == .malformed)
  }

  @Test func `four nested lists are accepted`() throws {
    #expect(throws: Never.self) { try Envelope(decoding: Raw.value(Self.nested(4)).bytes) }
  }

  @Test func `the size is checked first`() {
    let error = #expect(throws: WireError.self) {
      _ = try Envelope(decoding: [UInt8](repeating: 0xFF, count: 65), limit: 64)
    }
    #expect(error?.code == .tooLarge)
  }

  @Test func `a version error names both ranges`() throws {
    let error = #expect(throws: WireError.self) { _ = try Envelope(decoding: Raw().number(1, 7).bytes) }
    let text = try #require(error).description
    #expect(text.contains("7 to 7") && text.contains("1 to 1"))
  }

  @Test func `errors become refusals`() throws {
    let error = #expect(throws: WireError.self) {
      _ = try Envelope(decoding: Raw.value(Raw().text(6, "a.b")).bytes)
    }
    let refusal = try #require(error).refusal
    #expect(refusal.code == .name)
    #expect(refusal.operation == 1)
    #expect(error?.field == Self.to + ".property")
    #expect(refusal.field == "to")
    #expect(refusal.message.contains("a.b"))
  }
}
