package import MotionModel
import MotionWire

/// The channels of one viewer: some of its own, and one for each property of the chosen targets. Numbers are not used
/// twice, so that a message on its way never belongs to another channel.
package struct ChannelTable {
  /// The channels that are always there.
  package enum Fixed: UInt32, Sendable {
    /// Which plan drives which property.
    case drivers = 1
    /// Hand-overs and failures, for people.
    case log = 2
    /// While it has a subscription, the values of all subscriptions to properties come here, in one message. It is not
    /// advertised, because viewers that subscribe to everything would miss their values.
    case columns = 3

    /// Those that are advertised.
    static let advertised = [
      LiveChannel(id: Self.drivers.rawValue, topic: SampleMessage.driversTopic, schema: .drivers),
      LiveChannel(id: Self.log.rawValue, topic: "motiond/log", schema: .log),
    ]
  }

  /// What changed.
  package struct Changes {
    /// New channels.
    package var added: [LiveChannel] = []
    /// Channels that are gone, with their properties.
    package var removed: [(id: UInt32, property: PropertyReference)] = []
  }

  /// The numbers below are those of fixed channels, with room for more of them.
  private static let firstProperty: UInt32 = 64

  /// The properties by channel.
  package private(set) var properties: [UInt32: PropertyReference] = [:]
  /// The targets for which there was no channel the last time, because they are beyond a limit.
  package private(set) var hiddenTargets = 0
  private var ids: [PropertyReference: UInt32] = [:]
  private var next = Self.firstProperty

  /// A table with fixed channels only.
  package init() {}

  /// The number of a property's channel, if it has one.
  package func id(of reference: PropertyReference) -> UInt32? { ids[reference] }

  /// Follows the present properties.
  ///
  /// - Parameter pattern: the targets to show; `nil` for the first ``StudioLimits/targets``.
  package mutating func follow(_ references: [PropertyReference], _ pattern: TargetSelector?) -> Changes {
    var shown: Set<TargetName> = []
    var hidden: Set<TargetName> = []
    var wanted: Set<PropertyReference> = []
    var changes = Changes()
    for reference in references {
      let target = reference.target
      if let pattern {
        guard pattern.matches(target) else { continue }
      } else if !shown.contains(target), shown.count == StudioLimits.targets {
        hidden.insert(target)
        continue
      }
      shown.insert(target)
      guard wanted.count < StudioLimits.channels else {
        hidden.insert(target)
        continue
      }
      wanted.insert(reference)
      guard ids[reference] == nil else { continue }
      let channel = LiveChannel(id: next, topic: SampleMessage.topic(of: reference), schema: .values)
      (ids[reference], properties[next]) = (next, reference)
      changes.added.append(channel)
      next += 1
    }
    hiddenTargets = hidden.count
    changes.removed = properties.filter { !wanted.contains($0.value) }.sorted { $0.key < $1.key }
      .map { (id: $0.key, property: $0.value) }
    for (id, reference) in changes.removed { (properties[id], ids[reference]) = (nil, nil) }
    return changes
  }
}
