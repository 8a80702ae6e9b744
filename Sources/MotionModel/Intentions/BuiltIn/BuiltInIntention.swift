/// A typed form of a built-in intention: stored fields instead of named values, every default resolved.
///
/// Applications create one, or use the short form (`.springTo("position", [100, 50])`). Executors read one from the
/// ``Intention`` they receive. Converting to an ``Intention`` leaves out fields at their defaults.
public protocol BuiltInIntention: IntentionConvertible, Hashable, Sendable {
  /// The description of the type: the source of validation, `motionctl describe` and documentation.
  static var description: IntentionDescription { get }

  /// Reads the fields of `intention`; absent fields get their described defaults.
  ///
  /// - Throws: ``Refusal`` with field and remedy if it is of another type or its fields do not fit the description.
  init(_ intention: Intention) throws(Refusal)
}

/// The types of intentions that are described in Swift.
public enum BuiltInIntentions {
  /// The types that the runtime's own process fulfils: forces, moves under limits, live input, and waves.
  public static let inProcess: [IntentionDescription] = [
    AnchoredSpringIntention.description, SpringToIntention.description, FrictionIntention.description,
    ConstantForceIntention.description, AttachWithSpringIntention.description, MoveToIntention.description,
    FollowIntention.description, WaveIntention.description,
  ]

  /// The types that consist of other intentions. The runtime's own process fulfils them by emitting those.
  public static let compositions: [IntentionDescription] = [
    TossableIntention.description, DirectlyManipulableIntention.description, FadeInIntention.description,
    FadeOutIntention.description,
  ]

  /// All built-in types. Those beyond ``inProcess`` and ``compositions`` are fulfilled by plugins whose manifests
  /// contain the same descriptions.
  public static let all: [IntentionDescription] =
    inProcess + compositions + [
      TweenIntention.description, DraggableIntention.description, PinchableIntention.description,
      RotatableIntention.description, SetPositionOnTapIntention.description, SquashAndStretchIntention.description,
      SendOSCIntention.description, SendDMXIntention.description,
    ]
}

extension BuiltInIntentions {
  /// The plugins that ship with motiond, with the types that each fulfils.
  public static let shipped: [PluginName: [IntentionType]] = [
    "tween": [TweenIntention.description.type, SquashAndStretchIntention.description.type],
    "gesture": [
      DraggableIntention.description.type, PinchableIntention.description.type, RotatableIntention.description.type,
      SetPositionOnTapIntention.description.type,
    ],
    "osc": [SendOSCIntention.description.type],
    "dmx": [SendDMXIntention.description.type],
  ]

  /// Rejects a plan whose fields each match the description but do not fit together: lists of unequal lengths, offsets
  /// that fall, a perimeter of three numbers, an angle to be pinched, an invalid address, unknown easings.
  ///
  /// - Parameter easing: rejects easings that name no timing function.
  static func checkTogether(
    _ intention: Intention, easing: (@Sendable ([String]) throws(Refusal) -> Void)?
  ) throws(Refusal) {
    switch intention.type {
    case TweenIntention.description.type:
      let tween = try TweenIntention(intention)
      try easing?(tween.easing)
    case MoveToIntention.description.type: _ = try MoveToIntention(intention)
    case FollowIntention.description.type: _ = try FollowIntention(intention)
    case WaveIntention.description.type: _ = try WaveIntention(intention)
    case DraggableIntention.description.type: _ = try DraggableIntention(intention)
    case PinchableIntention.description.type: _ = try PinchableIntention(intention)
    case RotatableIntention.description.type: _ = try RotatableIntention(intention)
    case SetPositionOnTapIntention.description.type: _ = try SetPositionOnTapIntention(intention)
    case TossableIntention.description.type: _ = try TossableIntention(intention)
    case SendOSCIntention.description.type: _ = try SendOSCIntention(intention)
    case SendDMXIntention.description.type: try SendDMXIntention.check(intention)
    // For the other types the description checks everything.
    default: break
    }
  }
}
