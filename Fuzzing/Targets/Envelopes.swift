import MotionModel
import MotionWire

/// Messages of the wire, in both directions. There are short cuts for reading and writing the frequent ones: they say what
/// the generated code says, and what was read can be sent on.
enum Envelopes {
  static func run(_ bytes: [UInt8]) throws {
    try header(bytes)
    let quick = Result { try read(bytes) }
    let plain = Result {
      try bytes.withUnsafeBytes { try Envelope(decodingByGeneratedCode: $0, limit: Limits.clientMessageBytes) }
    }
    switch (quick, plain) {
    case (.success(let (envelope, commit)), .success(let other)):
      try rows(bytes, in: envelope)
      try require(envelope == other, "the short cut reads \(envelope), the generated code \(other)")
      try again(envelope)
      if let commit { try kept(envelope, bytes[commit]) }
    case (.failure(let error as WireError), .failure): try Told.check(error)
    case (.success(let (envelope, _)), .failure(let error)):
      throw FuzzFinding("only a short cut reads \(envelope): \(error)")
    case (.failure(let error), _): throw FuzzFinding("what the generated code reads is refused: \(error)")
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> (envelope: Envelope, commit: Range<Int>?) {
    try bytes.withUnsafeBytes { try Envelope.read($0, limit: Limits.clientMessageBytes) }
  }

  private static func header(_ bytes: [UInt8]) throws {
    do throws(WireError) { _ = try EnvelopeHeader(decoding: bytes) } catch { try Told.check(error) }
    do throws(WireError) { _ = try Topic.split(bytes) } catch { try Told.check(error) }
    _ = bytes.withUnsafeBytes { Envelope.holdsNothingButValues($0) }
  }

  /// Rows that stay in their bytes are those that the whole message has.
  private static func rows(_ bytes: [UInt8], in envelope: Envelope) throws {
    guard case .answer(let answer) = envelope.body else { return }
    let split: (envelope: Envelope, answer: Answer)?
    switch answer {
    case .targets: split = try EncodedRows<TargetRow>.split(bytes).map { ($0.envelope, .targets(Array($0.rows))) }
    case .properties:
      split = try EncodedRows<PropertyRow>.split(bytes).map { ($0.envelope, .properties(Array($0.rows))) }
    case .intentions:
      split = try EncodedRows<IntentionRow>.split(bytes).map { ($0.envelope, .intentions(Array($0.rows))) }
    default: return
    }
    guard let split else { return }
    var whole = split.envelope
    whole.body = .answer(split.answer)
    try require(whole == envelope, "its rows are \(whole), and it is \(envelope)")
  }

  private static func again(_ envelope: Envelope) throws {
    for bytes in [envelope.encoded(), envelope.encodedByGeneratedCode()] {
      do {
        let again = try Envelope(decoding: bytes)
        try require(again == envelope, "\(envelope) is written so that it is read as \(again)")
      } catch let error as WireError {
        throw FuzzFinding("\(envelope) is written so that it is refused: \(error)")
      }
    }
  }

  /// The journal keeps a commit in the bytes of its client.
  private static func kept(_ envelope: Envelope, _ said: ArraySlice<UInt8>) throws {
    let bytes = JournalCoding.bytes(
      ofCommit: 7, said: Array(said), client: envelope.incarnation, frame: Frame(number: 3, time: 1, dt: 0.5), time: 1)
    guard case .commit(let commit) = envelope.body, let entry = try? JournalCoding.entry(in: bytes) else {
      throw FuzzFinding("the journal cannot read the commit of \(envelope)")
    }
    try require(
      entry.event == .commit(sequence: 7, commit, client: envelope.incarnation),
      "the journal reads another commit than \(envelope)")
  }
}
