import MotionFiles
import MotionModel

/// The description of a type of intention for people: its effect, its fields, and how to add one.
enum TypeReport {
  /// The lines of the report.
  static func lines(_ type: IntentionDescription, style: Style, width: Int) -> [String] {
    let title = "\(style.bold(type.type.text)): \(meaning(of: type.kind)), fulfilled by the executor \(type.executor)"
    var lines = [title] + ShownText.escaping(type.documentation).wrapped(to: width) + [""]
    var table = Table(.init("FIELD"), .init("VALUE"), .init("DEFAULT"), .init("MEANING"))
    for field in type.fields {
      table.add(field.name, values(of: field), defaultText(of: field), field.documentation)
    }
    lines += table.lines(style: style, width: width)
    let rules =
      type.requiresOneOf.map { group in
        "Give \(type.exclusive.contains(group) ? "" : "at least ")one of \(group.joined(separator: ", "))."
      }
      + type.exclusive.filter { !type.requiresOneOf.contains($0) }
      .map { "Give at most one of \($0.joined(separator: ", "))." }
      + (type.writes.isEmpty ? [] : ["It writes \(type.writes.map(\.text).joined(separator: ", "))."])
      + ranges(of: type)
      + (type.reads.isEmpty ? [] : ["It reads \(type.reads.map(\.text).joined(separator: ", "))."])
      + (type.reachesOutside ? ["It reaches outside the machine: a gateway has to allow it by name."] : [])
    if !rules.isEmpty { lines += [""] + rules }
    return lines + ["", style.dim("Add one:"), "  \(example(of: type))"]
  }

  /// The natural ranges of properties that the type may write, which apply to every type.
  private static func ranges(of type: IntentionDescription) -> [String] {
    let ranged = KnownProperty.known.filter { $0.value.range != nil }
    guard
      type.writes.contains(where: { ranged[$0.text] != nil }) || type.fields.contains(where: { $0.access == .writes })
    else { return [] }
    return Set(ranged.values.compactMap(\.range)).sorted { $0.lowerBound < $1.lowerBound }.map { range in
      let names = ranged.filter { $0.value.range == range }.map(\.key).sorted().joined(separator: ", ")
      let bounds = "\(JSONText.number(range.lowerBound)) to \(JSONText.number(range.upperBound))"
      return "Values outside of the range \(bounds) are clamped to its bounds, for \(names), unless a limit lifts it."
    }
  }

  private static func meaning(of kind: IntentionKind) -> String {
    switch kind {
    case .standing: "a standing intention, which holds until it is removed"
    case .oneShot: "a one-shot intention, which ends by itself"
    case .manipulation: "a manipulation, which drives properties while a hand moves them"
    case .output: "an output, which reads, moves nothing, and continues after a stop"
    }
  }

  /// The shapes and bounds of a field: `number 0…1`, `number or vector`, `linear|ease|…`.
  private static func values(of field: FieldDescription) -> String {
    let shapes = field.accepts.map { shape -> String in
      switch shape {
      case .choice where !field.choices.isEmpty: field.choices.joined(separator: "|")
      case .list where !field.elements.isEmpty:
        "list of \(field.elements.map(\.rawValue).joined(separator: " or "))"
      case .property: "property" + note(on: field.access)
      default: shape.rawValue
      }
    }
    // The bounds of a duration contain their units; a number without a unit is in the field's unit.
    let unit = field.unit.isEmpty ? "" : " (\(field.unit))"
    return shapes.joined(separator: " or ") + bounds(of: field) + unit
  }

  /// The kind of access to the property that a field names.
  private static func note(on access: FieldDescription.Access?) -> String {
    switch access {
    case .reads: " (read)"
    case .writes: " (written)"
    case .names, nil: ""
    }
  }

  /// The range, in the wording of the error for a value outside it.
  private static func bounds(of field: FieldDescription) -> String {
    field.range == nil ? "" : " " + field.rangeInWords
  }

  private static func defaultText(of field: FieldDescription) -> String {
    if field.isRequired { return "required" }
    return field.defaultValue.map(FieldText.text(of:)) ?? "-"
  }

  /// An example command with the required fields.
  private static func example(of type: IntentionDescription) -> String {
    let oneOf = type.requiresOneOf.compactMap(\.first)
    let fields = type.fields.filter { $0.isRequired || oneOf.contains($0.name) }
    return (["motionctl add \(type.type) --to TARGET"] + fields.map { "\($0.name)=…" }).joined(separator: " ")
  }
}
