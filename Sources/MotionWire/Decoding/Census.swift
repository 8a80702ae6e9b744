import MotionModel

/// Counts the list elements of a message before anything is built from it.
///
/// An element of a list can take two bytes on the wire, and up to 290 bytes in memory: 64 MiB from an unknown peer
/// could become gigabytes. So the elements of all lists are counted in the raw bytes first. Their limit follows from
/// the accepted size. The limit of each list is checked afterwards, with the other rules. Cost: one pass over the bytes,
/// and no memory.
struct Census {
  /// The accepted bytes per allowed element: a million elements for 64 MiB, which is 100,000 operations with nine
  /// fields each. An element takes at most some 290 bytes of memory (measured: rows of an answer), so a message takes
  /// less than 5 times the accepted size. A row of an intention takes 400, and counts as two.
  static let bytesPerElement = 67
  /// The number of elements that is always accepted, so that small limits do not refuse ordinary messages.
  static let leastElements = 4096

  /// How many elements all lists of a message may have where so many bytes are accepted.
  static func mostElements(of limit: Int) -> Int { max(leastElements, limit / bytesPerElement) }

  private let mostElements: Int
  private var elements = 0

  /// Checks the lists in a message whose outermost message has this shape.
  static func check(_ bytes: UnsafeRawBufferPointer, _ shape: Shape, limit: Int) throws(WireError) {
    var census = Census(mostElements: mostElements(of: limit))
    try census.count(shape, in: WireReader(bytes), depth: 1)
  }

  private init(mostElements: Int) { self.mostElements = mostElements }

  private mutating func count(_ shape: Shape, in message: WireReader, depth: Int) throws(WireError) {
    guard depth <= MessageBytes.nesting else {
      throw WireError(.limit, "messages are nested more than \(MessageBytes.nesting) deep")
    }
    let members = shape.members
    var reader = message
    while !reader.isAtEnd {
      let (number, content) = try Self.field(&reader)
      guard let member = members.first(where: { $0.number == number }) else { continue }
      // Packed numbers count as one element per byte, which is the most that they can be.
      if member.isList {
        try add(member.isPacked ? content?.count ?? 1 : member.shape == .intentionRow ? 2 : 1, member)
      }
      guard let shape = member.shape, let content else { continue }
      do {
        try count(shape, in: content, depth: depth + 1)
      } catch {
        throw error.within("\(member.name)")
      }
    }
  }

  private static func field(_ reader: inout WireReader) throws(WireError) -> (number: UInt64, content: WireReader?) {
    do { return try reader.field() } catch { throw error.error }
  }

  /// Adds elements of the list `member` to the total.
  private mutating func add(_ added: Int, _ member: Member) throws(WireError) {
    elements += added
    guard elements <= mostElements else {
      throw WireError(
        .limit, field: "\(member.name)", "all lists of the message together have more than \(mostElements) elements",
        remedy: "Send less in one message")
    }
  }
}
