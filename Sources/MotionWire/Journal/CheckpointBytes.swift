package import MotionModel

/// The bytes of what a checkpoint is made of, each for itself.
///
/// Of a hundred thousand plans few change in a second, so whoever writes checkpoints writes what has changed. Fields of protobuf
/// may come in any order, those of one list in theirs: a checkpoint is its parts, one after the other.
package enum CheckpointBytes {
  /// Clock, owners and hand-overs; targets, plans and waiting transactions of `head` are ignored.
  package static func head(_ head: RuntimeCheckpoint) -> [UInt8] { MessageBytes.encode(ProtoCheckpoint(head: head)) }

  /// A target: its properties, and where the lanes of each lie in the columns.
  package static func target(_ name: TargetName, _ properties: [(name: PropertyName, first: Int, lanes: Int)])
    -> [UInt8]
  {
    part(4, MessageBytes.encode(ProtoCheckpoint.Target(name, placed: properties)))
  }

  /// A plan.
  package static func plan(_ plan: RuntimeCheckpoint.Plan) -> [UInt8] {
    part(5, MessageBytes.encode(ProtoCheckpoint.Plan(plan)))
  }

  /// A transaction that waits.
  package static func waiting(_ waiting: RuntimeCheckpoint.Waiting) -> [UInt8] {
    part(6, MessageBytes.encode(ProtoCheckpoint.Waiting(waiting)))
  }

  /// Some lanes of where all properties are and how fast they move.
  package static func columns(_ values: ArraySlice<Double>, _ velocities: ArraySlice<Double>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 * (values.count + velocities.count) + 12)
    append(packed: 8, values, to: &bytes)
    append(packed: 9, velocities, to: &bytes)
    return bytes
  }

  private static func append(packed field: UInt64, _ numbers: ArraySlice<Double>, to bytes: inout [UInt8]) {
    bytes.append(varint: field << 3 | 2)
    bytes.append(varint: UInt64(numbers.count * 8))
    // As they lie in memory, which is how protobuf wants them: this runs on machines with little ends only, as does Swift
    // on Linux.
    numbers.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  private static func part(_ field: UInt64, _ message: [UInt8]) -> [UInt8] {
    var part: [UInt8] = []
    part.reserveCapacity(message.count + 6)
    part.append(varint: field << 3 | 2)
    part.append(varint: UInt64(message.count))
    part += message
    return part
  }
}

extension [UInt8] {
  /// Appends a number as protobuf writes it, seven bits at a time.
  mutating func append(varint number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}
