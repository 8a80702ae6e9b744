package import MotionModel

/// Encodes the parts of a checkpoint, each separately.
///
/// Of a hundred thousand plans few change in a second, so a writer of checkpoints writes only the changed parts. Fields
/// of protobuf may come in any order, and the elements of one list keep their order. So the parts, one after the other,
/// are a checkpoint.
package enum CheckpointBytes {
  /// The clock, the owners and the hand-overs. Targets, plans, waiting transactions, scenes and cues of `head` are
  /// ignored.
  package static func head(_ head: RuntimeCheckpoint) -> [UInt8] { MessageBytes.encode(ProtoCheckpoint(head: head)) }

  /// A whole checkpoint, part by part: the generated code computes the size of a message anew for each that it is in,
  /// which takes most of the time.
  static func whole(_ checkpoint: RuntimeCheckpoint) -> [UInt8] {
    let rest = ProtoCheckpoint(head: checkpoint)
    var first = ProtoCheckpoint()
    (first.frame, first.clock, first.lastSequence) = (rest.frame, rest.clock, rest.lastSequence)
    var bytes = MessageBytes.encode(first)
    for target in checkpoint.targets { bytes += part(4, MessageBytes.encode(ProtoCheckpoint.Target(target))) }
    for entry in checkpoint.plans { bytes += plan(entry) }
    for entry in checkpoint.waiting { bytes += waiting(entry) }
    var last = rest
    (last.values, last.velocities) = ProtoCheckpoint.columns(of: checkpoint)
    last.lastSequence = 0
    last.clearFrame()
    last.clearClock()
    let scenes = checkpoint.scenes.reduce(bytes + MessageBytes.encode(last)) { $0 + scene($1) }
    return checkpoint.cues.reduce(scenes) { $0 + cues($1) }
  }

  /// A target: its properties, and the index of the first lane of each in the columns.
  package static func target(_ name: TargetName, _ properties: [RuntimeCheckpoint.Place]) -> [UInt8] {
    part(4, MessageBytes.encode(ProtoCheckpoint.Target(name, placed: properties)))
  }

  /// A plan.
  package static func plan(_ plan: RuntimeCheckpoint.Plan) -> [UInt8] {
    part(5, MessageBytes.encode(ProtoCheckpoint.Plan(plan)))
  }

  /// A waiting transaction.
  package static func waiting(_ waiting: RuntimeCheckpoint.Waiting) -> [UInt8] {
    part(6, MessageBytes.encode(ProtoCheckpoint.Waiting(waiting)))
  }

  /// A scene.
  package static func scene(_ scene: RuntimeCheckpoint.StoredScene) -> [UInt8] {
    part(15, MessageBytes.encode(ProtoCheckpoint.StoredScene(scene)))
  }

  /// A list of cues.
  package static func cues(_ list: RuntimeCheckpoint.StoredCueList) -> [UInt8] {
    part(16, MessageBytes.encode(ProtoCheckpoint.StoredCueList(list)))
  }

  /// A slice of the columns: lanes of the values of all properties, and of their velocities.
  package static func columns(_ values: ArraySlice<Double>, _ velocities: ArraySlice<Double>) -> [UInt8] {
    // Each of the two fields has a tag, and a length of up to ten bytes.
    WireWriter.bytes(atMost: 8 * (values.count + velocities.count) + 22) { writer in
      for (field, numbers) in [(8 as UInt64, values), (9, velocities)] {
        writer.beginning(field, of: numbers.count * 8)
        // The memory layout is the one that protobuf requires: this code runs on little-endian machines only, as does
        // Swift on Linux.
        numbers.withUnsafeBytes { writer.take($0.count).copyMemory(from: $0) }
      }
    }
  }

  private static func part(_ field: UInt64, _ message: [UInt8]) -> [UInt8] {
    WireWriter.bytes(atMost: message.count + 6) { writer in
      writer.beginning(field, of: message.count)
      writer.append(message)
    }
  }
}
