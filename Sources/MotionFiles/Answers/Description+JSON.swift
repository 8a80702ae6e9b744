package import MotionModel

/// Descriptions of types of intentions, as JSON.
package extension JSONOutput {
  init(_ type: IntentionDescription) {
    self = [
      "type": .text(type.type.text), "kind": .text(type.kind.rawValue), "executor": .text(type.executor.text),
      "documentation": .text(type.documentation), "fields": .list(type.fields.map { JSONOutput($0) }),
      "writes": .texts(type.writes), "reads": .texts(type.reads),
      "exclusive": .list(type.exclusive.map { .texts($0) }),
      "requiresOneOf": .list(type.requiresOneOf.map { .texts($0) }), "reachesOutside": .flag(type.reachesOutside),
    ]
  }

  init(_ field: FieldDescription) {
    self = [
      "name": .text(field.name), "accepts": .texts(field.accepts.map(\.rawValue)),
      "required": .flag(field.isRequired), "default": field.defaultValue.map(FieldText.json(of:)) ?? .null,
      "minimum": field.range.map { .number($0.lowerBound) } ?? .null,
      "maximum": field.range.map { .number($0.upperBound) } ?? .null,
      "minimumIsExcluded": .flag(field.excludesLowerBound), "unit": .text(field.unit),
      "choices": .texts(field.choices), "elements": .texts(field.elements.map(\.rawValue)),
      "access": .text(field.access?.rawValue), "lanesOf": .text(field.lanesOf),
      "documentation": .text(field.documentation),
    ]
  }
}
