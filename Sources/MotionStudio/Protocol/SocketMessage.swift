/// A message of a WebSocket, in either direction.
package enum SocketMessage: Hashable, Sendable {
  /// JSON.
  case text(String)
  /// An opcode and its content.
  case binary([UInt8])

  /// The number of bytes.
  package var count: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

extension [UInt8] {
  /// Appends an integer, the least significant byte first, as everywhere in the protocol.
  mutating func append<Integer: FixedWidthInteger>(littleEndian integer: Integer) {
    Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
  }
}
