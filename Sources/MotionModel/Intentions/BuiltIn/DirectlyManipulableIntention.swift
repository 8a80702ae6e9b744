/// Lets a hand move, scale and turn a target.
public struct DirectlyManipulableIntention: BuiltInIntention {
  /// Creates the intention for a target that follows the hand.
  public init() {}

  /// The description of the type.
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

  /// The plan in the runtime's generic form.
  public var intention: Intention { Intention(Self.description.type) }
}

extension Intention {
  /// Creates an intention that lets a hand move, scale and turn a target. See ``DirectlyManipulableIntention``.
  public static func directlyManipulable() -> Intention { DirectlyManipulableIntention().intention }
}
