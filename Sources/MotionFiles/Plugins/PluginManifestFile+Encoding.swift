import MotionModel

/// Returns a JSON object with those members that are not `nil`, in order.
private func object(_ members: [(String, JSONLayout?)]) -> JSONLayout {
  .object(members.compactMap { key, value in value.map { (key: key, value: $0) } })
}

/// Returns the texts as an array, or `nil` if there are none.
private func textsIfAny(_ texts: [String]) -> JSONLayout? { texts.isEmpty ? nil : .texts(texts) }

extension PluginManifest {
  /// The manifest in the form of its file.
  var layout: JSONLayout {
    let versions: JSONLayout =
      protocolVersions.count == 1
      ? .number(Double(protocolVersions.lowerBound))
      : .object([
        (key: "min", value: .number(Double(protocolVersions.lowerBound))),
        (key: "max", value: .number(Double(protocolVersions.upperBound))),
      ])
    let executors = unnamedOnly.map { object([("type", .text($0.text)), ("named", .flag(false))]) }
    return object([
      ("name", .text(name.text)), ("executable", .text(executable)), ("arguments", textsIfAny(arguments)),
      ("environment", textsIfAny(environment)), ("libraries", textsIfAny(libraries)), ("protocol", versions),
      ("documentation", documentation.isEmpty ? nil : .text(documentation)),
      ("wantsUpdates", wantsUpdates ? nil : .flag(false)),
      ("instances", instances == 1 ? nil : .number(Double(instances))),
      ("onLost", onLost == .hold ? nil : .text(onLost.rawValue)),
      ("limits", limits == PluginLimits() ? nil : limits.layout),
      ("executors", executors.isEmpty ? nil : .array(executors)),
      ("intentions", .array(intentions.map(\.layout))),
    ])
  }
}

extension PluginLimits {
  /// The limits in the form of a manifest.
  fileprivate var layout: JSONLayout {
    object(Self.names.map { name, _, entry in (name, self[keyPath: entry].map { .number(Double($0)) }) })
  }
}

extension IntentionDescription {
  /// The type in the form of a manifest.
  fileprivate var layout: JSONLayout {
    object([
      ("type", .text(type.text)), ("kind", .text(kind.rawValue)), ("executor", .text(executor.text)),
      ("documentation", .text(documentation)), ("fields", .array(fields.map(\.layout))),
      ("writes", textsIfAny(writes.map(\.text))), ("reads", textsIfAny(reads.map(\.text))),
      ("exclusive", exclusive.isEmpty ? nil : .array(exclusive.map(JSONLayout.texts))),
      ("requiresOneOf", requiresOneOf.isEmpty ? nil : .array(requiresOneOf.map(JSONLayout.texts))),
      ("reachesOutside", reachesOutside ? .flag(true) : nil),
    ])
  }
}

extension FieldDescription {
  /// The field in the form of a manifest.
  fileprivate var layout: JSONLayout {
    object([
      ("name", .text(name)), ("accepts", .texts(accepts.map(\.rawValue))),
      ("required", isRequired ? .flag(true) : nil), ("default", defaultValue?.layout), ("range", range.map(bounds)),
      ("exclusiveMinimum", excludesLowerBound ? .flag(true) : nil), ("unit", unit.isEmpty ? nil : .text(unit)),
      ("choices", textsIfAny(choices)), ("elements", textsIfAny(elements.map(\.rawValue))),
      ("access", access.map { .text($0.rawValue) }), ("lanesOf", lanesOf.map(JSONLayout.text)),
      ("documentation", .text(documentation)),
    ])
  }

  /// Returns the bounds; the greatest finite number stands for no bound.
  private func bounds(_ range: ClosedRange<Double>) -> JSONLayout {
    .array(
      [range.lowerBound, range.upperBound].map { bound in
        abs(bound) == .greatestFiniteMagnitude ? .token("null") : .number(bound)
      })
  }
}
