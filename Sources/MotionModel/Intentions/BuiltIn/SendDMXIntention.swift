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
        lamp{1..12} dimmer 1.1. Patterns and groups stand for the lamps that exist when it is committed. On the command \
        line, patch=@rig.patch reads them from a file.
        """)
    ],
    reachesOutside: true,
    documentation: """
      Sends properties to lamps and heads as DMX levels, by sACN (E1.31) or Art-Net, up to 44 times a second. A patch maps \
      properties to channels. While nothing changes, the levels are sent again at least once a second.
      """)

  /// Reads the fields of `intention`; see ``BuiltInIntention``.
  public init(_ intention: Intention) throws(Refusal) {
    try Self.checkFields(of: intention)
    do {
      try self.init(patch: Self.text(of: intention))
    } catch {
      throw Self.refusal(error)
    }
  }

  /// Rejects a plan that cannot be right, whatever the patterns and groups of its patch stand for.
  static func check(_ intention: Intention) throws(Refusal) {
    try checkFields(of: intention)
    do {
      try DMXPatch.check(text(of: intention))
    } catch {
      throw refusal(error)
    }
  }

  private static func checkFields(of intention: Intention) throws(Refusal) {
    _ = try FieldReader(intention, of: description)
  }

  private static func refusal(_ error: DMXPatchError) -> Refusal {
    Refusal(.value, field: "patch", "line \(error.line): \(error.problem)", remedy: error.remedy)
  }

  /// The text of the patch of a plan, as it was given.
  package static func text(of intention: Intention) -> String {
    switch intention["patch"] {
    case .text(let text): text
    case .list(let values):
      values.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined(separator: "\n")
    default: ""
    }
  }

  /// The plan in the runtime's generic form.
  public var intention: Intention { Self.intention(lines) }

  fileprivate static func intention(_ lines: [some StringProtocol]) -> Intention {
    Intention(description.type, [.init("patch", .list(lines.map { .text(String($0)) }))])
  }
}

extension Intention {
  /// Creates an intention that sends a patch. See ``SendDMXIntention``. Its fixtures may be patterns and groups, which
  /// stand for what exists when it is committed.
  ///
  /// - Throws: ``DMXPatchError`` with the line, the mistake and its remedy.
  public static func sendDMX(_ patch: String) throws(DMXPatchError) -> Intention {
    try DMXPatch.check(patch)
    return SendDMXIntention.intention(patch.split(separator: "\n", omittingEmptySubsequences: false))
  }
}
