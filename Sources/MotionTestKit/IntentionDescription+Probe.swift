package import MotionModel

extension IntentionDescription {
  /// A type for tests with one field of each shape, so that a plan can be refused in every way.
  package static let probe = IntentionDescription(
    type: "Probe", kind: .oneShot, executor: "Probe",
    fields: [
      FieldDescription("property", .property, required: true, access: .writes, "Where."),
      FieldDescription("share", .number, .vector, range: 0...1, lanesOf: "property", "A share."),
      FieldDescription(
        "mass", .number, range: 0...Double.greatestFiniteMagnitude, excludesLowerBound: true, "A mass."),
      FieldDescription("length", .duration, range: 0...10, "How long."),
      FieldDescription("word", .choice, choices: ["left", "right"], "Which."),
      FieldDescription("note", .text, "A note."), FieldDescription("loud", .flag, "Whether."),
      FieldDescription("path", .list, elements: [.number, .vector, .list], lanesOf: "property", "A path."),
      FieldDescription("free", .list, "Anything."), FieldDescription("other", .reference, "Another."),
    ],
    exclusive: [["share", "mass"]], requiresOneOf: [["share", "mass", "note"]], documentation: "For tests.")
}
