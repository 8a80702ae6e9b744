/// Splits bytes into pieces, each behind its length in two bytes: for what takes one message after the other.
///
/// A length beyond the end means all that is left, so that any bytes are pieces.
struct Pieces: Sequence, IteratorProtocol {
  /// More than this prove nothing that fewer do not, and take long.
  static let most = 64

  private var rest: ArraySlice<UInt8>
  private var count = 0

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func next() -> [UInt8]? {
    guard rest.count >= 2, count < Self.most else { return nil }
    count += 1
    let length = Int(rest.removeFirst()) | Int(rest.removeFirst()) << 8
    defer { rest = rest.dropFirst(length) }
    return Array(rest.prefix(length))
  }

  /// Bytes that split into these pieces.
  static func joined(_ pieces: [[UInt8]]) -> [UInt8] {
    pieces.flatMap { [UInt8(truncatingIfNeeded: $0.count), UInt8(truncatingIfNeeded: $0.count >> 8)] + $0 }
  }
}
