import MotionModel
import MotionWire
import Testing

/// The wire format as literal bytes: clients in other languages and older versions read these bytes, so they never
/// change.
@Suite struct GoldenBytesTests {
  static let envelopes: [(String, Envelope)] = [
    (
      "08011003190500000000000000200928023107000000000000007a00",
      Envelope(epoch: 3, incarnation: 5, sequence: 9, replyTo: 2, sent: 7, .alive)
    ),
    (
      "0801100320042802310700000000000000"
        + "3a13090000000000002940108080d09de9ceb8fd187a00",
      Envelope(
        epoch: 3, sequence: 4, replyTo: 2, sent: 7, moment: Moment(time: 12.5, wallTime: 1_800_000_000_000_000_000),
        .alive)
    ),
    (
      "0801190500000000000000200152120a04080110011204080110011a046c616d70",
      Envelope(incarnation: 5, sequence: 1, .greeting(Greeting(name: "lamp")))
    ),
    (
      "0801100319050000000000000020025aa6020901000000000000001102000000000000001a550a530a470a08537072696e67"
        + "546f12160a0870726f7065727479120a3208706f736974696f6e12230a0b64657374696e6174696f6e121412120a10000000"
        + "00000059400000000000004940120462616c6c1a02676f1a96010a93010a8a010a05547765656e120f0a02746f1209090000"
        + "00000000f03f12140a086475726174696f6e12082a060880c6868f0112100a06656173696e6712061a046561736512110a0b"
        + "6175746f7265766572736512022001120b0a046178697312033a017812280a0676616c756573121e421c0a09090000000000"
        + "0000000a0f4a0d0a0462616c6c12057363616c65120462616c6c1a10120e0a046472616712067371756172651a051a036f6c"
        + "6421000000000000f83f2801",
      Envelope(
        epoch: 3, incarnation: 5, sequence: 2,
        .commit(
          Commit(
            Transaction(log: [
              .add(
                Intention(
                  "SpringTo", [.init("property", .property("position")), .init("destination", .vector([100, 50]))]),
                named: "go", to: "ball"),
              .add(
                Intention(
                  "Tween",
                  [
                    .init("to", .number(1)), .init("duration", .duration(.milliseconds(300))),
                    .init("easing", .text("ease")), .init("autoreverse", .flag(true)), .init("axis", .choice("x")),
                    .init("values", .list([.number(0), .reference(PropertyReference("ball", "scale"))])),
                  ]), named: nil, to: "ball"),
              .remove(named: "drag", from: "square"), .forget("old"),
            ]), id: TransactionID(high: 1, low: 2), at: 1.5, whileConnected: true)))
    ),
    (
      "0801100320042802aa010f080c10072a090a05747765656e1002",
      Envelope(
        epoch: 3, sequence: 4, replyTo: 2,
        .receipt(Receipt(sequence: 12, frame: 7, plugins: [PluginReadiness("tween", .starting)])))
    ),
    (
      "080110032006f20157080711000000000000d03f19000000000000c03f220301ac022a0202013218000000000000f03f0000"
        + "00000000004000000000000008403a1800000000000000000000000000000000000000000000e03f4202ac024801",
      Envelope(
        epoch: 3, sequence: 6,
        .values(
          Values(
            frame: 7, time: 0.25, dt: 0.125, handles: [PropertyHandle(1), PropertyHandle(300)], counts: [2, 1],
            lanes: [1, 2, 3], velocities: [0, 0, 0.5], late: [PropertyHandle(300)], isComplete: true)))
    ),
    (
      "080110031902000000000000002008b20459080710041a01012201022a01013208000000000000e03f3a0800000000000000"
        + "404201014a08000000000000d03f520c08011a080801120466616465521108022a0d08011207080c10011a010018025a08000000000000c03f",
      Envelope(
        epoch: 3, incarnation: 2, sequence: 8,
        .update(
          WorkerUpdate(
            frame: 7,
            writes: [
              PropertyWrite(
                executor: ExecutorHandle(1), property: PropertyHandle(2), state: PropertyState(0.5, velocity: 2),
                imposes: .value, remaining: 0.25, carry: 0.125)
            ],
            events: [
              .init(1, .started(ExecutorHandle(1), "fade", moving: [])),
              .init(
                2, .finished(ExecutorHandle(1), IntentionIdentity(sequence: 12, operation: 1, path: [0]), .displaced)),
            ], commandsApplied: 4)))
    ),
  ]

  @Test(arguments: envelopes.indices) func `encoded bytes equal the golden bytes`(_ index: Int) throws {
    let (golden, envelope) = Self.envelopes[index]
    let bytes = envelope.encoded()
    let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text == golden)
    #expect(try Envelope(decoding: bytes) == envelope)
  }
}
