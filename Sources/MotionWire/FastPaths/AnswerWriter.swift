package import MotionModel
import SwiftProtobuf

/// Writes the message of an answer whose rows come piece by piece, so that no more than a piece has to be held twice.
///
/// The bytes are those that ``Envelope/encoded()`` makes of the whole answer, but for the frames between which it was made.
package struct AnswerWriter {
  /// Where a row of an intention ends among the bytes, and its place in the order of all additions.
  private struct Place {
    var order: UInt64
    var end: Int
  }

  /// The number of the answer's member in its message, by what is asked.
  private let field: UInt64
  private var bytes: [UInt8] = []
  private var places: [Place] = []
  /// Whether the rows came in another order than the one they are to have.
  private var isUnsorted = false

  /// Begins the answer to a query.
  ///
  /// - Precondition: it is one that is answered in pieces.
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

  /// How many bytes there are so far.
  package var count: Int { bytes.count }

  /// Adds a piece behind those before.
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

  /// Adds what is missing from a graph, and why.
  package mutating func add(remarks: [String]) {
    guard !remarks.isEmpty else { return }
    add(ProtoGraph.with { $0.remarks = remarks.map { Encode.text($0) } })
  }

  /// The message.
  ///
  /// - Parameters:
  ///   - envelope: what it says of its sender; its body is not looked at.
  ///   - frames: the frames between which the answer was made.
  package consuming func message(like envelope: Envelope, madeIn frames: ClosedRange<UInt64>) -> [UInt8] {
    if isUnsorted { sort() }
    var tail = QuickWriter([], capacity: 32)
    if frames.lowerBound < frames.upperBound {
      tail.member(10, frames.lowerBound)
      tail.member(11, frames.upperBound)
    }
    var inner = QuickWriter([], capacity: 16)
    inner.beginning(field, ofMessageOf: bytes.count)
    var writer = QuickWriter([], capacity: bytes.count + 128)
    writer.header(of: envelope)
    writer.beginning(23, ofMessageOf: inner.bytes.count + bytes.count + tail.bytes.count)
    writer.append(inner.bytes)
    writer.append(bytes)
    writer.append(tail.bytes)
    return writer.bytes
  }

  /// What lies behind each other in protobuf is put together when it is read.
  private mutating func add(_ part: some SwiftProtobuf.Message) { bytes += MessageBytes.encode(part) }

  /// Puts the rows in the order of their additions; those of one place keep theirs.
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
