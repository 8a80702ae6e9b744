package import MotionModel

/// Puts the bytes of a checkpoint together from parts that were encoded before.
///
/// Of a hundred thousand plans few change in a second, and encoding one takes longer than copying its bytes: so whoever
/// writes checkpoints keeps the bytes of each target and plan. Fields of protobuf may come in any order, those of one list in
/// theirs, so that the parts are appended one after the other.
package struct CheckpointBytes {
  /// What was put together so far.
  package private(set) var bytes: [UInt8]

  /// Begins with the clock and the owners; targets, plans and waiting transactions of `head` are ignored.
  package init(head: RuntimeCheckpoint, reserving capacity: Int) {
    bytes = MessageBytes.encode(ProtoCheckpoint(head: head))
    bytes.reserveCapacity(bytes.count + capacity)
  }

  /// A target as a part: its properties with their lanes, in the order in which their values follow.
  package static func part(target: TargetName, _ properties: [(PropertyName, lanes: Int)]) -> [UInt8] {
    part(4, MessageBytes.encode(ProtoCheckpoint.Target(target, properties.lazy.map { ($0, $1) })))
  }

  /// A plan as a part.
  package static func part(plan: RuntimeCheckpoint.Plan) -> [UInt8] {
    part(5, MessageBytes.encode(ProtoCheckpoint.Plan(plan)))
  }

  /// A transaction that waits as a part.
  package static func part(waiting: RuntimeCheckpoint.Waiting) -> [UInt8] {
    part(6, MessageBytes.encode(ProtoCheckpoint.Waiting(waiting)))
  }

  /// Adds a part; those of one kind in their order.
  package mutating func append(_ part: some Collection<UInt8>) { bytes += part }

  /// Adds where all properties are and how fast they move, lane by lane.
  package mutating func append(values: [Double], velocities: [Double]) {
    append(packed: 8, values)
    append(packed: 9, velocities)
  }

  private mutating func append(packed field: UInt64, _ numbers: [Double]) {
    guard !numbers.isEmpty else { return }
    Self.append(varint: field << 3 | 2, to: &bytes)
    Self.append(varint: UInt64(numbers.count * 8), to: &bytes)
    // As they lie in memory, which is how protobuf wants them: this runs on machines with little ends only, as does Swift
    // on Linux.
    numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  private static func part(_ field: UInt64, _ message: [UInt8]) -> [UInt8] {
    var part: [UInt8] = []
    part.reserveCapacity(message.count + 6)
    append(varint: field << 3 | 2, to: &part)
    append(varint: UInt64(message.count), to: &part)
    part += message
    return part
  }

  private static func append(varint number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
