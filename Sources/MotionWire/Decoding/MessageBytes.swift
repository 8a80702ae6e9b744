import MotionModel
import SwiftProtobuf

/// A generated message that carries a plain Swift type.
typealias WireMessage = Message & WireRepresentation

/// Encodes messages to bytes and decodes them.
enum MessageBytes {
  /// The maximum nesting depth of messages: a list four deep in an intention in a recorded commit is 19 deep.
  static let nesting = 24

  /// The bytes of a message.
  static func encode(_ message: some Message) -> [UInt8] {
    do {
      return try message.serializedBytes()
    } catch {
      preconditionFailure("a message that was built here cannot be encoded: \(error)")
    }
  }

  /// The value that a message of this kind carries; see `Envelope.init(decoding:limit:)`.
  ///
  /// - Parameter shape: `nil` for a message without lists.
  ///
  /// The checks run from cheap to expensive: the size, the lists counted in the raw bytes, the parse, the rules.
  static func decode<Part: WireMessage>(
    _ part: Part.Type, _ shape: Shape?, _ bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(WireError) -> Part.Model {
    try message(part, shape, bytes, limit: limit).model()
  }

  /// The message in these bytes, parsed and with its lists counted. The caller must still check the rules of its parts.
  static func message<Part: Message>(
    _ part: Part.Type, _ shape: Shape?, _ bytes: UnsafeRawBufferPointer, limit: Int
  ) throws(WireError) -> Part {
    guard bytes.count <= limit else {
      throw WireError(
        .tooLarge, "\(bytes.count) bytes are more than \(limit)", remedy: "Send less in one message")
    }
    if let shape { try Census.check(bytes, shape, limit: limit) }
    return try parse(part, bytes)
  }

  private static func parse<Part: Message>(
    _ part: Part.Type, _ bytes: UnsafeRawBufferPointer
  ) throws(WireError) -> Part {
    var options = BinaryDecodingOptions()
    options.messageDepthLimit = nesting
    options.discardUnknownFields = true
    do {
      return try Part(serializedBytes: bytes.bytes, options: options)
    } catch {
      throw WireError(.malformed, "the bytes are not a message: \(reason(error))", remedy: "Encode with motion.proto")
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case BinaryDecodingError.truncated: "they end too early"
    case BinaryDecodingError.invalidUTF8: "a text is not UTF-8"
    case BinaryDecodingError.messageDepthLimit: "messages are nested more than \(nesting) deep"
    default: "they break the rules of protobuf"
    }
  }
}
