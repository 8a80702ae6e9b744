import MotionCore
import MotionModel
import MotionWire
import Testing
import ZeroMQ

@testable import MotionCoordinator

/// Long answers are encoded to bytes outside the loop.
struct AnswerEncoderTests {
  private func runtime(_ count: Int) throws -> Runtime {
    let runtime = Runtime(ratePerSecond: 100)
    // From two transactions, so that the order of intentions is not that of their executors.
    for value in [1.0, 2.0] {
      var transaction = Transaction()
      for number in 0..<count {
        transaction.add(
          .anchoredSpring("x", [value]), named: try IntentionName("v\(Int(value))"), to: try TargetName("t\(number)"))
      }
      try runtime.commit(transaction)
      runtime.advance()
    }
    for number in 0..<count {
      try runtime.commit(Transaction(log: [.forget(try TargetName("t\(number)"))]), at: Double(1000 - number))
    }
    return runtime
  }

  private func envelope() -> Envelope {
    Envelope(
      epoch: 3, sequence: 4, replyTo: 5, sent: 6, moment: Moment(time: 1.5, wallTime: 1_800_000_000_000_000_001), .alive
    )
  }

  @Test(
    arguments: [
      Query.targets, .properties(nil), .executors(nil), .intentions(nil), .tokens(nil), .graph(nil), .waiting,
    ])
  func `an answer encoded in pieces has the same bytes as the whole`(query: Query) throws {
    let runtime = try runtime(100)
    var whole = envelope()
    whole.body = .answer(try #require(try runtime.answer(query)))
    var writer = AnswerWriter(to: query)
    let inspection = try #require(try RuntimeInspection(query, of: runtime))
    while !inspection.isFinished { writer.add(inspection.advance(7)) }
    let frames = try #require(inspection.frames)
    #expect(writer.message(like: envelope(), madeIn: frames) == whole.encoded())
  }

  // Clauses: S11.21
  @Test func `an answer built over several frames states them, and is decoded like any other`() throws {
    var writer = AnswerWriter(to: .targets)
    let row = TargetRow(target: "ball", properties: 1, executors: 2, intentions: 3, isActive: true)
    writer.add(AnswerPiece(.targets([row])))
    let bytes = writer.message(like: envelope(), madeIn: 70...71)
    #expect(try Envelope(decoding: bytes).body == .answer(.targets([row])))
    // The last members of the answer, which is the last of the message: 10 and 11 in base 128.
    let last: [UInt8] = [10 << 3, 70, 11 << 3, 71]
    #expect(Array(bytes.suffix(4)) == last)
  }

  private func results(_ encoder: AnswerEncoder, until isDone: (AnswerEncoder.Result) -> Bool) -> [AnswerEncoder.Result]
  {
    var results: [AnswerEncoder.Result] = []
    let poller = Poller()
    _ = poller.add(descriptor: encoder.descriptor)
    while !results.contains(where: isDone), (try? poller.poll(timeout: .seconds(20))) == .ready(1) {
      results += encoder.take()
    }
    return results
  }

  @Test func `the encoding thread makes messages within the share of their client`() throws {
    let encoder = try AnswerEncoder(on: LinuxMachine())
    var budget = AnswerBudget()
    let row = TargetRow(target: "ball", properties: 1, executors: 2, intentions: 3, isActive: true)
    encoder.add(AnswerPiece(.targets([row])), of: 1, to: .targets)
    let share = budget.share(of: RoutingID([1]))
    encoder.finish(1, to: .targets, remarks: [], like: envelope(), madeIn: 1...1, within: share)
    let made = results(encoder) { if case .made = $0 { true } else { false } }
    guard case .encoded(1)? = made.first, case .made(1, let encoded)? = made.last else {
      Issue.record("\(made)")
      return
    }
    #expect(try Envelope(decoding: encoded.message.bytes).replyTo == 5)
    // A client that reads nothing has no share left.
    let held = share.message(of: [UInt8](repeating: 1, count: AnswerBudget.limitOfClient))
    let rows = (0..<10_000).map { _ in row }
    encoder.add(AnswerPiece(.targets(rows)), of: 2, to: .targets)
    encoder.finish(2, to: .targets, remarks: [], like: envelope(), madeIn: 1...1, within: share)
    let refused = results(encoder) { if case .noRoom(2) = $0 { true } else { false } }
    #expect(refused.count == 2)
    withExtendedLifetime(held) {}
  }

  @Test func `the encoding of an answer stops as soon as it is too long`() throws {
    let encoder = try AnswerEncoder(on: LinuxMachine())
    let text = FieldValue.text(String(repeating: "x", count: Limits.textBytes))
    let row = IntentionRow(
      identity: IntentionIdentity(sequence: 1, operation: 0), target: "ball", name: nil,
      intention: Intention("Speak", [Intention.Field("words", .list(Array(repeating: text, count: 1024)))]),
      kind: .standing, executor: "Speaker", state: .added)
    let rows: [(order: UInt64, row: IntentionRow)] = [(order: 1, row: row)]
    for _ in 0..<6 { encoder.add(AnswerPiece(.intentions(rows)), of: 1, to: .intentions(nil)) }
    encoder.add(AnswerPiece(.targets([])), of: 2, to: .targets)
    let ended = results(encoder) { if case .encoded(0) = $0 { true } else { false } }
    let tooLong = ended.filter { if case .tooLong(1) = $0 { true } else { false } }
    #expect(tooLong.count == 1)
  }
}
