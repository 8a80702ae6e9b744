import MotionModel
import MotionTestKit
import Testing

@testable import MotionWire

@Suite struct FastPathTests {
  /// A tick, an update without events, or properties for a worker; if `isInput` is true, perhaps input values, which are
  /// only read here.
  private func envelope(_ generator: inout Generator, isInput: Bool = false) -> Envelope {
    var envelope = generator.envelope(of: generator.pick(isInput ? [19, 21, 22, 31] : [19, 21, 22]))
    if case .command(let number, _) = envelope.body {
      envelope.body = .command(number: number, .properties(generator.list { $0.readProperty() }))
    }
    if case .update(var update) = envelope.body {
      update.events = []
      envelope.body = .update(update)
    }
    return envelope
  }

  /// The results of both decoders for these bytes.
  private func read(
    _ bytes: [UInt8]
  ) -> (quick: Result<Envelope, any Error>, generated: Result<Envelope, any Error>) {
    bytes.withUnsafeBytes { bytes in
      (
        Result { try FastPath.envelope(in: bytes, limit: 1 << 20).envelope },
        Result { try Envelope(decodingByGeneratedCode: bytes, limit: 1 << 20) }
      )
    }
  }

  @Test func `the fast path's bytes equal the generated code's, and both decode the same`() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(4000) {
      let envelope = envelope(&generator)
      let bytes = envelope.encodedByGeneratedCode()
      #expect(FastPath.bytes(of: envelope, behind: [7]) == [7] + bytes)
      let (quick, generated) = read(bytes)
      #expect(try quick.get() == envelope)
      #expect(try generated.get() == envelope)
    }
  }

  @Test func `an update is recorded with the bytes that it came with`() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(1000) {
      guard case .update(var update) = generator.envelope(of: 22).body else { continue }
      update.events = []
      let (quick, _) = read(Envelope(.update(update)).encoded())
      guard case .update(let decoded) = try quick.get().body else { throw WireFault.unusual }
      let bytes = MessageBytes.encode(ProtoUpdate(update))
      #expect(decoded.encoded.bytes == bytes)
      let frame = RecordedFrame(
        frame: Frame(number: 1, time: 2, dt: 1), events: [.update(WorkerAddress("tween", 1), decoded)], hash: 0)
      #expect(FastPath.bytes(of: frame) == MessageBytes.encode(ProtoRecordedFrame(frame)))
    }
  }

  @Test func `an update that names a shape has the writes that it was made of, with their bytes`() throws {
    var generator = Generator()
    var named = 0
    for _ in 0..<2000 {
      var update = generator.update()
      if generator.flag() { update.events = [] }
      update.shape = .named(generator.number() | 1)
      guard case .named(let number) = update.shape, !update.writes.isEmpty else { continue }
      named += 1
      let envelope = Envelope(.update(update))
      let bytes = envelope.encoded()
      #expect(bytes == envelope.encodedByGeneratedCode())
      let (quick, generated) = read(bytes)
      var found = [try generated.get().body]
      if update.events.isEmpty { found.append(try quick.get().body) }
      for case .update(let received) in found {
        #expect(received.shape == update.shape && received.writes.isEmpty && received.events == update.events)
        let shape = UpdateShape(number, of: update.writes)
        let complete = try #require(shape.complete(received))
        var wanted = update
        wanted.shape = .announced(number)
        #expect(complete == wanted)
        let (again, _) = read(recorded(complete))
        guard case .update(let recorded) = try again.get().body else { throw WireFault.unusual }
        #expect(recorded.writes == update.writes && recorded.frame == update.frame)
        // Values of other rows do not fit.
        #expect(UpdateShape(number, of: update.writes + update.writes).complete(received) == nil)
        #expect(UpdateShape(number, of: update.writes.dropLast()).complete(received) == nil)
      }
    }
    #expect(named > 1000)
  }

  /// An envelope around an update as it is recorded.
  private func recorded(_ update: WorkerUpdate) -> [UInt8] {
    WireWriter.bytes(atMost: update.encoded.bytes.count + 100) { writer in
      writer.header(of: Envelope(.alive))
      writer.nested(FastPath.update) { $0.append(update.encoded.bytes) }
    }
  }

  @Test func `input values decode the same on both paths`() throws {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(2000) {
      let envelope = generator.envelope(of: 31)
      let (quick, generated) = read(envelope.encoded())
      #expect(try quick.get() == envelope)
      #expect(try generated.get() == envelope)
    }
    let values = (0...Limits.inputValues).map { InputValue(InputName(stringLiteral: "v\($0)"), [1]) }
    for (count, isAccepted) in [(Limits.inputValues, true), (Limits.inputValues + 1, false), (0, false)] {
      let bytes = Envelope(.inputValues(InputValues(from: "desk", Array(values.prefix(count))))).encoded()
      #expect(((try? read(bytes).quick.get()) != nil) == isAccepted, "\(count) values")
    }
  }

  @Test func `the largest numbers fit into the memory that is reserved`() throws {
    let moment = Moment(time: .greatestFiniteMagnitude, wallTime: -1)
    let write = PropertyWrite(
      executor: ExecutorHandle(.max), property: PropertyHandle(.max),
      state: PropertyState([-0.1, -0.1, -0.1, -0.1], velocity: [-0.1, -0.1, -0.1, -0.1]),
      imposes: Imposed(rawValue: 3), remaining: 0.1, carry: 0.05)
    let frame = Frame(number: .max, time: 0.1, dt: 0.1)
    var update = WorkerUpdate(frame: .max, writes: [write, write], commandsApplied: .max)
    update.shape = .announced(.max)
    let longest = PropertyReference(
      try TargetName(String(repeating: "t", count: 128)), try PropertyName(String(repeating: "p", count: 64)))
    let read = ReadProperty(longest, write.state)
    let command = Envelope.Body.command(number: .max, .properties(Array(repeating: read, count: 1000)))
    for body in [Envelope.Body.tick(Tick(frame: frame, lastCommand: .max, shape: .max)), .update(update), command] {
      let envelope = Envelope(
        epoch: .max, incarnation: .max, sequence: .max, replyTo: .max, sent: .max, moment: moment, body)
      #expect(FastPath.bytes(of: envelope, behind: [1, 2]) == [1, 2] + envelope.encodedByGeneratedCode())
      let answer = AnswerWriter(to: .targets).message(like: envelope, madeIn: 0 ... .max)
      #expect(!answer.isEmpty)
    }
  }

  @Test func `the answer with a state has the bytes of the generated code`() {
    var generator = Generator()
    for _ in 0..<SeededRandom.rounds(500) {
      let header = generator.header()
      var envelope = envelope(&generator, isInput: true)
      let bytes = EncodedHeader(header).answer(like: envelope)
      envelope.body = .answer(.snapshot(header))
      #expect(bytes == envelope.encodedByGeneratedCode())
    }
  }

  @Test func `a frame beyond the highest ordinal is refused by both decoders`() {
    let number = Decode.highestOrdinal + 1
    let tick = Tick(frame: Frame(number: number, time: 1, dt: 0.1), lastCommand: 1)
    let (quick, generated) = read(Envelope(epoch: 1, sequence: 1, .tick(tick)).encodedByGeneratedCode())
    #expect(throws: WireFault.self) { try quick.get() }
    #expect(throws: WireError.self) { try generated.get() }
  }

  @Test func `mutated bytes decode to the same on both paths`() {
    var generator = Generator()
    var count = 0
    for _ in 0..<SeededRandom.rounds(8000) {
      var bytes = envelope(&generator, isInput: true).encodedByGeneratedCode()
      let place = generator.int(0...bytes.count - 1)
      switch generator.int(0...2) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.word())
      case 1: bytes.removeLast(place + 1)
      default: bytes.insert(UInt8(truncatingIfNeeded: generator.word()), at: place)
      }
      let (quick, generated) = read(bytes)
      // Bytes that the fast path does not decode are left to the generated code.
      guard case .success(let found) = quick else { continue }
      count += 1
      #expect((try? generated.get()) == found, "\(bytes)")
    }
    #expect(count > 100)
  }

  @Test func updatesWithEventsAndOtherMessagesAreLeftToTheGeneratedCode() throws {
    let update = WorkerUpdate(
      frame: 1, writes: [], events: [.init(1, .activity(ExecutorHandle(1), true))], commandsApplied: 1)
    for body in [.update(update), .alive, .log(LogLine(.info, "text"))] as [Envelope.Body] {
      let envelope = Envelope(epoch: 1, sequence: 1, body)
      #expect(FastPath.bytes(of: envelope, behind: []) == nil)
      #expect(throws: WireFault.self) { try read(envelope.encoded()).quick.get() }
      #expect(try Envelope(decoding: envelope.encoded()) == envelope)
    }
  }

  @Test func `arrays of inconsistent length are refused`() throws {
    let write = PropertyWrite(
      executor: ExecutorHandle(1), property: PropertyHandle(2), state: PropertyState(Lanes(1)), imposes: [],
      remaining: nil)
    let envelope = Envelope(.update(WorkerUpdate(frame: 1, writes: [write], commandsApplied: 1)))
    var bytes = envelope.encoded()
    // The count of lanes, the only 5 << 3 | 2 followed by the length 1 and the count 1.
    let place = try #require(bytes.indices.dropLast(2).first { Array(bytes[$0...($0 + 2)]) == [42, 1, 1] })
    for count in [0, 2, 5, 127] as [UInt8] {
      bytes[place + 2] = count
      #expect(throws: WireError.self) { try Envelope(decoding: bytes) }
    }
  }
}
