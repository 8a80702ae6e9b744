public import MotionModel

/// A topic between the coordinator and one worker in one of its incarnations.
public struct WorkerTopic: Hashable, Sendable {
  /// The content of the topic.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Commands to the worker.
    case commands = "c"
    /// Ticks to the worker.
    case ticks = "t"
    /// Events from the worker.
    case events = "e"
  }

  /// The content of the topic.
  public var kind: Kind
  /// The worker.
  public var address: WorkerAddress
  /// The number of the worker's start.
  public var incarnation: UInt64

  /// Creates the topic of a worker that was started for the `incarnation`-th time.
  public init(_ kind: Kind, of address: WorkerAddress, incarnation: UInt64) {
    self.kind = kind
    self.address = address
    self.incarnation = incarnation
  }

  /// `c/tween.0/3`
  public var topic: String { "\(kind.rawValue)/\(address)/\(incarnation)" }

  /// The worker and the incarnation that a topic stands for.
  ///
  /// - Throws: when it is not the topic of any worker.
  public init(topic: String) throws(WireError) {
    let parts = topic.split(separator: "/", omittingEmptySubsequences: false)
    // The instance follows the last dot, because a plugin's name may contain dots too.
    guard parts.count == 3, let kind = Kind(rawValue: String(parts[0])), let dot = parts[1].lastIndex(of: "."),
      let instance = Self.number(parts[1][parts[1].index(after: dot)...]), instance < Limits.instancesPerPlugin,
      let incarnation = Self.number(parts[2])
    else {
      throw WireError(
        .value, field: "topic", "no worker has it", remedy: "Use c/, t/ or e/, then plugin.instance/incarnation")
    }
    let plugin: PluginName = try Decode.name(String(parts[1][..<dot]), "topic")
    self.init(kind, of: WorkerAddress(plugin, Int(instance)), incarnation: incarnation)
  }

  /// A number as topics contain it: digits, no sign, no leading zero, so that a worker has one topic and not many.
  private static func number(_ text: Substring) -> UInt64? {
    guard let number = UInt64(text), String(number) == text else { return nil }
    return number
  }
}
