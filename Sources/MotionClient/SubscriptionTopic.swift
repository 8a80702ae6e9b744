public import MotionModel

/// What can be subscribed to: values, values with velocities, or the outcomes of plans; of all targets, of one, or of
/// one property.
///
/// Only topics that somebody subscribes to are built, so subscribe to what is needed: velocities double the bytes.
public struct SubscriptionTopic: Hashable, Sendable, CustomStringConvertible {
  /// What is said on a topic.
  public enum Content: String, Hashable, Sendable {
    /// Values.
    case values = "v"
    /// Values and velocities: motion.
    case motion = "m"
    /// Plans that ended.
    case outcomes = "o"
  }

  /// What is said on it.
  public let content: Content
  /// The target, or `nil` for all.
  public let target: TargetName?
  /// The property of the target, or `nil` for all.
  public let property: PropertyName?

  private init(_ content: Content, _ target: TargetName?, _ property: PropertyName?) {
    self.content = content
    self.target = target
    self.property = property
  }

  /// The values of every property.
  public static let values = SubscriptionTopic(.values, nil, nil)
  /// The values and velocities of every property.
  public static let motion = SubscriptionTopic(.motion, nil, nil)
  /// The plans that end on any target.
  public static let outcomes = SubscriptionTopic(.outcomes, nil, nil)

  /// The values of a target's properties, or of one of them.
  public static func values(of target: TargetName, _ property: PropertyName? = nil) -> SubscriptionTopic {
    SubscriptionTopic(.values, target, property)
  }

  /// The values and velocities of a target's properties, or of one of them.
  public static func motion(of target: TargetName, _ property: PropertyName? = nil) -> SubscriptionTopic {
    SubscriptionTopic(.motion, target, property)
  }

  /// The plans that end on a target.
  public static func outcomes(of target: TargetName) -> SubscriptionTopic {
    SubscriptionTopic(.outcomes, target, nil)
  }

  /// The topic as it is subscribed to: `v/`, `v/ball`, `v/ball/position`, …
  public var description: String {
    let place = [target?.text, property?.text].compactMap { $0 }.joined(separator: "/")
    return "\(content.rawValue)/\(place)"
  }
}
