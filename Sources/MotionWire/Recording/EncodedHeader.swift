public import MotionModel

/// The header of a recording with the bytes of its message, for several files that begin with the same state.
///
/// To encode the state of a hundred thousand properties takes some tenths of a second.
public struct EncodedHeader: Sendable {
  /// The header.
  public let header: RecordingHeader
  /// Its message.
  let message: [UInt8]
  /// Where the message of the snapshot is in it; `nil` if that is not known, or there is none.
  private let snapshotPlace: Range<Int>?

  /// Encodes a header.
  public init(_ header: RecordingHeader) {
    self.header = header
    guard let snapshot = header.snapshot else {
      (message, snapshotPlace) = (MessageBytes.encode(ProtoRecordingHeader(header)), nil)
      return
    }
    var (first, rest) = (header, snapshot)
    first.snapshot = nil
    rest.checkpoint = RuntimeCheckpoint()
    var proto = ProtoRuntimeSnapshot(rest)
    proto.clearCheckpoint()
    let content = Self.part(1, CheckpointBytes.whole(snapshot.checkpoint), before: MessageBytes.encode(proto))
    message = MessageBytes.encode(ProtoRecordingHeader(first)) + Self.part(5, content)
    snapshotPlace = message.count - content.count..<message.count
  }

  /// A field with a message, followed by other fields.
  private static func part(_ field: UInt64, _ message: [UInt8], before others: [UInt8] = []) -> [UInt8] {
    let size = 1 + WireSize.of(UInt64(message.count)) + message.count + others.count
    return WireWriter.bytes(atMost: size) { writer in
      writer.beginning(field, of: message.count)
      writer.append(message)
      writer.append(others)
    }
  }

  /// A header that was decoded from these bytes.
  init(_ header: RecordingHeader, decodedFrom message: [UInt8]) {
    (self.header, self.message, snapshotPlace) = (header, message, nil)
  }

  /// Its size.
  public var bytes: Int { message.count }

  /// The message of the snapshot; `nil` if there is none.
  var snapshot: [UInt8]? {
    snapshotPlace.map { Array(message[$0]) } ?? header.snapshot.map { MessageBytes.encode(ProtoRuntimeSnapshot($0)) }
  }

  /// The message of the answer to a query for the present state.
  ///
  /// - Parameter envelope: the fields that identify the sender and the message.
  package func answer(like envelope: Envelope) -> [UInt8] {
    var envelope = envelope
    envelope.body = .answer(.snapshot(header))
    let member = WireSize.of(Self.answerField << 3) + WireSize.of(UInt64(bytes)) + bytes
    // A header takes 75 bytes at most, and the beginnings of two messages 14.
    return WireWriter.bytes(atMost: 96 + bytes) { writer in
      writer.header(of: envelope)
      writer.beginning(23, of: member)
      writer.beginning(Self.answerField, of: bytes)
      writer.append(message)
    }
  }

  /// The field number of a state in an answer.
  private static let answerField: UInt64 = 16
}
