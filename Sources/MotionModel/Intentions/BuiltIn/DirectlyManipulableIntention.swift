/// Lets a target be moved, scaled and turned by a hand.
public struct DirectlyManipulableIntention: BuiltInIntention {
  /// A target that follows the hand.
  public init() {}

  /// What the type is.
  public static let description = IntentionDescription(
    type: "DirectlyManipulable", kind: .standing, executor: "DirectlyManipulable", fields: [],
    documentation: """
      Lets a target be moved with one finger, and moved, scaled and turned with two: position, scale and rotation \
      follow the hand. It emits a Draggable, a Pinchable and a Rotatable.
      """)

  /// Reads `intention`, which has no fields; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    _ = try FieldReader(intention, of: Self.description)
  }

  /// The plan in the one shape that the runtime knows.
  public var intention: Intention { Intention(Self.description.type) }
}

extension Intention {
  /// Lets a target be moved, scaled and turned by a hand. See ``DirectlyManipulableIntention``.
  public static func directlyManipulable() -> Intention { DirectlyManipulableIntention().intention }
}
