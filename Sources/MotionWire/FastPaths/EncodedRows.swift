package import MotionModel
import SwiftProtobuf

/// A row of a list that can stay as it is on the wire.
package protocol EncodedRow: Sendable {
  /// The field of the list in its answer.
  static var answerField: UInt64 { get }
  /// Decodes the bytes of a row.
  static func decoded(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Self
  /// A piece of an answer with these rows.
  static func piece(_ rows: [Self]) -> AnswerPiece
  /// The query of the whole list.
  static var query: Query { get }
}

/// The rows of an answer as they are on the wire: each is decoded when it is read.
///
/// As values, 100,000 properties take 70 MB, and while they are decoded all at once three times as much. Like this they
/// take 10 MB; reading one takes some 2 µs.
package struct EncodedRows<Row: EncodedRow>: RandomAccessCollection, Sendable {
  /// The whole message.
  private let bytes: [UInt8]
  /// Where the length of each row is.
  private let starts: [UInt32]

  /// Reads the message of an answer, which may be any bytes at all.
  ///
  /// - Returns: the message without its rows, and the rows; `nil` if it is not this list.
  /// - Throws: the error in a row.
  package static func split(
    _ bytes: [UInt8], limit: Int = Limits.clientMessageBytes
  ) throws(WireError) -> (envelope: Envelope, rows: EncodedRows)? {
    let found = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      do throws(WireFault) {
        return try AnswerPlaces(buffer, list: Row.answerField, limit: limit)
      } catch {
        throw error.error
      }
    }
    guard let found else { return nil }
    // The same message with an empty list.
    let answer = WireWriter.bytes(atMost: 8) { $0.nested(AnswerPlaces.field) { $0.nested(Row.answerField) { _ in } } }
    let rest = bytes[..<found.answer.lowerBound] + answer + bytes[found.answer.upperBound...]
    let envelope = try Envelope(decoding: Array(rest), limit: limit)
    let rows = EncodedRows(bytes: bytes, starts: found.starts)
    for index in rows.indices {
      do throws(WireError) { _ = try rows.decoded(index) } catch { throw error.within("rows[\(index)]") }
    }
    return (envelope, rows)
  }

  private init(bytes: [UInt8], starts: [UInt32]) { (self.bytes, self.starts) = (bytes, starts) }

  /// No rows.
  package init() { (bytes, starts) = ([], []) }

  /// Encodes rows.
  ///
  /// - Throws: the error in a row that no message may have, such as one from a recording that was altered.
  package init(_ rows: [Row]) throws(WireError) {
    var writer = AnswerWriter(to: Row.query)
    // In parts, so that few are in memory in one more form.
    for start in stride(from: 0, to: rows.count, by: 1_000) {
      writer.add(Row.piece(Array(rows[start..<Swift.min(start + 1_000, rows.count)])))
    }
    let bytes = writer.message(like: Envelope(.alive), madeIn: 0...0)
    guard let split = try Self.split(bytes, limit: .max) else {
      throw WireError(.tooLarge, "a list of \(bytes.count) bytes is too long", remedy: "List fewer targets")
    }
    self = split.rows
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { starts.count }

  /// Decodes a row.
  package subscript(index: Int) -> Row {
    do throws(WireError) {
      return try decoded(index)
    } catch {
      preconditionFailure("a row that was read before cannot be read: \(error)")
    }
  }

  private func decoded(_ index: Int) throws(WireError) -> Row {
    try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      var reader = WireReader(UnsafeRawBufferPointer(rebasing: buffer[Int(starts[index])...]))
      let row: UnsafeBufferPointer<UInt8>
      do throws(WireFault) { row = try reader.bytes() } catch { throw error.error }
      return try Row.decoded(UnsafeRawBufferPointer(row))
    }
  }
}

/// Where the rows of a list are in the message of an answer.
private struct AnswerPlaces {
  static let field: UInt64 = 23

  /// The answer, with its tag.
  let answer: Range<Int>
  /// Where the length of each row is.
  private(set) var starts: [UInt32] = []

  /// - Parameter list: the field of the list.
  /// - Returns: `nil` if the message is another one, or has too many rows.
  init?(_ bytes: UnsafeRawBufferPointer, list: UInt64, limit: Int) throws(WireFault) {
    guard bytes.count <= Swift.min(limit, Int(UInt32.max)) else { return nil }
    var (reader, fields, found) = (WireReader(bytes), 0, (tag: Range<Int>, content: WireReader)?.none)
    while !reader.isAtEnd {
      let start = bytes.count - reader.count
      fields += 1
      guard fields <= EnvelopeFields.limit else { throw .fields }
      let (number, content) = try reader.field()
      guard number == Self.field else { continue }
      // Protobuf merges messages that come twice.
      guard let content, found == nil else { return nil }
      found = (start..<bytes.count - reader.count, content)
    }
    guard let (tag, content) = found else { return nil }
    answer = tag
    var (parts, end, hasList) = (content, tag.upperBound, false)
    while !parts.isAtEnd {
      let (number, content) = try parts.field()
      // Besides the list, the numbers of the frames between which the answer was made.
      guard number == list, var rows = content else {
        if number != list, content == nil { continue }
        return nil
      }
      hasList = true
      end = tag.upperBound - parts.count
      while !rows.isAtEnd {
        let tag = try rows.tag()
        guard tag == 1 << 3 | 2, starts.count < Census.mostElements(of: limit) else { return nil }
        starts.append(UInt32(end - rows.count))
        _ = try rows.bytes()
      }
    }
    guard hasList else { return nil }
  }
}

extension TargetRow: EncodedRow {
  package static var answerField: UInt64 { 1 }
  package static var query: Query { .targets }
  package static func piece(_ rows: [TargetRow]) -> AnswerPiece { AnswerPiece(.targets(rows)) }
  package static func decoded(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> TargetRow {
    try MessageBytes.decode(ProtoTargetRow.self, nil, bytes, limit: Limits.clientMessageBytes)
  }
}

extension PropertyRow: EncodedRow {
  package static var answerField: UInt64 { 2 }
  package static var query: Query { .properties(nil) }
  package static func piece(_ rows: [PropertyRow]) -> AnswerPiece { AnswerPiece(.properties(rows)) }
  package static func decoded(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> PropertyRow {
    try MessageBytes.decode(ProtoPropertyRow.self, .propertyRow, bytes, limit: Limits.clientMessageBytes)
  }
}

extension IntentionRow: EncodedRow {
  package static var answerField: UInt64 { 4 }
  package static var query: Query { .intentions(nil) }
  package static func piece(_ rows: [IntentionRow]) -> AnswerPiece {
    AnswerPiece(.intentions(rows.map { (order: 0, row: $0) }))
  }
  package static func decoded(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> IntentionRow {
    try MessageBytes.decode(ProtoIntentionRow.self, .intentionRow, bytes, limit: Limits.clientMessageBytes)
  }
}
