package import MotionModel
import SwiftProtobuf

/// Writes the message of an answer whose rows arrive in pieces, so that no more than one piece is in memory twice.
///
/// The bytes are those that ``Envelope/encoded()`` makes of the whole answer, except for the frames between which it
/// was made.
package struct AnswerWriter {
  /// The end of an intention's row in the bytes, and the row's place in the order of all additions.
  private struct Place {
    var order: UInt64
    var end: Int
  }

  /// The field number of the answer's member in its message, which depends on the query.
  private let field: UInt64
  private var bytes: [UInt8] = []
  private var places: [Place] = []
  /// Whether the rows came in an order that differs from the required one.
  private var isUnsorted = false

  /// Begins the answer to a query.
  ///
  /// - Precondition: the query is answered in pieces.
  package init(to query: Query) {
    switch query {
    case .targets: field = 1
    case .properties: field = 2
    case .executors: field = 3
    case .intentions: field = 4
    case .tokens: field = 5
    case .graph: field = 9
    case .waiting: field = 12
    default: preconditionFailure("\(query) is not answered in pieces")
    }
  }

  /// The number of bytes so far.
  package var count: Int { bytes.count }

  /// Appends a piece.
  package mutating func add(_ piece: AnswerPiece) {
    typealias Rows = ProtoAnswer
    switch piece.rows {
    case .targets(let rows): add(Rows.Targets.with { $0.rows = rows.map(ProtoTargetRow.init) })
    case .properties(let rows): add(Rows.Properties.with { $0.rows = rows.map(ProtoPropertyRow.init) })
    case .executors(let rows): add(Rows.Executors.with { $0.rows = rows.map(ProtoExecutorRow.init) })
    case .tokens(let rows): add(Rows.Tokens.with { $0.rows = rows.map(ProtoTokenRow.init) })
    case .waiting(let rows): add(Rows.Waiting.with { $0.rows = rows.map(ProtoWaitingRow.init) })
    case .nodes(let nodes): add(ProtoGraph.with { $0.nodes = nodes.map(ProtoGraph.Node.init) })
    case .edges(let edges): add(ProtoGraph.with { $0.edges = edges.map(ProtoGraph.Edge.init) })
    case .intentions(let rows):
      for (order, row) in rows {
        add(Rows.Intentions.with { $0.rows = [ProtoIntentionRow(row)] })
        if let last = places.last, order < last.order { isUnsorted = true }
        places.append(Place(order: order, end: bytes.count))
      }
    }
  }

  /// Adds the remarks of a graph: its missing parts, and the reasons.
  package mutating func add(remarks: [String]) {
    guard !remarks.isEmpty else { return }
    add(ProtoGraph.with { $0.remarks = remarks.map { Encode.text($0) } })
  }

  /// The message.
  ///
  /// - Parameters:
  ///   - envelope: the fields that identify the sender and the message; its body is ignored.
  ///   - frames: the frames between which the answer was made.
  package consuming func message(like envelope: Envelope, madeIn frames: ClosedRange<UInt64>) -> [UInt8] {
    if isUnsorted { sort() }
    // Two numbers of two to eleven bytes.
    let tail = WireWriter.bytes(atMost: 22) { tail in
      guard frames.lowerBound < frames.upperBound else { return }
      tail.number(10, frames.lowerBound, always: true)
      tail.number(11, frames.upperBound, always: true)
    }
    let member = 1 + WireSize.of(UInt64(bytes.count)) + bytes.count
    // A header takes 75 bytes at most, and the beginnings of two messages 13.
    return WireWriter.bytes(atMost: 96 + bytes.count + tail.count) { writer in
      writer.header(of: envelope)
      writer.beginning(23, of: member + tail.count)
      writer.beginning(field, of: bytes.count)
      writer.append(bytes)
      writer.append(tail)
    }
  }

  /// Appends a part. Protobuf merges consecutive parts of one message when it decodes them.
  private mutating func add(_ part: some SwiftProtobuf.Message) { bytes += MessageBytes.encode(part) }

  /// Sorts the rows by the order of their additions; rows of one place keep their order.
  private mutating func sort() {
    var starts = 0
    let rows = places.map { place in
      defer { starts = place.end }
      return (order: place.order, range: starts..<place.end)
    }
    var sorted: [UInt8] = []
    sorted.reserveCapacity(bytes.count)
    for row in rows.sorted(by: { $0.order < $1.order }) { sorted += bytes[row.range] }
    bytes = sorted
  }
}
