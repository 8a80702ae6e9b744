/// Sends properties as levels of lamps and heads, by sACN or Art-Net, until it is removed.
public struct SendDMXIntention: BuiltInIntention {
  /// What it sends, and where.
  public var patch: DMXPatch
  /// The lines of the patch, as they were given.
  public var lines: [String]

  /// Creates an intention that sends a patch.
  ///
  /// - Throws: ``DMXPatchError`` with the line, the mistake and its remedy.
  public init(patch text: String) throws(DMXPatchError) {
    patch = try DMXPatch(text)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The description of the type.
  public static let description = IntentionDescription(
    type: "SendDMX", kind: .output, executor: "DMX",
    fields: [
      FieldDescription(
        "patch", .text, .list, required: true, elements: [.text],
        """
        Which channels show which properties: a line for each universe, master and fixture, such as universe 1 sacn and \
        lamp{1..12} dimmer 1.1. On the command line, patch=@rig.patch reads them from a file.
        """)
    ],
    reachesOutside: true,
    documentation: """
      Sends properties to lamps and heads as DMX levels, by sACN (E1.31) or Art-Net, up to 44 times a second. A patch maps \
      properties to channels. While nothing changes, the levels are resent each second.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    let reader = try FieldReader(intention, of: Self.description)
    let texts = reader.elements("patch").compactMap { if case .text(let text) = $0 { text } else { nil } }
    do {
      try self.init(patch: texts.joined(separator: "\n"))
    } catch {
      throw Refusal(.value, field: "patch", "line \(error.line): \(error.problem)", remedy: error.remedy)
    }
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention {
    Intention(Self.description.type, [.init("patch", .list(lines.map(FieldValue.text)))])
  }
}

extension Intention {
  /// Creates an intention that sends a patch. See ``SendDMXIntention``.
  ///
  /// - Throws: ``DMXPatchError`` with the line, the mistake and its remedy.
  public static func sendDMX(_ patch: String) throws(DMXPatchError) -> Intention {
    try SendDMXIntention(patch: patch).intention
  }
}
