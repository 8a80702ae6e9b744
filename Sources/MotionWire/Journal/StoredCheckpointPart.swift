package import MotionModel

/// The decoded contents of one part of a checkpoint, by the rules that a start applies to these bytes.
package struct StoredCheckpointPart {
  /// A target, and the index of the first lane of each of its properties in the columns.
  package struct Target {
    package var name: TargetName
    package var properties: [RuntimeCheckpoint.Place]
  }

  /// The clock, the owners and the hand-overs, if the part is the head.
  package var head: RuntimeCheckpoint?
  package var targets: [Target] = []
  package var plans: [RuntimeCheckpoint.Plan] = []
  package var waiting: [RuntimeCheckpoint.Waiting] = []
  package var scenes: [RuntimeCheckpoint.StoredScene] = []
  package var cues: [RuntimeCheckpoint.StoredCueList] = []
  /// The number of lanes of the columns that the part holds.
  package var lanes = 0

  /// Decodes a part by the rules that a start applies.
  package init(_ bytes: [UInt8]) throws(WireError) {
    let message = try bytes.span.bytes.withUnsafeBytes { buffer throws(WireError) in
      try MessageBytes.message(ProtoCheckpoint.self, .checkpoint, buffer, limit: JournalCoding.checkpointBytes)
    }
    if message.hasFrame {
      var head = message
      (head.targets, head.plans, head.waiting, head.values, head.velocities) = ([], [], [], [], [])
      (head.scenes, head.cues) = ([], [])
      self.head = try head.model()
    }
    targets = try Decode.list(message.targets, "targets") { target throws(WireError) in try Self.read(target) }
    plans = try Decode.list(message.plans, "plans")
    waiting = try Decode.list(message.waiting, "waiting", atMost: Limits.storedTransactions)
    scenes = try Decode.list(message.scenes, "scenes")
    cues = try Decode.list(message.cues, "cues")
    try Decode.finite(message.values, "values")
    try Decode.finite(message.velocities, "velocities")
    guard message.values.count == message.velocities.count else {
      throw WireError(
        .value, field: "velocities", "there are \(message.velocities.count) for \(message.values.count) values")
    }
    lanes = message.values.count
  }

  private static func read(_ target: ProtoCheckpoint.Target) throws(WireError) -> Target {
    Target(
      name: try Decode.name(target.name, "name"),
      properties: try Decode.list(target.properties, "properties", atMost: Limits.propertiesPerTarget) {
        property throws(WireError) in
        guard property.hasFirst, (1...Limits.lanes).contains(Int(property.lanes)) else {
          throw WireError(.value, field: "lanes", "\(property.lanes) lanes, and no place in the columns")
        }
        return RuntimeCheckpoint.Place(
          try Decode.name(property.name, "name"), first: Int(property.first), lanes: Int(property.lanes),
          limits: try Decode.optional(property.hasLimits, property.limits, "limits"))
      })
  }
}
